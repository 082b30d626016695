/** PERF: shortcut for root fields whose only scope is `signedIn`, which skips the bookkeeping of Pothos' scope plugin. */
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../context.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/** Field extensions set by Pothos. */
interface PothosExtensions {
  pothosOptions?: { authScopes?: unknown; grantScopes?: unknown };
  pothosOriginalResolve?: Resolver;
}

export const requiresOnlySignIn = (field: GraphQLField<unknown, Context>): boolean => {
  const { authScopes, grantScopes } = (field.extensions as PothosExtensions).pothosOptions ?? {};
  return (
    isPlainObject(authScopes) &&
    authScopes.signedIn === true &&
    Object.keys(authScopes).length === 1 &&
    grantScopes === undefined
  );
};

/** Calls the unwrapped resolver for signed-in viewers, who pass the only scope; other viewers take the regular path and get its error. */
export function resolverWithFastScopeCheck(field: GraphQLField<unknown, Context>): Resolver | undefined {
  const { resolve } = field;
  const { pothosOriginalResolve: inner } = field.extensions as PothosExtensions;
  if (!resolve || !inner || !requiresOnlySignIn(field)) return resolve;
  return (root, args, ctx, info) =>
    ctx.viewer.user ? inner(root, args, ctx, info) : resolve(root, args, ctx, info);
}
