/** The Pothos builder: plugins, scalars, defaults. Domains import it and add their types. */
import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import PrismaPlugin from '@pothos/plugin-prisma';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Context } from '../../context.ts';
import type PrismaTypes from '../../generated/pothos.ts';
import { getDatamodel } from '../../generated/pothos.ts';
import { type AuthScopes, authScopes, unauthorizedError } from './auth-scopes.ts';
import { jsonScalar, moneyScalar, timestampScalar } from './scalars.ts';

export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  AuthScopes: AuthScopes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    Timestamp: { Input: number; Output: number | bigint };
    Money: { Input: number; Output: number | bigint };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  // The first plugin is the outermost: nothing runs before authorisation.
  plugins: [ScopeAuthPlugin, DataloaderPlugin, PrismaPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  // Scopes are checked when a subscription begins; live-events.ts checks again before every event.
  scopeAuth: { authScopes, unauthorizedError, authorizeOnSubscribe: true },
  prisma: { client: (ctx) => ctx.db.prisma, dmmf: getDatamodel(), exposeDescriptions: false },
  // Not per request: the executor reckons the cost itself, see cost.ts.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 3 },
});

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({ description: 'Everything that can be changed.' });
builder.subscriptionType({
  // The name Subscription belongs to subscriptions of newsletters.
  name: 'LiveUpdates',
  description:
    'Everything that can be watched, over server-sent events. A change may be told more than once.',
});

for (const { name, ...scalar } of [timestampScalar, moneyScalar]) {
  builder.scalarType(name as 'Timestamp' | 'Money', scalar);
}
const { name: jsonName, ...json } = jsonScalar;
builder.scalarType(jsonName as 'JSON', json);
