/** REST routes of invitations. */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute, defineDeleteRoute, defineListRoute, definePostRoute } from '../../rest/route.ts';

const invitations = '/v1/businesses/:businessId/invitations';

export const routes = [
  definePostRoute(invitations, operations.InviteMemberDocument, { response: 'inviteMember.invitation' }),
  defineListRoute(invitations, operations.ListInvitationsDocument, { response: 'invitations' }),
  defineCustomRoute('POST', `${invitations}/:id/resend`, operations.ResendInvitationDocument, {
    response: 'resendInvitation.invitation',
  }),
  defineDeleteRoute(`${invitations}/:id`, operations.RevokeInvitationDocument, {
    response: 'revokeInvitation',
  }),
  defineCustomRoute('POST', '/v1/invitations/accept', operations.AcceptInvitationDocument, {
    bodyFields: ['token'],
    response: 'acceptInvitation.invitation',
  }),
];
