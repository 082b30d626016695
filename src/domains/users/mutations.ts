/** GraphQL mutations of accounts, sessions and roles. */
import type { Context } from '../../context.ts';
import { permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion, errorsAsData } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { parsedArgsField, validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findBusinessIdOfRole } from '../businesses/staff/manage-memberships.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { confirmEmail, registerUser, resendConfirmation } from './account/register-and-confirm-email.ts';
import { updateMe } from './account/update-me.ts';
import { parseUpdateMeInput } from './account/update-me-schema.ts';
import { confirmPhoneNumber, sendPhoneCode } from './account/verify-phone-numbers.ts';
import {
  ChangePasswordInput,
  ConfirmPhoneNumberInput,
  ForgotPasswordInput,
  LoginByInput,
  LoginInput,
  LogoutInput,
  RefreshInput,
  RegisterInput,
  ResendConfirmationInput,
  ResetForgottenPasswordInput,
  SetRoleInput,
  UpdateMeInput,
} from './inputs.ts';
import { changePassword, forgotPassword, resetForgottenPassword } from './passwords/reset-and-change.ts';
import { leaveBusiness, removeBusinessMember, setRole } from './people/assign-and-remove-roles.ts';
import { setRoleSchema } from './people/schemas.ts';
import { deleteMe } from './privacy/delete-me.ts';
import {
  buildMailedLinkSchema,
  buildRegisterSchema,
  changePasswordSchema,
  confirmPhoneNumberSchema,
  deleteMeSchema,
  oneTimeTokenSchema,
  resetForgottenPasswordSchema,
  sendPhoneCodeSchema,
} from './schemas.ts';
import { login } from './sign-in/login.ts';
import { revokeAllOwnSessions, revokeOwnSession } from './sign-in/own-sessions.ts';
import { refreshSession } from './sign-in/refresh-session.ts';
import {
  buildLogoutSchema,
  parseLoginInput,
  refreshSessionSchema,
  tryLoginSchema,
} from './sign-in/schemas.ts';
import { signOut } from './sign-in/sessions.ts';
import { AuthPayload } from './sign-in/types.ts';
import { SuccessPayload, UserPayload } from './types.ts';

const successOf = async (work: Promise<void>): Promise<{ success: true }> => {
  await work;
  return { success: true };
};

/** FORBIDDEN when the named business is not administered by the viewer; NOT_FOUND when the role belongs to such a business. */
async function setRoleScopes(
  _root: unknown,
  { input }: { input?: { roleId?: string; businessId?: string | null | undefined } },
  ctx: Context,
) {
  const { businessId, roleId } = input ?? {};
  if (businessId) return { permission: { name: 'ADMIN' as const, businessId } };
  const ownerId = ctx.viewer.user && roleId ? await findBusinessIdOfRole(ctx, roleId) : undefined;
  return { permission: { name: 'ADMIN' as const, businessId: ownerId ?? '', addressed: 'Role' } };
}

const registerField = validatedField(
  (ctx) => buildRegisterSchema(ctx.config),
  (ctx, args) => successOf(registerUser(ctx, args.input)),
);

