/** `/v1/users`, and the members of a business. */
import * as operations from '../../generated/operations.ts';
import { list, pageVariables, paging, row } from '../row.ts';

const users = '/v1/users';
const members = '/v1/businesses/:businessId/members';

const update = (path: string) =>
  row('PUT', path, operations.UpdateMeDocument, {
    variables: ({ body, version }) => ({ input: body, version }),
    body: (data) => data.updateMe.user,
  });

const refresh = (path: string) =>
  row('POST', path, operations.RefreshDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.refresh.auth,
  });

export const userRows = [
  row('POST', `${users}/register`, operations.RegisterDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.register,
  }),
  row('PUT', `${users}/confirm`, operations.ConfirmEmailDocument, {
    variables: ({ body }) => ({ token: body.token }),
    body: (data) => data.confirmEmail,
  }),
  row('POST', `${users}/login`, operations.LoginDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.login.auth,
  }),
  row('GET', `${users}/login/url`, operations.GetLoginUrlDocument, {
    query: { provider: 'string', originUrl: 'string', redirectUrl: 'string' },
    variables: ({ query }) => query,
    body: (data) => ({ url: data.loginUrl }),
  }),
  refresh(`${users}/refresh`),
  refresh(`${users}/refresh-access-token`),
  row('POST', `${users}/logout`, operations.LogoutDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.logout,
  }),
  row('GET', `${users}/me`, operations.GetMeDocument, {
    variables: () => ({}),
    body: (data) => data.me,
  }),
  update(`${users}/update`),
  update(users),
  row('POST', `${users}/phone-number`, operations.SendPhoneCodeDocument, {
    variables: ({ body }) => ({ phoneNumber: body.phoneNumber }),
    body: (data) => data.sendPhoneCode,
  }),
  row('POST', `${users}/phone-number/confirm`, operations.ConfirmPhoneNumberDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.confirmPhoneNumber,
  }),
  row('POST', `${users}/forgot-password`, operations.ForgotPasswordDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.forgotPassword,
  }),
  row('POST', `${users}/reset-forgot-password`, operations.ResetForgottenPasswordDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.resetForgottenPassword,
  }),
  row('POST', `${users}/reset-password`, operations.ChangePasswordDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.changePassword,
  }),
  row('GET', `${users}/search`, operations.SearchUsersDocument, {
    query: { ...paging, query: 'string', businessId: 'string', roleIds: 'strings' },
    variables: (request) => {
      const { query, businessId, roleIds } = request.query;
      return { query, businessId, roleIds, ...pageVariables(request) };
    },
    body: (data) => list(data.users),
  }),
  row('PUT', `${users}/set-role`, operations.SetRoleDocument, {
    variables: ({ body }) => ({ input: body }),
    body: () => ({ success: true }),
  }),
  row('GET', members, operations.ListMembersDocument, {
    query: paging,
    variables: (request) => ({ ...request.path, ...pageVariables(request) }),
    body: (data) => list(data.members),
  }),
  row('DELETE', `${members}/:userId`, operations.RemoveMemberDocument, {
    variables: ({ path }) => path,
    body: (data) => data.removeMember,
  }),
];
