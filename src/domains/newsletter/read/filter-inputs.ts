/** GraphQL sort and filter inputs of the subscriber list. Validation beyond types is in schemas.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { type SubscriberFilterFields, subscriberSorts } from '../schemas.ts';
import { SubscriptionStatusEnum } from '../types.ts';

export const SubscriberSortEnum = builder.enumType('SubscriberSort', {
  description:
    'Sort order of subscribers. EMAIL compares lower-case addresses byte by byte; UPDATED sorts by the last change.',
  values: subscriberSorts,
});

export const SubscriberFilterInput = builder.inputType('SubscriberFilter', {
  description: 'Filter; conditions are combined with AND.',
  fields: (t) =>
    ({
      statuses: t.field({ type: [SubscriptionStatusEnum], description: 'Status is one of these.' }),
      planId: t.id({ description: 'Subscribed to this plan.' }),
      email: t.string({ description: 'Email starts with this text, ignoring case.' }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof SubscriberFilterFields, unknown>,
});
