/** The way from a collection to its entries. */
import { builder } from '../../graphql/builder.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { CollectionType } from '../collections/types.ts';
import { entriesOf } from './list-entries.ts';
import { EntryConnection } from './types.ts';

builder.objectField(CollectionType, 'entries', (t) =>
  t.field({
    type: EntryConnection,
    description: 'Its entries, newest first. Visitors see published ones of published collections.',
    complexity: listCost,
    args: pageArgs,
    resolve: ({ id }, args, ctx) => entriesOf(ctx, id, args),
  }),
);
