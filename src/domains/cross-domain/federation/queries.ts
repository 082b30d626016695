/** GraphQL queries `_service` and `_entities` of the Apollo Federation subgraph specification. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { builder } from '../../../graphql/schema/builder.ts';
import { nodeTypeSymbol } from '../../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { jsonScalar } from '../../../graphql/schema/scalars.ts';
import { validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { packageRoot } from '../../../lib/package-info.ts';
import {
  type FederationEntityRepresentation,
  federationEntityTypes,
  findFederationEntity,
  isFederationEntityRepresentation,
} from './entities.ts';

const AnyScalar = builder.scalarType('_Any', {
  ...jsonScalar,
  description: 'Representation of an entity: an object with `__typename` and the fields of one of its keys.',
});

const EntityGraphqlUnion = builder.unionType('_Entity', {
  description: 'An entity of the federated graph.',
  types: federationEntityTypes as never,
  resolveType: (record) => (record as { [nodeTypeSymbol]?: string })[nodeTypeSymbol],
});

/** Query cost of the text of the subgraph schema, which is large. */
const sdlCost = 2_000;

let sdl: string | undefined;

/** The file is printed by scripts/print-schema.ts; it is read on first use. */
function readSubgraphSchema(): string {
  sdl ??= readFileSync(join(packageRoot, 'schema', 'subgraph.graphql'), 'utf8');
  return sdl;
}

const ServiceGraphqlType = builder.objectRef<object>('_Service').implement({
  description: 'This service as part of a federated graph.',
  fields: (t) => ({
    sdl: t.string({
      description: 'Schema of this subgraph, with the directives of Federation 2.',
      complexity: sdlCost,
      resolve: readSubgraphSchema,
    }),
  }),
});

const maxRepresentations = 1_000;

const entitiesSchema = z.object({
  representations: z
    .array(
      z.custom<FederationEntityRepresentation>(
        isFederationEntityRepresentation,
        `Must be an object with __typename (${federationEntityTypes.join(', ')}) and the fields of one of its keys as strings.`,
      ),
    )
    .max(maxRepresentations, `Must have at most ${maxRepresentations} items.`),
});

/** Query cost: one statement for each type. */
const entitiesCost = 10;

builder.queryFields((t) => ({
  _service: t.field({
    type: ServiceGraphqlType,
    description: 'Schema of this service for the router of a federated graph.',
    resolve: () => ({}),
  }),
  _entities: t.field({
    type: [EntityGraphqlUnion],
    nullable: { list: false, items: true },
    description:
      'Entities of a federated graph in the order of `representations`; null where the viewer may not see the record.',
    authScopes: { signedIn: true },
    complexity: ({ representations }) => ({
      field: entitiesCost,
      multiplier: Math.max(1, representations.length),
    }),
    args: {
      representations: t.arg({
        type: [AnyScalar],
        required: true,
        description: `Type and key of each record, up to ${maxRepresentations}.`,
      }),
    },
    ...validatedField(entitiesSchema, (ctx, { representations }) =>
      Promise.all(representations.map((representation) => findFederationEntity(ctx, representation))),
    ),
  }),
}));
