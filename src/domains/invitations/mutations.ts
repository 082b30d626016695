/** GraphQL mutations of invitations. All except `acceptInvitation` need ADMIN. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { InviteMemberInput } from './inputs.ts';
import { inviteMember, resendInvitation, revokeInvitation } from './invite-resend-and-revoke.ts';
import { acceptInvitationSchema, inviteMemberSchema } from './schemas.ts';
import { InvitationPayload } from './types.ts';

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the invitation.' });
  return {
    inviteMember: t.field({
      type: InvitationPayload,
      description:
        'Invites a person by mail to become a member of a business. A pending invitation of the same address is sent again, with the new role and a new link; the old link stops working. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { businessId, ...inputArg(InviteMemberInput, 'Address and role.') },
      ...validatedField(inviteMemberSchema, asPayload('invitation', inviteMember)),
    }),
    resendInvitation: t.field({
      type: InvitationPayload,
      description:
        'Sends a pending or expired invitation again, with a new link that is valid for seven days. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Invitation'),
      args: { businessId, id },
      resolve: async (_root, args, ctx) => ({ invitation: await resendInvitation(ctx, args) }),
    }),
    revokeInvitation: t.field({
      type: DeletedPayload,
      description: 'Withdraws a pending or expired invitation. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Invitation'),
      args: { businessId, id },
      resolve: (_root, args, ctx) => revokeInvitation(ctx, args),
    }),
    acceptInvitation: t.field({
      type: InvitationPayload,
      description:
        'Accepts an invitation with the token of the mailed link: the viewer gets its role. The email address of the viewer must be the invited one.',
      authScopes: { confirmed: true },
      args: fieldArgs({ token: ['String!', 'Token from the query of the link.'] }),
      ...validatedField(acceptInvitationSchema, asPayload('invitation', acceptInvitation)),
    }),
  };
});
