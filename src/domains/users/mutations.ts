/** Mutations of accounts, sessions and roles. */

import type { Context } from '../../context.ts';
import { permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion, errorsAsData } from '../../graphql/schema/error-unions.ts';
import { parsedField, validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findBusinessOfRole } from '../businesses/staff/memberships.ts';
import { DeletedPayload } from '../shared/types.ts';
import { confirmPhoneNumber, sendPhoneCode } from './account/phone-numbers.ts';
import { confirmEmail, register } from './account/register.ts';
import { updateMeSchema } from './account/schemas.ts';
import { updateMe } from './account/update-me.ts';
import {
  ChangePasswordInput,
  ConfirmPhoneNumberInput,
  ForgotPasswordInput,
  LoginByInput,
  LoginInput,
  LogoutInput,
  RefreshInput,
  RegisterInput,
  ResetForgottenPasswordInput,
  SetRoleInput,
  UpdateMeInput,
} from './inputs.ts';
import { changePassword, forgotPassword, resetForgottenPassword } from './passwords/reset-and-change.ts';
import { leaveBusiness, removeBusinessMember, setRole } from './people/assign-roles.ts';
import { setRoleSchema } from './people/schemas.ts';
import { deleteMe } from './privacy/delete-me.ts';
import {
  changePasswordSchema,
  confirmPhoneNumberSchema,
  deleteMeSchema,
  forgotPasswordSchema,
  oneTimeTokenSchema,
  registerSchema,
  resetForgottenPasswordSchema,
  sendPhoneCodeSchema,
} from './schemas.ts';
import { login } from './sign-in/login.ts';
import { revokeAllSessions, revokeSession } from './sign-in/own-sessions.ts';
import { logoutSchema, parseLoginInput, refreshSessionSchema, tryLoginSchema } from './sign-in/schemas.ts';
import { refreshSession, signOut } from './sign-in/sessions.ts';
import { AuthPayload } from './sign-in/types.ts';
import { SuccessPayload, UserPayload } from './types.ts';

const done = async (work: Promise<void>): Promise<{ success: true }> => {
  await work;
  return { success: true };
};

/** Naming a business one may not change is forbidden; addressing the role of another one finds nothing. */
async function setRoleScopes(
  _root: unknown,
  { input }: { input?: { roleId?: string; businessId?: string | null | undefined } },
  ctx: Context,
) {
  const { businessId, roleId } = input ?? {};
  if (businessId) return { permission: { name: 'ADMIN' as const, businessId } };
  const owner = ctx.viewer.user && roleId ? await findBusinessOfRole(ctx, roleId) : undefined;
  return { permission: { name: 'ADMIN' as const, businessId: owner ?? '', addressed: 'Role' } };
}

const registered = validatedField(
  (ctx) => registerSchema(ctx.config),
  (args, ctx) => done(register(ctx, args.input)),
);

