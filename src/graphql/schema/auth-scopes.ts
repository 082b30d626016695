/** The scopes a field may require of its viewer, and the errors for those who lack them. */
import { assertBusinessExists } from '../../auth/assert-business.ts';
import type { Permission } from '../../auth/permissions.ts';
import { allowsPermission } from '../../auth/permissions.ts';
import type { Context } from '../../context.ts';
import { forbiddenError, notFoundError, unauthenticatedError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';

export interface PermissionScope {
  /** Of several, any will do. */
  name: Permission | readonly Permission[];
  businessId: string;
  /** The kind of record that is addressed, such as `Product`: staff of other businesses get 404 instead of 403. */
  addressed?: string;
}

export interface AuthScopes {
  signedIn: boolean;
  /** For what is somebody's own: signed in, and not by an API key that is limited to some permissions. */
  account: boolean;
  /** The same, and not a guest. */
  confirmed: boolean;
  permission: PermissionScope;
  /** For everybody: all it needs is that there is such a business. */
  business: string;
  /** An account of somebody who is no guest, in a business that is there. */
  confirmedIn: string;
}

export const authScopes = (ctx: Context) => ({
  signedIn: ctx.viewer.user !== undefined,
  account: hasAccount(ctx),
  confirmed: isConfirmed(ctx),
  permission: async ({ name, businessId, addressed }: PermissionScope) => {
    if (!ctx.viewer.user) return false;
    const held = await ctx.viewer.permissionsByBusiness();
    if ([name].flat().some((one: Permission) => allowsPermission(held.get(businessId), one))) return true;
    const isStaffElsewhere = held.size > 0 && !held.has(businessId);
    if (addressed && (isStaffElsewhere || !isId(businessId))) throw notFoundError(addressed);
    await assertBusinessExists(ctx, businessId);
    return false;
  },
  business: async (id: string) => {
    await assertBusinessExists(ctx, id);
    return true;
  },
  confirmedIn: async (id: string) => {
    await assertBusinessExists(ctx, id);
    return isConfirmed(ctx);
  },
});

const isConfirmed = ({ viewer }: Context) => viewer.accountUser?.isGuest === false;

const hasAccount = ({ viewer }: Context) => viewer.accountUser !== undefined;

export const unauthorizedError = (_parent: unknown, ctx: Context) =>
  ctx.viewer.user ? forbiddenError() : unauthenticatedError();

/** Scopes of a root field that creates or lists in a business. */
export const permissionInBusiness =
  (name: PermissionScope['name']) => (_root: unknown, args: { businessId: string }) => ({
    permission: { name, businessId: args.businessId },
  });

/** Scopes of a root field that needs no account. */
export const existingBusiness = (_root: unknown, args: { businessId: string }) => ({
  business: args.businessId,
});

/** Scopes of a root field for what is the viewer's own, and with a permission for what is anybody's in the business. */
export const ownerOrPermission =
  (name: Permission, addressed?: string) =>
  (_root: unknown, { businessId }: { businessId: string }) => ({
    account: true,
    permission: { name, businessId, ...(addressed === undefined ? {} : { addressed }) },
  });

/** Scopes of a root field that addresses one record of a business. */
export const permissionOnRecord =
  (name: PermissionScope['name'], addressed: string) => (_root: unknown, args: { businessId: string }) => ({
    permission: { name, businessId: args.businessId, addressed },
  });
