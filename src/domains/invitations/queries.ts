/** GraphQL queries of invitations. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { listInvitations } from './list-invitations.ts';
import { listInvitationsSchema } from './schemas.ts';
import { InvitationConnection } from './types.ts';

builder.queryFields((t) => ({
  invitations: t.field({
    type: InvitationConnection,
    description: 'Invitations of a business, newest first. Needs ADMIN.',
    authScopes: permissionInBusinessScope('ADMIN'),
    complexity: estimateListCost,
    args: fieldArgs({ businessId: ['ID!', 'The business.'], ...pageArgs }),
    ...validatedField(listInvitationsSchema, listInvitations),
  }),
}));
