/** Auth scopes that fields require of the viewer, and the errors for viewers who lack them. */
import { type AuthFailure, type AuthScopeFailure, AuthScopeFailureType } from '@pothos/plugin-scope-auth';
import { assertBusinessExists } from '../../auth/assert-business-exists.ts';
import { findPubliclyReadableBusinessId } from '../../auth/find-publicly-readable-business.ts';
import type { Permission } from '../../auth/permissions-and-default-roles.ts';
import { allowsPermission } from '../../auth/permissions-and-default-roles.ts';
import type { Context } from '../../context.ts';
import {
  type AppError,
  forbiddenError,
  missingPermissionError,
  notFoundError,
  unauthenticatedError,
} from '../../errors.ts';
import { isId } from '../../lib/ids.ts';

export interface PermissionScope {
  /** Any one of several permissions is sufficient. */
  name: Permission | readonly Permission[];
  businessId: string;
  /** Name of the addressed record type, such as `Product`: staff of other businesses get 404 instead of 403. */
  addressed?: string;
}

export interface AuthScopes {
  signedIn: boolean;
  /** Access to the viewer's own data: signed in, and not by an API key with limited permissions. */
  account: boolean;
  /** Like `account`, and not a guest. */
  confirmed: boolean;
  permission: PermissionScope;
  /** Open to every client; throws NOT_FOUND if the business does not exist. */
  business: string;
  /** Id or slug of a business: open to anonymous viewers while its `publicRead` is on. */
  publicRead: string;
  /** Like `confirmed`; throws NOT_FOUND if the business does not exist. */
  confirmedIn: string;
}

export const authScopes = (ctx: Context) => ({
  signedIn: ctx.viewer.user !== undefined,
  account: hasAccount(ctx),
  confirmed: isConfirmed(ctx),
  permission: async ({ name, businessId, addressed }: PermissionScope) => {
    if (!ctx.viewer.user) return false;
    const permissions = await ctx.viewer.permissionsByBusiness();
    const isAllowed = (permission: Permission) => allowsPermission(permissions.get(businessId), permission);
    if ([name].flat().some(isAllowed)) return true;
    const isStaffElsewhere = async () =>
      !permissions.has(businessId) && (permissions.size > 0 || ctx.viewer.hasRoleOnOtherServers());
    if (addressed && (!isId(businessId) || (await isStaffElsewhere()))) throw notFoundError(addressed);
    await assertBusinessExists(ctx, businessId);
    return false;
  },
  business: async (id: string) => {
    await assertBusinessExists(ctx, id);
    return true;
  },
  publicRead: async (businessIdOrSlug: string) => {
    const id = ctx.viewer.user ? undefined : await findPubliclyReadableBusinessId(ctx, businessIdOrSlug);
    if (id === undefined) return false;
    ctx.request.publicRead.businessIds.push(id);
    return true;
  },
  confirmedIn: async (id: string) => {
    await assertBusinessExists(ctx, id);
    return isConfirmed(ctx);
  },
});

const isConfirmed = ({ viewer }: Context) => viewer.accountUser?.isGuest === false;

const hasAccount = ({ viewer }: Context) => viewer.accountUser !== undefined;

/** Names what the viewer lacks: credentials, valid ones, an account of their own, or a permission. */
export function unauthorizedError({ viewer }: Context, failure: AuthFailure | null): AppError {
  if (!viewer.user)
    return unauthenticatedError(viewer.hasRejectedCredentials ? rejectedCredentials : undefined);
  const failures = failure ? flattenFailure(failure) : [];
  const permissions = failures.flatMap(({ scope, parameter }) =>
    scope === 'permission' ? [(parameter as PermissionScope).name].flat() : [],
  );
  if (permissions.length > 0) return missingPermissionError(...permissions);
  if (viewer.user.keyPermissions)
    return forbiddenError('A restricted API key has no access to this account.');
  if (viewer.user.isGuest) return forbiddenError('Guests cannot do this. Register an account, and sign in.');
  return forbiddenError();
}

const rejectedCredentials = 'The access token or API key is invalid, expired or revoked. Sign in again.';

const flattenFailure = (failure: AuthFailure): AuthScopeFailure[] => {
  if ('failures' in failure) return failure.failures.flatMap(flattenFailure);
  return failure.kind === AuthScopeFailureType.AuthScope ? [failure] : [];
};

/** Scopes of a root field that creates or lists records of a business. */
export const permissionInBusinessScope =
  (name: PermissionScope['name']) => (_root: unknown, args: { businessId: string }) => ({
    permission: { name, businessId: args.businessId },
  });

/** Scopes of a root field that is open to every client and requires an existing business. */
export const existingBusinessScope = (_root: unknown, args: { businessId: string }) => ({
  business: args.businessId,
});

/** Scopes of a root field that reads what the storefront of a business shows: signed in, or `publicRead` of the business. */
export const storefrontScope = (_root: unknown, args: { businessId: string }) => ({
  signedIn: true,
  publicRead: args.businessId,
});

/** Like `storefrontScope`, for the business itself. */
export const businessStorefrontScope = (_root: unknown, { id }: { id: string }) =>
  storefrontScope(_root, { businessId: id });

export const isStorefrontScope = (authScopes: unknown): boolean =>
  authScopes === storefrontScope || authScopes === businessStorefrontScope;

/** Scopes of a root field for the viewer's own records, or with the permission for all records of the business. */
export const ownerOrPermissionScope =
  (name: Permission, addressed?: string) =>
  (_root: unknown, { businessId }: { businessId: string }) => ({
    account: true,
    permission: { name, businessId, ...(addressed === undefined ? {} : { addressed }) },
  });

/** Scopes of a root field that reads or changes one record of a business. */
export const permissionOnRecordScope =
  (name: PermissionScope['name'], addressed: string) => (_root: unknown, args: { businessId: string }) => ({
    permission: { name, businessId: args.businessId, addressed },
  });
