/** The way from a business to its collections. */
import { builder } from '../../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../../graphql/schema/connection.ts';
import { BusinessType } from '../../businesses/types.ts';
import { CollectionConnection } from '../types.ts';
import { listBusinessCollections } from './list-collections.ts';

builder.objectField(BusinessType, 'collections', (t) =>
  t.field({
    type: CollectionConnection,
    description: 'Its collections, newest first. Drafts are visible to editors only.',
    complexity: listCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listBusinessCollections(ctx, id, args),
  }),
);
