/** REST routes below `/v1/users`, and of the members of a business. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePutRoute,
} from '../../rest/route.ts';

const users = '/v1/users';
const members = '/v1/businesses/:businessId/members';

export const routes = [
  defineCustomRoute('POST', `${users}/register`, operations.RegisterDocument),
  defineCustomRoute('PUT', `${users}/confirm`, operations.ConfirmEmailDocument, { bodyFields: ['token'] }),
  defineCustomRoute('POST', `${users}/resend-confirmation`, operations.ResendConfirmationDocument),
  defineCustomRoute('POST', `${users}/login`, operations.LoginDocument),
  defineCustomRoute('GET', `${users}/login/url`, operations.GetLoginUrlDocument, {
    query: ['provider', 'originUrl', 'redirectUrl'],
    response: { value: 'loginUrl', as: 'url' },
  }),
  defineCustomRoute('POST', `${users}/refresh`, operations.RefreshDocument),
  defineCustomRoute('POST', `${users}/refresh-access-token`, operations.RefreshDocument),
  defineCustomRoute('POST', `${users}/logout`, operations.LogoutDocument),
  defineGetRoute(`${users}/me`, operations.GetMeDocument),
  defineGetRoute(`${users}/me/export`, operations.ExportMeDocument),
  defineCustomRoute('POST', `${users}/me/delete`, operations.DeleteMeDocument, { bodyFields: ['password'] }),
  defineListRoute(`${users}/me/sessions`, operations.ListSessionsDocument),
  defineCustomRoute('DELETE', `${users}/me/sessions`, operations.RevokeAllSessionsDocument),
  defineDeleteRoute(`${users}/me/sessions/:id`, operations.RevokeSessionDocument),
  defineDeleteRoute(`${users}/me/businesses/:businessId`, operations.LeaveBusinessDocument),
  definePutRoute(`${users}/update`, operations.UpdateMeDocument),
  defineCustomRoute('PATCH', `${users}/me`, operations.UpdateMeDocument),
  definePutRoute(users, operations.UpdateMeDocument),
  defineCustomRoute('POST', `${users}/phone-number`, operations.SendPhoneCodeDocument, {
    bodyFields: ['phoneNumber'],
  }),
  defineCustomRoute('POST', `${users}/phone-number/confirm`, operations.ConfirmPhoneNumberDocument),
  defineCustomRoute('PUT', `${users}/confirm/phone-number`, operations.ConfirmPhoneNumberDocument),
  defineCustomRoute('POST', `${users}/forgot-password`, operations.ForgotPasswordDocument),
  defineCustomRoute('POST', `${users}/reset-forgot-password`, operations.ResetForgottenPasswordDocument),
  defineCustomRoute('POST', `${users}/reset-password`, operations.ChangePasswordDocument),
  defineListRoute(`${users}/search`, operations.SearchUsersDocument, {
    query: ['query', 'businessId', 'roleIds'],
  }),
  defineCustomRoute('PUT', `${users}/set-role`, operations.SetRoleDocument, { response: { success: true } }),
  defineCustomRoute('PUT', `${members}/:userId/role`, operations.SetMemberRoleDocument, {
    bodyFields: ['roleId'],
    response: { success: true },
  }),
  defineListRoute(members, operations.ListMembersDocument),
  defineDeleteRoute(`${members}/:userId`, operations.RemoveMemberDocument),
];
