/** PERF: shortcut for root fields that every signed-in viewer may read, which skips the bookkeeping of Pothos' scope plugin. */
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../context.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { pothosFieldOptions } from '../../vendor/pothos/field-extensions.ts';
import { storefrontScope } from '../schema/auth-scopes.ts';
import { rootResolverOf } from '../schema/resolver-inputs.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;

export const isOpenToSignedIn = (field: GraphQLField<unknown, Context>): boolean => {
  const { authScopes, grantScopes } = pothosFieldOptions(field) ?? {};
  if (grantScopes !== undefined) return false;
  if (authScopes === storefrontScope) return true;
  return isPlainObject(authScopes) && authScopes.signedIn === true && Object.keys(authScopes).length === 1;
};

/** Calls the unwrapped resolver for signed-in viewers, who pass the scope; other viewers take the regular path and get its error. */
export function resolverWithFastScopeCheck(field: GraphQLField<unknown, Context>): Resolver | undefined {
  const { resolve } = field;
  const inner = rootResolverOf(field);
  if (!resolve || !inner || !isOpenToSignedIn(field)) return resolve;
  return (root, args, ctx, info) =>
    ctx.viewer.user ? inner(root, args, ctx) : resolve(root, args, ctx, info);
}
