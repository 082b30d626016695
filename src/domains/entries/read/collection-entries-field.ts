/** GraphQL field `Collection.entries`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../../graphql/schema/connection-types.ts';
import { CollectionGraphqlType } from '../../collections/types.ts';
import { EntryConnection } from '../types.ts';
import { listCollectionEntries } from './list-entries.ts';

builder.objectField(CollectionGraphqlType, 'entries', (t) =>
  t.field({
    type: EntryConnection,
    description:
      'Entries of the collection, newest first. Viewers without CONTENT_WRITE see published entries of published collections.',
    complexity: estimateListCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => listCollectionEntries(ctx, id, args),
  }),
);
