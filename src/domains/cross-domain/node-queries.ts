/** GraphQL queries `node` and `nodes`. */
import { z } from 'zod';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { NodeGraphqlInterface } from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { maxPageSize } from '../../lib/paging.ts';
import './federation/queries.ts';
import { findNode } from './find-node.ts';

/** Query cost: every type of record is queried. */
const nodeCost = 10;

const nodesSchema = z.object({
  ids: z.array(z.string()).max(maxPageSize, `Must have at most ${maxPageSize} items.`),
});

builder.queryFields((t) => ({
  node: t.field({
    type: NodeGraphqlInterface,
    nullable: true,
    description:
      'Record of any type by id; null when the viewer may not see it. Fields follow the visibility rules of the type.',
    authScopes: { signedIn: true },
    complexity: nodeCost,
    args: fieldArgs({ id: ['ID!', 'Id of the record.'] }),
    resolve: (_root, { id }, ctx) => findNode(ctx, id),
  }),
  nodes: t.field({
    type: [NodeGraphqlInterface],
    nullable: { list: false, items: true },
    description: 'Records of any type in the order of `ids`; null where the viewer may not see the record.',
    authScopes: { signedIn: true },
    complexity: ({ ids }) => ({ field: nodeCost, multiplier: Math.max(1, ids.length) }),
    args: fieldArgs({ ids: ['[ID!]!', 'Ids of the records, up to 100.'] }),
    ...validatedField(nodesSchema, (ctx, { ids }) => Promise.all(ids.map((id) => findNode(ctx, id)))),
  }),
}));
