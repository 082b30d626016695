/** The way from a business to its collections. */
import { builder } from '../../graphql/builder.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { BusinessType } from '../businesses/types.ts';
import { collectionsOf } from './list-collections.ts';
import { CollectionConnection } from './types.ts';

builder.objectField(BusinessType, 'collections', (t) =>
  t.field({
    type: CollectionConnection,
    description: 'Its collections, newest first. Drafts are visible to editors only.',
    complexity: listCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => collectionsOf(ctx, id, args),
  }),
);
