/** The three questions a field may ask of its viewer, and what a "no" sounds like. */
import type { Permission } from '../auth/permissions.ts';
import { allows } from '../auth/permissions.ts';
import type { Context } from '../context.ts';
import { forbidden, notFound, unauthenticated } from '../errors.ts';
import { isId } from '../lib/ids.ts';

export interface PermissionScope {
  name: Permission;
  businessId: string;
  /** What is addressed, when it is one record: staff of another business is told that it does not exist. */
  addressed?: string;
}

export interface AuthScopes {
  signedIn: boolean;
  confirmed: boolean;
  permission: PermissionScope;
}

export const authScopes = (ctx: Context) => ({
  signedIn: ctx.viewer.user !== undefined,
  confirmed: ctx.viewer.user !== undefined && !ctx.viewer.user.isGuest,
  permission: async ({ name, businessId, addressed }: PermissionScope) => {
    if (!ctx.viewer.user) return false;
    const held = await ctx.viewer.held();
    if (allows(held.get(businessId), name)) return true;
    const isStaffElsewhere = held.size > 0 && !held.has(businessId);
    if (addressed && (isStaffElsewhere || !isId(businessId))) throw notFound(addressed);
    return false;
  },
});

export const unauthorizedError = (_parent: unknown, ctx: Context) =>
  ctx.viewer.user ? forbidden() : unauthenticated();

/** Scopes of a root field that creates or lists in a business. */
export const inBusiness = (name: Permission) => (_root: unknown, args: { businessId: string }) => ({
  permission: { name, businessId: args.businessId },
});

/** Scopes of a root field that addresses one record of a business. */
export const onRecord =
  (name: Permission, addressed: string) => (_root: unknown, args: { businessId: string }) => ({
    permission: { name, businessId: args.businessId, addressed },
  });