builder.mutationFields((t) => ({
  register: t.field({
    type: SuccessPayload,
    description: 'Creates an account and mails a link to confirm the address.',
    args: { input: t.arg({ type: RegisterInput, required: true, description: 'The account.' }) },
    ...registered,
  }),
  tryRegister: t.field({
    type: createResultUnion('RegisterOutcome', SuccessPayload),
    description: 'The same as `register`; a refusal, such as of a weak password, is an answer.',
    args: { input: t.arg({ type: RegisterInput, required: true, description: 'The account.' }) },
    ...errorsAsData(registered),
  }),
  confirmEmail: t.field({
    type: SuccessPayload,
    description: 'Confirms an email address with the token from the mail.',
    args: { token: t.arg.string({ required: true, description: 'The token of the link.' }) },
    ...validatedField(oneTimeTokenSchema, (args, ctx) => done(confirmEmail(ctx, args))),
  }),
  login: t.field({
    type: AuthPayload,
    description:
      'Signs in with email and password, as a guest, or with the code of an identity provider, and gives the tokens of the session.',
    args: { input: t.arg({ type: LoginInput, required: true, description: 'Who, and how.' }) },
    ...parsedField(parseLoginInput, async (args, ctx) => ({ auth: await login(ctx, args) })),
  }),
  tryLogin: t.field({
    type: createResultUnion('LoginOutcome', AuthPayload),
    description: 'The same as `login`; a refusal, such as of a wrong password, is an answer.',
    args: { by: t.arg({ type: LoginByInput, required: true, description: 'Who, and how.' }) },
    ...errorsAsData(validatedField(tryLoginSchema, async (args, ctx) => ({ auth: await login(ctx, args) }))),
  }),
  refresh: t.field({
    type: AuthPayload,
    description: 'Gives a new access token for a refresh token.',
    args: { input: t.arg({ type: RefreshInput, required: true, description: 'The session.' }) },
    ...validatedField(refreshSessionSchema, async (args, ctx) => ({
      auth: await refreshSession(ctx, args.input),
    })),
  }),
  logout: t.field({
    type: SuccessPayload,
    description: 'Ends a session, here and at the identity provider.',
    args: { input: t.arg({ type: LogoutInput, required: true, description: 'The session.' }) },
    ...validatedField(
      (ctx) => logoutSchema(ctx.config),
      (args, ctx) => done(signOut(ctx, args.input)),
    ),
  }),
  updateMe: t.field({
    type: UserPayload,
    description: 'Changes the viewer’s own account.',
    authScopes: { account: true },
    args: {
      input: t.arg({ type: UpdateMeInput, required: true, description: 'The changes.' }),
      version: t.arg.int({
        description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
      }),
    },
    ...validatedField(updateMeSchema, async (args, ctx) => ({ user: await updateMe(ctx, args) })),
  }),
  deleteMe: t.field({
    type: DeletedPayload,
    description:
      'Deletes the viewer’s own account for good. The last ADMIN of a business must hand it over first.',
    authScopes: { account: true },
    args: { password: t.arg.string({ description: 'The password, if the account has one.' }) },
    ...validatedField(deleteMeSchema, (args, ctx) => deleteMe(ctx, args)),
  }),
  sendPhoneCode: t.field({
    type: SuccessPayload,
    description: 'Sends a code to a phone number.',
    authScopes: { account: true },
    args: {
      phoneNumber: t.arg.string({ required: true, description: 'Where the code goes, such as +4930123456.' }),
    },
    ...validatedField(sendPhoneCodeSchema, (args, ctx) => done(sendPhoneCode(ctx, args))),
  }),
  confirmPhoneNumber: t.field({
    type: SuccessPayload,
    description: 'Adds a phone number to the account, with the code that was sent there.',
    authScopes: { account: true },
    args: {
      input: t.arg({ type: ConfirmPhoneNumberInput, required: true, description: 'Number and code.' }),
    },
    ...validatedField(confirmPhoneNumberSchema, (args, ctx) => done(confirmPhoneNumber(ctx, args.input))),
  }),
  forgotPassword: t.field({
    type: SuccessPayload,
    description: 'Mails a link to choose a new password; answers the same when there is no such account.',
    args: { input: t.arg({ type: ForgotPasswordInput, required: true, description: 'The account.' }) },
    ...validatedField(
      (ctx) => forgotPasswordSchema(ctx.config),
      (args, ctx) => done(forgotPassword(ctx, args.input)),
    ),
  }),
  resetForgottenPassword: t.field({
    type: SuccessPayload,
    description: 'Sets a new password with the token from the mail and ends every session.',
    args: {
      input: t.arg({ type: ResetForgottenPasswordInput, required: true, description: 'Token and password.' }),
    },
    ...validatedField(resetForgottenPasswordSchema, (args, ctx) =>
      done(resetForgottenPassword(ctx, args.input)),
    ),
  }),
  changePassword: t.field({
    type: SuccessPayload,
    description: 'Sets a new password with the old one and ends every other session.',
    authScopes: { confirmed: true },
    args: { input: t.arg({ type: ChangePasswordInput, required: true, description: 'Both passwords.' }) },
    ...validatedField(changePasswordSchema, (args, ctx) => done(changePassword(ctx, args.input))),
  }),
  revokeSession: t.field({
    type: DeletedPayload,
    description: 'Ends one of the viewer’s own sessions: whoever uses it is signed out.',
    authScopes: { account: true },
    args: { id: t.arg.id({ required: true, description: 'The session.' }) },
    resolve: (_root, args, ctx) => revokeSession(ctx, args),
  }),
  revokeAllSessions: t.field({
    type: SuccessPayload,
    description: 'Ends all of the viewer’s own sessions, also the one that asks.',
    authScopes: { account: true },
    resolve: (_root, _args, ctx) => done(revokeAllSessions(ctx)),
  }),
  leaveBusiness: t.field({
    type: DeletedPayload,
    description:
      'Gives up the viewer’s own role in a business. The last ADMIN who was not given that role by others must hand it over first.',
    authScopes: { account: true },
    args: { businessId: t.arg.id({ required: true, description: 'The business.' }) },
    resolve: (_root, args, ctx) => leaveBusiness(ctx, args),
  }),
  setRole: t.field({
    type: UserPayload,
    description: 'Gives a user a role in a business, instead of the one they have there. Needs ADMIN.',
    authScopes: setRoleScopes,
    args: { input: t.arg({ type: SetRoleInput, required: true, description: 'Who, and which role.' }) },
    ...validatedField(setRoleSchema, async (args, ctx) => ({ user: await setRole(ctx, args.input) })),
  }),
  removeMember: t.field({
    type: DeletedPayload,
    description: 'Takes a user’s role in a business away. Needs ADMIN.',
    authScopes: permissionOnRecord('ADMIN', 'Member'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      userId: t.arg.id({ required: true, description: 'The user.' }),
    },
    resolve: (_root, args, ctx) => removeBusinessMember(ctx, args),
  }),
}));
