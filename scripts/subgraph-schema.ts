/** The schema without the fields of Apollo Federation, and the SDL of the subgraph: the same with Federation 2 directives. */
import {
  type ConstDirectiveNode,
  GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { allowsPermission, permissions } from '../src/auth/permissions-and-default-roles.ts';
import { federationEntityKeysOf } from '../src/domains/cross-domain/federation/entities.ts';
import { incrementalDirectives } from '../src/graphql/execute/incremental/defer-and-stream-directives.ts';
import { sortSchemaForReading } from '../src/graphql/schema/required-arguments-first.ts';
import { evaluateScopes } from './openapi/scopes.ts';

/** Routers have @defer and @stream of their own, and send none to subgraphs. */
const withoutIncrementalDirectives = (schema: GraphQLSchema): GraphQLSchema => {
  const { directives, ...config } = schema.toConfig();
  const own = directives.filter(({ name }) => !incrementalDirectives.some((other) => other.name === name));
  return new GraphQLSchema({ ...config, directives: own });
};

/** Names of the federation specification begin with one underscore. */
const isFederationName = (name: string) => /^_[^_]/.test(name);

export function withoutFederation(schema: GraphQLSchema): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  const { fields, ...queryConfig } = (query as GraphQLObjectType).toConfig();
  const ownFields = Object.entries(fields).filter(([name]) => !isFederationName(name));
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ ...queryConfig, fields: Object.fromEntries(ownFields) }),
    types: types.filter((type) => type !== query && !isFederationName(type.name)),
  });
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@authenticated", "@requiresScopes"])`;

/** Types without identity that other subgraphs may declare too. */
const shareableTypes: ReadonlySet<string> = new Set([
  'DeletedPayload',
  'GeoLocation',
  'PageInfo',
  'PostalAddress',
  'Price',
  'SuccessPayload',
]);

export function printSubgraph(schema: GraphQLSchema): string {
  const own = sortSchemaForReading(withoutIncrementalDirectives(withoutFederation(schema)));
  const rootTypes = new Set(
    [own.getQueryType(), own.getMutationType(), own.getSubscriptionType()].map((type) => type?.name),
  );
  const document = visit(parse(printSchema(own)), {
    ObjectTypeDefinition: {
      leave: (node) => ({
        ...node,
        directives: [...(node.directives ?? []), ...typeDirectives(node.name.value)],
      }),
    },
    FieldDefinition(node, _key, _parent, _path, ancestors) {
      const owner = ancestors.at(-1) as { name?: { value: string } } | undefined;
      const type = owner?.name && rootTypes.has(owner.name.value) ? own.getType(owner.name.value) : undefined;
      if (!isObjectType(type)) return undefined;
      const { authScopes } = (type.getFields()[node.name.value]?.extensions.pothosOptions ?? {}) as {
        authScopes?: unknown;
      };
      return { ...node, directives: [...(node.directives ?? []), ...authDirectives(authScopes)] };
    },
  });
  return `${link}\n\n${print(document)}\n`;
}

const typeDirectives = (type: string): ConstDirectiveNode[] => [
  ...federationEntityKeysOf(type).map((fields) => directive(`@key(fields: "${fields}")`)),
  ...(shareableTypes.has(type) ? [directive('@shareable')] : []),
];

/** Scopes that a router can decide: signed in, or one of several permissions in any business. The gateway checks each request again. */
function authDirectives(authScopes: unknown): ConstDirectiveNode[] {
  const scopes = evaluateScopes(authScopes);
  if (scopes === undefined) return [];
  // Scopes that depend on records, such as the business of a role: anonymous viewers lack them.
  if (scopes === 'unknown') return [directive('@authenticated')];
  if (scopes.business !== undefined || scopes.publicRead !== undefined) return [];
  const { permission, ...others } = scopes;
  if (!permission || Object.keys(others).length > 0) return [directive('@authenticated')];
  const required = [permission.name].flat();
  const sufficient = permissions.filter((name) =>
    required.some((requiredName) => allowsPermission(new Set([name]), requiredName)),
  );
  return [directive(`@requiresScopes(scopes: ${JSON.stringify(sufficient.map((name) => [name]))})`)];
}

function directive(text: string): ConstDirectiveNode {
  const [definition] = parse(`scalar X ${text}`).definitions;
  const [node] = definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? (definition.directives ?? []) : [];
  if (!node) throw new Error(`${text} is not a directive.`);
  return node;
}
