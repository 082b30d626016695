/** GraphQL types of API usage. */

import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { builder } from '../../graphql/schema/builder.ts';
import { type OutputField, outputFields } from '../../graphql/schema/field-tables.ts';
import type { UsageKind } from '../../ports/usage.ts';
import type { UsageSummary } from './read-api-usage.ts';

/** Null for coordinates that are not deprecated, or that an earlier version of the schema had. */
function findDeprecationReason(schema: GraphQLSchema, coordinate: string): string | null {
  const [typeName = '', fieldName = '', argName] = coordinate.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInputObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field || argName === undefined) return field?.deprecationReason ?? null;
  const args = 'args' in field ? field.args : [];
  return args.find(({ name }) => name === argName)?.deprecationReason ?? null;
}

export const UsageKindEnum = builder.enumType('UsageKind', {
  description: 'Kind of counted item.',
  values: {
    OPERATION: { description: 'A GraphQL operation, by its operation name.' },
    FIELD: { description: 'A GraphQL field or argument, such as `Product.name` or `Query.products.first`.' },
    ROW: { description: 'A REST route: method and path.' },
  } satisfies Record<UsageKind, object>,
});

export const UsageGraphqlType = builder.objectRef<UsageSummary>('Usage').implement({
  description:
    'Number of calls of an API key per operation, field or route. Counted by day, retained for 90 days.',
  fields: outputFields(
    (t) =>
      ({
        kind: t.expose('kind', { type: UsageKindEnum, description: 'Kind of counted item.' }),
        name: ['String!', 'Name of the operation, field or route.'],
        client: ['String!', 'Id of the API key.'],
        keyName: ['String', 'Name of the API key; null once it is revoked.'],
        userId: ['ID', 'Id of the owner of the API key.'],
        userName: ['String', 'Current name of the owner; null once the account is deleted.'],
        calls: ['Float!', 'Number of calls.'],
        deprecationReason: t.string({
          nullable: true,
          description: 'Replacement of a deprecated field or argument; null if it is not deprecated.',
          resolve: ({ kind, name }, _args, _ctx, { schema }) =>
            kind === 'FIELD' ? findDeprecationReason(schema, name) : null,
        }),
        lastAt: ['Timestamp!', 'Time of the last call, with a precision of about ten seconds.'],
      }) satisfies Record<keyof UsageSummary | 'deprecationReason', OutputField>,
  ),
});
