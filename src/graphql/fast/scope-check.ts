/** Root fields that ask for nothing but somebody who is signed in, without the books that other checks of scopes are kept in. */
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../context.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/** What Pothos tells of a field. */
interface Told {
  pothosOptions?: { authScopes?: unknown; grantScopes?: unknown };
  pothosOriginalResolve?: Resolver;
}

export const requiresOnlySignIn = (field: GraphQLField<unknown, Context>): boolean => {
  const { authScopes, grantScopes } = (field.extensions as Told).pothosOptions ?? {};
  return (
    isPlainObject(authScopes) &&
    authScopes.signedIn === true &&
    Object.keys(authScopes).length === 1 &&
    grantScopes === undefined
  );
};

/** The same as its resolver: who is signed in passes all there is to check, and everybody else is refused where all are. */
export function resolverWithFastScopeCheck(field: GraphQLField<unknown, Context>): Resolver | undefined {
  const { resolve } = field;
  const { pothosOriginalResolve: inner } = field.extensions as Told;
  if (!resolve || !inner || !requiresOnlySignIn(field)) return resolve;
  return (root, args, ctx, info) =>
    ctx.viewer.user ? inner(root, args, ctx, info) : resolve(root, args, ctx, info);
}
