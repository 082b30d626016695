/** `/v1/users`, and the members of a business. */
import * as operations from '../../generated/operations.ts';
import { act, get, list, remove, update } from '../../rest/row.ts';

const users = '/v1/users';
const members = '/v1/businesses/:businessId/members';

export const routes = [
  act('POST', `${users}/register`, operations.RegisterDocument, { answer: 'register' }),
  act('PUT', `${users}/confirm`, operations.ConfirmEmailDocument, {
    fields: ['token'],
    answer: 'confirmEmail',
  }),
  act('POST', `${users}/login`, operations.LoginDocument, { answer: 'login.auth' }),
  act('GET', `${users}/login/url`, operations.GetLoginUrlDocument, {
    query: ['provider', 'originUrl', 'redirectUrl'],
    answer: { value: 'loginUrl', as: 'url' },
  }),
  act('POST', `${users}/refresh`, operations.RefreshDocument, { answer: 'refresh.auth' }),
  act('POST', `${users}/refresh-access-token`, operations.RefreshDocument, { answer: 'refresh.auth' }),
  act('POST', `${users}/logout`, operations.LogoutDocument, { answer: 'logout' }),
  get(`${users}/me`, operations.GetMeDocument, { answer: 'me' }),
  get(`${users}/me/export`, operations.ExportMeDocument, { answer: 'exportMe' }),
  act('POST', `${users}/me/delete`, operations.DeleteMeDocument, {
    fields: ['password'],
    answer: 'deleteMe',
  }),
  list(`${users}/me/sessions`, operations.ListSessionsDocument, { answer: 'sessions' }),
  act('DELETE', `${users}/me/sessions`, operations.RevokeAllSessionsDocument, {
    answer: 'revokeAllSessions',
  }),
  remove(`${users}/me/sessions/:id`, operations.RevokeSessionDocument, { answer: 'revokeSession' }),
  remove(`${users}/me/businesses/:businessId`, operations.LeaveBusinessDocument, {
    answer: 'leaveBusiness',
  }),
  update(`${users}/update`, operations.UpdateMeDocument, { answer: 'updateMe.user' }),
  update(users, operations.UpdateMeDocument, { answer: 'updateMe.user' }),
  act('POST', `${users}/phone-number`, operations.SendPhoneCodeDocument, {
    fields: ['phoneNumber'],
    answer: 'sendPhoneCode',
  }),
  act('POST', `${users}/phone-number/confirm`, operations.ConfirmPhoneNumberDocument, {
    answer: 'confirmPhoneNumber',
  }),
  act('PUT', `${users}/confirm/phone-number`, operations.ConfirmPhoneNumberDocument, {
    answer: 'confirmPhoneNumber',
  }),
  act('POST', `${users}/forgot-password`, operations.ForgotPasswordDocument, { answer: 'forgotPassword' }),
  act('POST', `${users}/reset-forgot-password`, operations.ResetForgottenPasswordDocument, {
    answer: 'resetForgottenPassword',
  }),
  act('POST', `${users}/reset-password`, operations.ChangePasswordDocument, { answer: 'changePassword' }),
  list(`${users}/search`, operations.SearchUsersDocument, {
    query: ['query', 'businessId', 'roleIds'],
    answer: 'users',
  }),
  act('PUT', `${users}/set-role`, operations.SetRoleDocument, { answer: { success: true } }),
  list(members, operations.ListMembersDocument, { answer: 'members' }),
  remove(`${members}/:userId`, operations.RemoveMemberDocument, { answer: 'removeMember' }),
];
