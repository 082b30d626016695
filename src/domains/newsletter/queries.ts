/** Queries of newsletters: subscribers and template variables. */
import { permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findTemplateVariablesOfEntryType } from './mail/template-variables.ts';
import { SubscriberFilterInput, SubscriberSortEnum } from './read/filter-inputs.ts';
import { listSubscribers } from './read/list-subscribers.ts';
import { listSubscribersSchema } from './schemas.ts';
import { SubscriptionConnection, SubscriptionStatusEnum, TemplateVariableGraphqlType } from './types.ts';

builder.queryFields((t) => ({
  subscribers: t.field({
    type: SubscriptionConnection,
    description:
      'Subscriptions of a newsletter, newest first unless `sort` is given. Needs SUBSCRIBERS_READ.',
    authScopes: permissionOnRecordScope('SUBSCRIBERS_READ', 'Collection'),
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      collectionId: ['ID!', 'Id or slug of the newsletter.'],
      ...pageArgs,
      status: [SubscriptionStatusEnum, 'Only subscriptions with this status.'],
      filter: [SubscriberFilterInput, 'Filter; conditions are combined with AND.'],
      sort: [SubscriberSortEnum, 'Sort order. Default: NEWEST.'],
    }),
    ...validatedField(listSubscribersSchema, listSubscribers),
  }),
  templateVariables: t.field({
    type: [TemplateVariableGraphqlType],
    nullable: true,
    description: 'Placeholders that entries of a type may contain; null for an unknown type.',
    authScopes: { signedIn: true },
    args: fieldArgs({ entryType: ['String!', 'Entry type, such as `NEWSLETTER`.'] }),
    resolve: (_root, { entryType }) => {
      const variables = findTemplateVariablesOfEntryType(entryType);
      return variables ? [...variables] : null;
    },
  }),
}));
