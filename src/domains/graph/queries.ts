/** Any record by its id. */
import { z } from 'zod';
import { builder } from '../../graphql/schema/builder.ts';
import { NodeInterface } from '../../graphql/schema/interfaces.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { maxPageSize } from '../../lib/paging.ts';
import { findNode } from './find-node.ts';

/** Each kind of record is asked. */
const nodeCost = 10;

const nodesCheck = z.object({
  ids: z.array(z.string()).max(maxPageSize, `Must have at most ${maxPageSize} items.`),
});

builder.queryFields((t) => ({
  node: t.field({
    type: NodeInterface,
    nullable: true,
    description:
      'The record with this id, if the viewer may see it; what they see of it is what its own query shows.',
    authScopes: { signedIn: true },
    complexity: nodeCost,
    args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
    resolve: (_root, { id }, ctx) => findNode(ctx, id),
  }),
  nodes: t.field({
    type: [NodeInterface],
    nullable: { list: false, items: true },
    description: 'The records with these ids, each at its place; null where there is none for the viewer.',
    authScopes: { signedIn: true },
    complexity: ({ ids }) => ({ field: nodeCost, multiplier: Math.max(1, ids.length) }),
    args: { ids: t.arg.idList({ required: true, description: 'Ids of the records, at most 100.' }) },
    ...validatedField(nodesCheck, ({ ids }, ctx) => Promise.all(ids.map((id) => findNode(ctx, id)))),
  }),
}));
