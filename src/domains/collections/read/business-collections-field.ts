/** GraphQL field `Business.collections`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection-types.ts';
import { BusinessGraphqlType } from '../../businesses/types.ts';
import { CollectionConnection } from '../types.ts';
import { listBusinessCollections } from './list-collections.ts';

builder.objectField(BusinessGraphqlType, 'collections', (t) =>
  t.field({
    type: CollectionConnection,
    description:
      'Collections of the business, newest first. Viewers without CONTENT_WRITE see published collections only.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessCollections(ctx, id, args),
  }),
);
