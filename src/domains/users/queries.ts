/** GraphQL queries of accounts, sessions, members and security events. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { PermissionEnum } from '../businesses/types.ts';
import { PersonalDataGraphqlType } from '../shared/personal-data/personal-data-graphql-type.ts';
import { exportMe } from './privacy/export-me.ts';
import './privacy/export-me-graphql-types.ts';
import { requireOwnAccount } from './account/load-own-account.ts';
import { listBusinessStaffSchema, paginationOnlyArgsSchema, searchUsersSchema } from './people/schemas.ts';
import { listBusinessMembers, searchUsers } from './people/search-users.ts';
import { listRoleChanges } from './security-events/security-events.ts';
import { SecurityEventConnection } from './security-events/types.ts';
import { listOwnSessions } from './sign-in/own-sessions.ts';
import { buildLoginUrlSchema } from './sign-in/schemas.ts';
import { createOAuthLoginUrl } from './sign-in/sign-in-with-oauth.ts';
import { SessionConnection } from './sign-in/types.ts';
import { BusinessMemberConnection, UserConnection, UserGraphqlType } from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    me: t.field({
      type: UserGraphqlType,
      description: 'The viewer’s own account.',
      authScopes: { account: true },
      resolve: (_root, _args, ctx) => requireOwnAccount(ctx),
    }),
    exportMe: t.field({
      type: PersonalDataGraphqlType,
      description: 'Personal data of the viewer in all domains. At most ten exports per hour.',
      authScopes: { account: true },
      complexity: { field: 100, multiplier: 1 },
      resolve: (_root, _args, ctx) => exportMe(ctx),
    }),
    sessions: t.field({
      type: SessionConnection,
      description: 'Open sessions of the viewer, newest first.',
      authScopes: { account: true },
      complexity: estimateListCost,
      args: pageArgs,
      ...validatedField(paginationOnlyArgsSchema, listOwnSessions),
    }),
    viewerCan: t.boolean({
      description: 'Whether the viewer holds a permission in a business.',
      authScopes: { signedIn: true },
      args: {
        permission: t.arg({
          type: PermissionEnum,
          required: true,
          description: 'The permission; ADMIN includes all others.',
        }),
        businessId,
      },
      resolve: (_root, args, ctx) => ctx.viewer.hasPermission(args.permission, args.businessId),
    }),
    loginUrl: t.string({
      description: 'Authorization URL of the identity provider. Redirect the browser to it.',
      args: fieldArgs({
        provider: ['String', 'OAUTH_IDP, or its configured name (OIDC_NAME).'],
        originUrl: ['String!', 'Origin at which the sign-in starts; must be on the allow list.'],
        redirectUrl: [
          'String!',
          'URL that the browser returns to, with `code` or `error` in its query; must be on the allow list.',
        ],
      }),
      ...validatedField(
        (ctx) => buildLoginUrlSchema(ctx.config),
        (ctx, args) => createOAuthLoginUrl(ctx, args),
      ),
    }),
    users: t.field({
      type: UserConnection,
      description: 'Searches staff and customers of a business. Needs ADMIN.',
      authScopes: (_root, args) =>
        args.businessId ? { permission: { name: 'ADMIN', businessId: args.businessId } } : { signedIn: true },
      complexity: estimateListCost,
      args: fieldArgs({
        businessId: ['ID', 'The business. Default: all businesses in which the viewer has ADMIN.'],
        query: ['String', 'Part of a name, email address or phone number.'],
        search: ['String', 'Part of a name, email address or phone number.'],
        roleIds: ['[String!]', 'Only users with one of these roles.'],
        ...pageArgs,
      }),
      ...validatedField(searchUsersSchema, searchUsers),
    }),
    members: t.field({
      type: BusinessMemberConnection,
      description: 'Staff of a business with their roles. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: estimateListCost,
      args: { businessId, ...pageArgs },
      ...validatedField(listBusinessStaffSchema, listBusinessMembers),
    }),
    roleChanges: t.field({
      type: SecurityEventConnection,
      description: 'Role assignments and removals in a business, newest first. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: estimateListCost,
      args: { businessId, ...pageArgs },
      ...validatedField(listBusinessStaffSchema, listRoleChanges),
    }),
  };
});
