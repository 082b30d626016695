/** Queries of newsletters. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { onRecord } from '../../graphql/scopes.ts';
import { subscriberFilterCheck } from './checks.ts';
import { SubscriberFilterInput, SubscriberSortEnum } from './find-inputs.ts';
import { listSubscribers } from './list-subscribers.ts';
import { SubscriptionConnection, SubscriptionStatusEnum, TemplateVariableType } from './types.ts';
import { variablesOf } from './variables.ts';

builder.queryFields((t) => ({
  subscribers: t.field({
    type: SubscriptionConnection,
    description: 'Subscriptions of a newsletter, newest first or as `sort` says. Needs SUBSCRIBERS_READ.',
    authScopes: onRecord('SUBSCRIBERS_READ', 'Collection'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      collectionId: t.arg.id({ required: true, description: 'Id or slug of the newsletter.' }),
      ...pageArgs,
      status: t.arg({ type: SubscriptionStatusEnum, description: 'Only this status.' }),
      filter: t.arg({ type: SubscriberFilterInput, description: 'Only what fulfils all of this.' }),
      sort: t.arg({ type: SubscriberSortEnum, description: 'The order, NEWEST by default.' }),
    },
    ...checked(subscriberFilterCheck, (args, ctx) => listSubscribers(ctx, args)),
  }),
  templateVariables: t.field({
    type: [TemplateVariableType],
    nullable: true,
    description: 'The placeholders that entries of a type may contain; null when there is no such type.',
    authScopes: { signedIn: true },
    args: { entryType: t.arg.string({ required: true, description: 'Such as `NEWSLETTER`.' }) },
    resolve: (_root, { entryType }) => {
      const variables = variablesOf(entryType);
      return variables ? [...variables] : null;
    },
  }),
}));