builder.mutationFields((t) => ({
  register: t.field({
    type: SuccessPayload,
    description: 'Creates an account and sends a mail with a link to confirm the address.',
    args: { ...inputArg(RegisterInput, 'Data of the account.') },
    ...registerField,
  }),
  tryRegister: t.field({
    type: createResultUnion('RegisterOutcome', SuccessPayload),
    description:
      'Like `register`, but returns expected failures, such as a weak password, as data instead of errors.',
    args: { ...inputArg(RegisterInput, 'Data of the account.') },
    ...errorsAsData(registerField),
  }),
  confirmEmail: t.field({
    type: SuccessPayload,
    description: 'Confirms an email address with the token of the mailed link.',
    args: fieldArgs({ token: ['String!', 'Token from the query of the link.'] }),
    ...validatedField(oneTimeTokenSchema, (ctx, args) => successOf(confirmEmail(ctx, args))),
  }),
  resendConfirmation: t.field({
    type: SuccessPayload,
    description:
      'Sends the link that confirms the email address again. The response is the same for unknown and confirmed addresses.',
    args: { ...inputArg(ResendConfirmationInput, 'The account.') },
    ...validatedField(
      (ctx) => buildMailedLinkSchema(ctx.config),
      (ctx, args) => successOf(resendConfirmation(ctx, args.input)),
    ),
  }),
  login: t.field({
    type: AuthPayload,
    description:
      'Signs in with email and password, as a guest, or with a login code of the OAuth redirect. Returns the tokens of the session.',
    args: { ...inputArg(LoginInput, 'Provider and credentials.') },
    ...parsedArgsField(parseLoginInput, asPayload('auth', login)),
  }),
  tryLogin: t.field({
    type: createResultUnion('LoginOutcome', AuthPayload),
    description:
      'Like `login`, but returns expected failures, such as a wrong password, as data instead of errors.',
    args: { by: t.arg({ type: LoginByInput, required: true, description: 'Provider and credentials.' }) },
    ...errorsAsData(validatedField(tryLoginSchema, asPayload('auth', login))),
  }),
  refresh: t.field({
    type: AuthPayload,
    description: 'Issues a new access token for a refresh token.',
    args: { ...inputArg(RefreshInput, 'Session to renew.') },
    ...validatedField(refreshSessionSchema, async (ctx, args) => ({
      auth: await refreshSession(ctx, args.input),
    })),
  }),
  logout: t.field({
    type: SuccessPayload,
    description: 'Ends a session and revokes its token at the identity provider.',
    args: { ...inputArg(LogoutInput, 'Session to end.') },
    ...validatedField(
      (ctx) => buildLogoutSchema(ctx.config),
      (ctx, args) => successOf(signOut(ctx, args.input)),
    ),
  }),
  updateMe: t.field({
    type: UserPayload,
    description: 'Updates the viewer’s account.',
    authScopes: { account: true },
    args: fieldArgs({
      ...inputArg(UpdateMeInput, 'The changes.'),
      version: ['Int', 'Expected version: fails with PRECONDITION_FAILED when the current version differs.'],
    }),
    ...parsedArgsField(parseUpdateMeInput, asPayload('user', updateMe)),
  }),
  deleteMe: t.field({
    type: DeletedPayload,
    description:
      'Permanently deletes the viewer’s account. The last ADMIN of a business must assign another ADMIN first.',
    authScopes: { account: true },
    args: fieldArgs({ password: ['String', 'Current password; required when the account has one.'] }),
    ...validatedField(deleteMeSchema, deleteMe),
  }),
  sendPhoneCode: t.field({
    type: SuccessPayload,
    description: 'Sends a confirmation code to a phone number by SMS, valid for ten minutes.',
    authScopes: { account: true },
    args: fieldArgs({ phoneNumber: ['String!', 'Number in international form, such as +4930123456.'] }),
    ...validatedField(sendPhoneCodeSchema, (ctx, args) => successOf(sendPhoneCode(ctx, args))),
  }),
  confirmPhoneNumber: t.field({
    type: SuccessPayload,
    description: 'Confirms a phone number with the code sent to it, and adds it to the account.',
    authScopes: { account: true },
    args: { ...inputArg(ConfirmPhoneNumberInput, 'Number and code.') },
    ...validatedField(confirmPhoneNumberSchema, (ctx, args) =>
      successOf(confirmPhoneNumber(ctx, args.input)),
    ),
  }),
  forgotPassword: t.field({
    type: SuccessPayload,
    description:
      'Sends a mail with a link to set a new password. The response is the same when the account does not exist.',
    args: { ...inputArg(ForgotPasswordInput, 'The account.') },
    ...validatedField(
      (ctx) => buildMailedLinkSchema(ctx.config),
      (ctx, args) => successOf(forgotPassword(ctx, args.input)),
    ),
  }),
  resetForgottenPassword: t.field({
    type: SuccessPayload,
    description: 'Sets a new password with the token of the mailed link and ends all sessions of the user.',
    args: { ...inputArg(ResetForgottenPasswordInput, 'Token and password.') },
    ...validatedField(resetForgottenPasswordSchema, (ctx, args) =>
      successOf(resetForgottenPassword(ctx, args.input)),
    ),
  }),
  changePassword: t.field({
    type: SuccessPayload,
    description: 'Sets a new password with the old one and ends all other sessions of the user.',
    authScopes: { confirmed: true },
    args: { ...inputArg(ChangePasswordInput, 'Old and new password.') },
    ...validatedField(changePasswordSchema, (ctx, args) => successOf(changePassword(ctx, args.input))),
  }),
  revokeSession: t.field({
    type: DeletedPayload,
    description: 'Ends a session of the viewer. Its tokens stop working at once.',
    authScopes: { account: true },
    args: fieldArgs({ id: ['ID!', 'Id of the session.'] }),
    resolve: (_root, args, ctx) => revokeOwnSession(ctx, args),
  }),
  revokeAllSessions: t.field({
    type: SuccessPayload,
    description: 'Ends all sessions of the viewer, including the one of the request.',
    authScopes: { account: true },
    resolve: (_root, _args, ctx) => successOf(revokeAllOwnSessions(ctx)),
  }),
  leaveBusiness: t.field({
    type: DeletedPayload,
    description:
      'Removes the viewer’s own role in a business. The last ADMIN must assign another one first, unless another user assigned the role to them.',
    authScopes: { account: true },
    args: fieldArgs({ businessId: ['ID!', 'The business.'] }),
    resolve: (_root, args, ctx) => leaveBusiness(ctx, args),
  }),
  setRole: t.field({
    type: UserPayload,
    description: 'Assigns a role in a business to a user, replacing the current one. Needs ADMIN.',
    authScopes: setRoleScopes,
    args: { ...inputArg(SetRoleInput, 'User and role.') },
    ...validatedField(setRoleSchema, async (ctx, args) => ({ user: await setRole(ctx, args.input) })),
  }),
  removeMember: t.field({
    type: DeletedPayload,
    description: 'Removes a user’s role in a business. Needs ADMIN.',
    authScopes: permissionOnRecordScope('ADMIN', 'Member'),
    args: fieldArgs({ businessId: ['ID!', 'The business.'], userId: ['ID!', 'The user.'] }),
    resolve: (_root, args, ctx) => removeBusinessMember(ctx, args),
  }),
}));
