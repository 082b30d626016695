/** Queries about people. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness } from '../../graphql/scopes.ts';
import { PermissionEnum } from '../businesses/types.ts';
import { PersonalDataType } from '../shared/personal-data.ts';
import { exportMe } from './export-me.ts';
import './personal-data.ts';
import { findMe } from './me.ts';
import { loginUrl } from './oauth.ts';
import { listSessions } from './own-sessions.ts';
import { membersCheck, ownPageCheck, searchCheck } from './people-checks.ts';
import { listMembers, searchUsers } from './search-users.ts';
import { SecurityEventConnection } from './security-event-types.ts';
import { listRoleChanges } from './security-events.ts';
import { SessionConnection } from './session-types.ts';
import { loginUrlCheck } from './sign-in-checks.ts';
import { MemberConnection, UserConnection, UserType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    me: t.field({
      type: UserType,
      description: 'The viewer’s own account.',
      authScopes: { account: true },
      resolve: (_root, _args, ctx) => findMe(ctx),
    }),
    exportMe: t.field({
      type: PersonalDataType,
      description:
        'All that is kept about the viewer, as far as it concerns them. At most ten times an hour.',
      authScopes: { account: true },
      complexity: { field: 100, multiplier: 1 },
      resolve: (_root, _args, ctx) => exportMe(ctx),
    }),
    sessions: t.field({
      type: SessionConnection,
      description: 'Where the viewer is signed in, newest first.',
      authScopes: { account: true },
      complexity: listCost,
      args: pageArgs,
      ...checked(ownPageCheck, (args, ctx) => listSessions(ctx, args)),
    }),
    viewerCan: t.boolean({
      description: 'Whether the viewer holds a permission in a business.',
      authScopes: { signedIn: true },
      args: {
        permission: t.arg({
          type: PermissionEnum,
          required: true,
          description: 'What they may do, by their role or as ADMIN.',
        }),
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
      ...checked(
        (ctx) => loginUrlCheck(ctx.config),
        (args, ctx) => loginUrl(ctx, args),
      ),
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
      ...checked(searchCheck, (args, ctx) => searchUsers(ctx, args)),
    }),
    members: t.field({
      type: MemberConnection,
      description: 'The people who work for a business. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      ...checked(membersCheck, (args, ctx) => listMembers(ctx, args)),
    }),
    roleChanges: t.field({
      type: SecurityEventConnection,
      description: 'Who got and lost roles in a business, newest first. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      ...checked(membersCheck, (args, ctx) => listRoleChanges(ctx, args)),
    }),
  };
});
