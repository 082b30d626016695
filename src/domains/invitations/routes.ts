/** REST routes of invitations. */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute, defineDeleteRoute, defineListRoute, definePostRoute } from '../../rest/route.ts';

const invitations = '/v1/businesses/:businessId/invitations';

export const routes = [
  definePostRoute(invitations, operations.InviteMemberDocument),
  defineListRoute(invitations, operations.ListInvitationsDocument),
  defineCustomRoute('POST', `${invitations}/:id/resend`, operations.ResendInvitationDocument),
  defineDeleteRoute(`${invitations}/:id`, operations.RevokeInvitationDocument),
  defineCustomRoute('POST', '/v1/invitations/accept', operations.AcceptInvitationDocument, {
    bodyFields: ['token'],
  }),
];
