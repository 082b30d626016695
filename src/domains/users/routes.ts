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
  defineCustomRoute('POST', `${users}/register`, operations.RegisterDocument, { response: 'register' }),
  defineCustomRoute('PUT', `${users}/confirm`, operations.ConfirmEmailDocument, {
    bodyFields: ['token'],
    response: 'confirmEmail',
  }),
  defineCustomRoute('POST', `${users}/resend-confirmation`, operations.ResendConfirmationDocument, {
    response: 'resendConfirmation',
  }),
  defineCustomRoute('POST', `${users}/login`, operations.LoginDocument, { response: 'login.auth' }),
  defineCustomRoute('GET', `${users}/login/url`, operations.GetLoginUrlDocument, {
    query: ['provider', 'originUrl', 'redirectUrl'],
    response: { value: 'loginUrl', as: 'url' },
  }),
  defineCustomRoute('POST', `${users}/refresh`, operations.RefreshDocument, { response: 'refresh.auth' }),
  defineCustomRoute('POST', `${users}/refresh-access-token`, operations.RefreshDocument, {
    response: 'refresh.auth',
  }),
  defineCustomRoute('POST', `${users}/logout`, operations.LogoutDocument, { response: 'logout' }),
  defineGetRoute(`${users}/me`, operations.GetMeDocument, { response: 'me' }),
  defineGetRoute(`${users}/me/export`, operations.ExportMeDocument, { response: 'exportMe' }),
  defineCustomRoute('POST', `${users}/me/delete`, operations.DeleteMeDocument, {
    bodyFields: ['password'],
    response: 'deleteMe',
  }),
  defineListRoute(`${users}/me/sessions`, operations.ListSessionsDocument, { response: 'sessions' }),
  defineCustomRoute('DELETE', `${users}/me/sessions`, operations.RevokeAllSessionsDocument, {
    response: 'revokeAllSessions',
  }),
  defineDeleteRoute(`${users}/me/sessions/:id`, operations.RevokeSessionDocument, {
    response: 'revokeSession',
  }),
  defineDeleteRoute(`${users}/me/businesses/:businessId`, operations.LeaveBusinessDocument, {
    response: 'leaveBusiness',
  }),
  definePutRoute(`${users}/update`, operations.UpdateMeDocument, { response: 'updateMe.user' }),
  defineCustomRoute('PATCH', `${users}/me`, operations.UpdateMeDocument, { response: 'updateMe.user' }),
  definePutRoute(users, operations.UpdateMeDocument, { response: 'updateMe.user' }),
  defineCustomRoute('POST', `${users}/phone-number`, operations.SendPhoneCodeDocument, {
    bodyFields: ['phoneNumber'],
    response: 'sendPhoneCode',
  }),
  defineCustomRoute('POST', `${users}/phone-number/confirm`, operations.ConfirmPhoneNumberDocument, {
    response: 'confirmPhoneNumber',
  }),
  defineCustomRoute('PUT', `${users}/confirm/phone-number`, operations.ConfirmPhoneNumberDocument, {
    response: 'confirmPhoneNumber',
  }),
  defineCustomRoute('POST', `${users}/forgot-password`, operations.ForgotPasswordDocument, {
    response: 'forgotPassword',
  }),
  defineCustomRoute('POST', `${users}/reset-forgot-password`, operations.ResetForgottenPasswordDocument, {
    response: 'resetForgottenPassword',
  }),
  defineCustomRoute('POST', `${users}/reset-password`, operations.ChangePasswordDocument, {
    response: 'changePassword',
  }),
  defineListRoute(`${users}/search`, operations.SearchUsersDocument, {
    query: ['query', 'businessId', 'roleIds'],
    response: 'users',
  }),
  defineCustomRoute('PUT', `${users}/set-role`, operations.SetRoleDocument, { response: { success: true } }),
  defineCustomRoute('PUT', `${members}/:userId/role`, operations.SetMemberRoleDocument, {
    bodyFields: ['roleId'],
    response: { success: true },
  }),
  defineListRoute(members, operations.ListMembersDocument, { response: 'members' }),
  defineDeleteRoute(`${members}/:userId`, operations.RemoveMemberDocument, { response: 'removeMember' }),
];
