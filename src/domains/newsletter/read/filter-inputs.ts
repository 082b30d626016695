/** GraphQL inputs of what a list of subscribers is asked for. Rules beyond types are in checks.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { type SubscriberFilterFields, subscriberSorts } from '../schemas.ts';
import { SubscriptionStatusEnum } from '../types.ts';

export const SubscriberSortEnum = builder.enumType('SubscriberSort', {
  description:
    'The order of a list of subscribers. EMAIL compares small letters by their bytes; UPDATED is the last change.',
  values: subscriberSorts,
});

export const SubscriberFilterInput = builder.inputType('SubscriberFilter', {
  description: 'Which subscriptions are meant: those that fulfil all that is said.',
  fields: (t) =>
    ({
      statuses: t.field({ type: [SubscriptionStatusEnum], description: 'Only these statuses.' }),
      planId: t.id({ description: 'Only of this plan.' }),
      email: t.string({ description: 'Only addresses that begin with this.' }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof SubscriberFilterFields, unknown>,
});
