/** Pothos schema builder with plugins, scalars and defaults; domains add their types to it. */
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import PrismaPlugin from '@pothos/plugin-prisma';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Context } from '../../context.ts';
import type PrismaTypes from '../../generated/pothos.ts';
import { getDatamodel } from '../../generated/pothos.ts';
import { type AuthScopes, authScopes, unauthorizedError } from './auth-scopes.ts';
import { resolverInputsPluginName } from './pure-field-plugin.ts';
import { dateTimeScalar, jsonScalar, moneyScalar, timestampScalar } from './scalars.ts';

export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  AuthScopes: AuthScopes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    Timestamp: { Input: number; Output: number | bigint };
    DateTime: { Input: string; Output: number | bigint };
    Money: { Input: number; Output: number | bigint };
    JSON: { Input: unknown; Output: unknown };
    _Any: { Input: unknown; Output: unknown };
  };
}>({
  // The first plugin is the outermost: authorisation runs before everything else.
  plugins: [ScopeAuthPlugin, DataloaderPlugin, PrismaPlugin, ComplexityPlugin, resolverInputsPluginName],
  defaultFieldNullability: false,
  // Scopes are checked when a subscription starts; execute/subscribe-to-changes.ts authenticates again before every event.
  scopeAuth: {
    authScopes,
    unauthorizedError: (_parent, ctx, _info, { failure }) => unauthorizedError(ctx, failure),
    authorizeOnSubscribe: true,
  },
  prisma: { client: (ctx) => ctx.db.prisma, dmmf: getDatamodel(), exposeDescriptions: false },
  // Disabled: limits/query-cost.ts computes the cost once per document and set of page sizes, not per request.
  complexity: { disabled: true },
});

builder.queryType({ description: 'Read operations.' });
builder.mutationType({ description: 'Write operations.' });
builder.subscriptionType({
  description: 'Live updates over server-sent events. An event may be delivered more than once.',
});

for (const { name, ...scalar } of [timestampScalar, moneyScalar]) {
  builder.scalarType(name as 'Timestamp' | 'Money', scalar);
}
const { name: dateTimeName, ...dateTime } = dateTimeScalar;
builder.scalarType(dateTimeName as 'DateTime', dateTime as never);
const { name: jsonName, ...json } = jsonScalar;
builder.scalarType(jsonName as 'JSON', json);
