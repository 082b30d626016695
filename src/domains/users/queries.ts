/** Queries about people. */
import { builder } from '../../graphql/builder.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness } from '../../graphql/scopes.ts';
import { parse } from '../../lib/input.ts';
import { PermissionEnum } from '../businesses/types.ts';
import { findMe } from './me.ts';
import { loginUrl } from './oauth.ts';
import { membersCheck, searchCheck } from './people-checks.ts';
import { listMembers, searchUsers } from './search-users.ts';
import { listRoleChanges } from './security-events.ts';
import { loginUrlCheck } from './sign-in-checks.ts';
import { MemberConnection, SecurityEventConnection, UserConnection, UserType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    me: t.field({
      type: UserType,
      description: 'The viewer’s own account.',
      authScopes: { signedIn: true },
      resolve: (_root, _args, ctx) => findMe(ctx),
    }),
    viewerCan: t.boolean({
      description: 'Whether the viewer holds a permission in a business.',
      authScopes: { signedIn: true },
      args: {
        permission: t.arg({ type: PermissionEnum, required: true, description: 'The permission.' }),
        businessId,
      },
      resolve: (_root, args, ctx) => ctx.viewer.can(args.permission, args.businessId),
    }),
    loginUrl: t.string({
      description: 'The address to send the browser to, to sign in with the identity provider.',
      args: {
        provider: t.arg.string({ description: 'OAUTH_IDP, or its configured name.' }),
        originUrl: t.arg.string({
          required: true,
          description: 'Where the sign-in begins; must be allowed.',
        }),
        redirectUrl: t.arg.string({
          required: true,
          description: 'Where the browser ends, with `code` or `error` in its query; must be allowed.',
        }),
      },
      resolve: (_root, args, ctx) => loginUrl(ctx, parse(ctx, loginUrlCheck(ctx.config), args)),
    }),
    users: t.field({
      type: UserConnection,
      description: 'Searches the people who work for a business or bought from it. Needs ADMIN.',
      authScopes: (_root, args) =>
        args.businessId ? { permission: { name: 'ADMIN', businessId: args.businessId } } : { signedIn: true },
      complexity: listCost,
      args: {
        businessId: t.arg.id({ description: 'The business; all that the viewer administers when absent.' }),
        query: t.arg.string({ description: 'Part of a name, email address or phone number.' }),
        roleIds: t.arg.stringList({ description: 'Only holders of one of these roles.' }),
        ...pageArgs,
      },
      resolve: (_root, args, ctx) => searchUsers(ctx, parse(ctx, searchCheck, args)),
    }),
    members: t.field({
      type: MemberConnection,
      description: 'The people who work for a business. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      resolve: (_root, args, ctx) => listMembers(ctx, parse(ctx, membersCheck, args)),
    }),
    roleChanges: t.field({
      type: SecurityEventConnection,
      description: 'Who got and lost roles in a business, newest first. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      resolve: (_root, args, ctx) => listRoleChanges(ctx, parse(ctx, membersCheck, args)),
    }),
  };
});
