/** REST routes below `/v1/users`, and of the members of a business. */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, putRoute } from '../../rest/route.ts';

const users = '/v1/users';
const members = '/v1/businesses/:businessId/members';

export const routes = [
  customRoute('POST', `${users}/register`, operations.RegisterDocument, { response: 'register' }),
  customRoute('PUT', `${users}/confirm`, operations.ConfirmEmailDocument, {
    bodyFields: ['token'],
    response: 'confirmEmail',
  }),
  customRoute('POST', `${users}/login`, operations.LoginDocument, { response: 'login.auth' }),
  customRoute('GET', `${users}/login/url`, operations.GetLoginUrlDocument, {
    query: ['provider', 'originUrl', 'redirectUrl'],
    response: { value: 'loginUrl', as: 'url' },
  }),
  customRoute('POST', `${users}/refresh`, operations.RefreshDocument, { response: 'refresh.auth' }),
  customRoute('POST', `${users}/refresh-access-token`, operations.RefreshDocument, {
    response: 'refresh.auth',
  }),
  customRoute('POST', `${users}/logout`, operations.LogoutDocument, { response: 'logout' }),
  getRoute(`${users}/me`, operations.GetMeDocument, { response: 'me' }),
  getRoute(`${users}/me/export`, operations.ExportMeDocument, { response: 'exportMe' }),
  customRoute('POST', `${users}/me/delete`, operations.DeleteMeDocument, {
    bodyFields: ['password'],
    response: 'deleteMe',
  }),
  listRoute(`${users}/me/sessions`, operations.ListSessionsDocument, { response: 'sessions' }),
  customRoute('DELETE', `${users}/me/sessions`, operations.RevokeAllSessionsDocument, {
    response: 'revokeAllSessions',
  }),
  deleteRoute(`${users}/me/sessions/:id`, operations.RevokeSessionDocument, { response: 'revokeSession' }),
  deleteRoute(`${users}/me/businesses/:businessId`, operations.LeaveBusinessDocument, {
    response: 'leaveBusiness',
  }),
  putRoute(`${users}/update`, operations.UpdateMeDocument, { response: 'updateMe.user' }),
  putRoute(users, operations.UpdateMeDocument, { response: 'updateMe.user' }),
  customRoute('POST', `${users}/phone-number`, operations.SendPhoneCodeDocument, {
    bodyFields: ['phoneNumber'],
    response: 'sendPhoneCode',
  }),
  customRoute('POST', `${users}/phone-number/confirm`, operations.ConfirmPhoneNumberDocument, {
    response: 'confirmPhoneNumber',
  }),
  customRoute('PUT', `${users}/confirm/phone-number`, operations.ConfirmPhoneNumberDocument, {
    response: 'confirmPhoneNumber',
  }),
  customRoute('POST', `${users}/forgot-password`, operations.ForgotPasswordDocument, {
    response: 'forgotPassword',
  }),
  customRoute('POST', `${users}/reset-forgot-password`, operations.ResetForgottenPasswordDocument, {
    response: 'resetForgottenPassword',
  }),
  customRoute('POST', `${users}/reset-password`, operations.ChangePasswordDocument, {
    response: 'changePassword',
  }),
  listRoute(`${users}/search`, operations.SearchUsersDocument, {
    query: ['query', 'businessId', 'roleIds'],
    response: 'users',
  }),
  customRoute('PUT', `${users}/set-role`, operations.SetRoleDocument, { response: { success: true } }),
  listRoute(members, operations.ListMembersDocument, { response: 'members' }),
  deleteRoute(`${members}/:userId`, operations.RemoveMemberDocument, { response: 'removeMember' }),
];
