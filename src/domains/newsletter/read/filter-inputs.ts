/** GraphQL sort and filter inputs of the subscriber list. Validation beyond types is in schemas.ts. */

import { builder } from '../../../graphql/schema/builder.ts';
import { type InputField, inputFields } from '../../../graphql/schema/field-tables.ts';
import { type SubscriberFilterFields, subscriberSorts } from '../schemas.ts';
import { SubscriptionStatusEnum } from '../types.ts';

export const SubscriberSortEnum = builder.enumType('SubscriberSort', {
  description:
    'Sort order of subscribers. EMAIL compares lower-case addresses byte by byte; UPDATED sorts by the last change.',
  values: subscriberSorts,
});

export const SubscriberFilterInput = builder.inputType('SubscriberFilter', {
  description: 'Filter; conditions are combined with AND.',
  fields: inputFields({
    statuses: [[SubscriptionStatusEnum], 'Status is one of these.'],
    planId: ['ID', 'Subscribed to this plan.'],
    email: ['String', 'Email starts with this text, ignoring case.'],
    createdFrom: ['Timestamp', 'Created at this time or later.'],
    createdTo: ['Timestamp', 'Created at this time or earlier.'],
    updatedFrom: ['Timestamp', 'Last changed at this time or later.'],
    updatedTo: ['Timestamp', 'Last changed at this time or earlier.'],
  } satisfies Record<keyof SubscriberFilterFields, InputField>),
});
