/** Queries of newsletters. */

import { permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findTemplateVariables } from './mail/template-variables.ts';
import { SubscriberFilterInput, SubscriberSortEnum } from './read/filter-inputs.ts';
import { listSubscribers } from './read/list-subscribers.ts';
import { listSubscribersSchema } from './schemas.ts';
import { SubscriptionConnection, SubscriptionStatusEnum, TemplateVariableType } from './types.ts';

builder.queryFields((t) => ({
  subscribers: t.field({
    type: SubscriptionConnection,
    description: 'Subscriptions of a newsletter, newest first or as `sort` says. Needs SUBSCRIBERS_READ.',
    authScopes: permissionOnRecord('SUBSCRIBERS_READ', 'Collection'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      collectionId: t.arg.id({ required: true, description: 'Id or slug of the newsletter.' }),
      ...pageArgs,
      status: t.arg({ type: SubscriptionStatusEnum, description: 'Only this status.' }),
      filter: t.arg({ type: SubscriberFilterInput, description: 'Only what fulfils all of this.' }),
      sort: t.arg({ type: SubscriberSortEnum, description: 'The order, NEWEST by default.' }),
    },
    ...validatedField(listSubscribersSchema, (args, ctx) => listSubscribers(ctx, args)),
  }),
  templateVariables: t.field({
    type: [TemplateVariableType],
    nullable: true,
    description: 'The placeholders that entries of a type may contain; null when there is no such type.',
    authScopes: { signedIn: true },
    args: { entryType: t.arg.string({ required: true, description: 'Such as `NEWSLETTER`.' }) },
    resolve: (_root, { entryType }) => {
      const variables = findTemplateVariables(entryType);
      return variables ? [...variables] : null;
    },
  }),
}));
