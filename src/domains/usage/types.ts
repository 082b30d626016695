/** GraphQL types of API usage. */
import { builder } from '../../graphql/schema/builder.ts';
import type { UsageKind } from '../../ports/usage.ts';
import { findDeprecationReason } from './deprecation-reasons.ts';
import type { UsageSummary } from './read-api-usage.ts';

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
  fields: (t) =>
    ({
      kind: t.expose('kind', { type: UsageKindEnum, description: 'Kind of counted item.' }),
      name: t.exposeString('name', { description: 'Name of the operation, field or route.' }),
      client: t.exposeString('client', { description: 'Id of the API key.' }),
      keyName: t.exposeString('keyName', {
        nullable: true,
        description: 'Name of the API key; null once it is revoked.',
      }),
      userId: t.exposeID('userId', { nullable: true, description: 'Id of the owner of the API key.' }),
      userName: t.exposeString('userName', {
        nullable: true,
        description: 'Current name of the owner; null once the account is deleted.',
      }),
      calls: t.expose('calls', { type: 'Float', description: 'Number of calls.' }),
      deprecationReason: t.string({
        nullable: true,
        description: 'Replacement of a deprecated field or argument; null if it is not deprecated.',
        resolve: ({ kind, name }, _args, _ctx, { schema }) =>
          kind === 'FIELD' ? findDeprecationReason(schema, name) : null,
      }),
      lastAt: t.expose('lastAt', {
        type: 'Timestamp',
        description: 'Time of the last call, with a precision of about ten seconds.',
      }),
    }) satisfies Record<keyof UsageSummary | 'deprecationReason', unknown>,
});
