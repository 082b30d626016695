/** `/v1/users`, and the members of a business. */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, putRoute } from '../../rest/route.ts';

const users = '/v1/users';
const members = '/v1/businesses/:businessId/members';

export const routes = [
  customRoute('POST', `${users}/register`, operations.RegisterDocument, { answer: 'register' }),
  customRoute('PUT', `${users}/confirm`, operations.ConfirmEmailDocument, {
    fields: ['token'],
    answer: 'confirmEmail',
  }),
  customRoute('POST', `${users}/login`, operations.LoginDocument, { answer: 'login.auth' }),
  customRoute('GET', `${users}/login/url`, operations.GetLoginUrlDocument, {
    query: ['provider', 'originUrl', 'redirectUrl'],
    answer: { value: 'loginUrl', as: 'url' },
  }),
  customRoute('POST', `${users}/refresh`, operations.RefreshDocument, { answer: 'refresh.auth' }),
  customRoute('POST', `${users}/refresh-access-token`, operations.RefreshDocument, {
    answer: 'refresh.auth',
  }),
  customRoute('POST', `${users}/logout`, operations.LogoutDocument, { answer: 'logout' }),
  getRoute(`${users}/me`, operations.GetMeDocument, { answer: 'me' }),
  getRoute(`${users}/me/export`, operations.ExportMeDocument, { answer: 'exportMe' }),
  customRoute('POST', `${users}/me/delete`, operations.DeleteMeDocument, {
    fields: ['password'],
    answer: 'deleteMe',
  }),
  listRoute(`${users}/me/sessions`, operations.ListSessionsDocument, { answer: 'sessions' }),
  customRoute('DELETE', `${users}/me/sessions`, operations.RevokeAllSessionsDocument, {
    answer: 'revokeAllSessions',
  }),
  deleteRoute(`${users}/me/sessions/:id`, operations.RevokeSessionDocument, { answer: 'revokeSession' }),
  deleteRoute(`${users}/me/businesses/:businessId`, operations.LeaveBusinessDocument, {
    answer: 'leaveBusiness',
  }),
  putRoute(`${users}/update`, operations.UpdateMeDocument, { answer: 'updateMe.user' }),
  putRoute(users, operations.UpdateMeDocument, { answer: 'updateMe.user' }),
  customRoute('POST', `${users}/phone-number`, operations.SendPhoneCodeDocument, {
    fields: ['phoneNumber'],
    answer: 'sendPhoneCode',
  }),
  customRoute('POST', `${users}/phone-number/confirm`, operations.ConfirmPhoneNumberDocument, {
    answer: 'confirmPhoneNumber',
  }),
  customRoute('PUT', `${users}/confirm/phone-number`, operations.ConfirmPhoneNumberDocument, {
    answer: 'confirmPhoneNumber',
  }),
  customRoute('POST', `${users}/forgot-password`, operations.ForgotPasswordDocument, {
    answer: 'forgotPassword',
  }),
  customRoute('POST', `${users}/reset-forgot-password`, operations.ResetForgottenPasswordDocument, {
    answer: 'resetForgottenPassword',
  }),
  customRoute('POST', `${users}/reset-password`, operations.ChangePasswordDocument, {
    answer: 'changePassword',
  }),
  listRoute(`${users}/search`, operations.SearchUsersDocument, {
    query: ['query', 'businessId', 'roleIds'],
    answer: 'users',
  }),
  customRoute('PUT', `${users}/set-role`, operations.SetRoleDocument, { answer: { success: true } }),
  listRoute(members, operations.ListMembersDocument, { answer: 'members' }),
  deleteRoute(`${members}/:userId`, operations.RemoveMemberDocument, { answer: 'removeMember' }),
];
