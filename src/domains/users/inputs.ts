/** GraphQL inputs of the account operations. Fields that only some cases need are optional; the checks know which. */
import { builder } from '../../graphql/schema/builder.ts';
import { PermissionEnum } from '../businesses/types.ts';
import { AuthProviderEnum } from './sign-in/types.ts';

export const RegisterInput = builder.inputType('RegisterInput', {
  description: 'A new account.',
  fields: (t) => ({
    provider: t.string({ description: 'EMAIL_REGISTER, also when absent.' }),
    email: t.string({ required: true, description: 'Email address.' }),
    password: t.string({ description: 'At least 10 characters, and none that everybody uses.' }),
    reserveDomain: t.string({
      description:
        'Allowed address that the link in the mail begins with; the gateway’s own pages when absent.',
    }),
    name: t.string({ description: 'Full name.' }),
    firstName: t.string({ description: 'First name; with the last name it makes the name.' }),
    lastName: t.string({ description: 'Family name; with the first name it makes the name.' }),
  }),
});

export const LoginInput = builder.inputType('LoginInput', {
  description:
    'EMAIL takes email and password, OAUTH_IDP code and originUrl, GUEST an optional phone number.',
  fields: (t) => ({
    provider: t.string({ description: 'EMAIL, OAUTH_IDP (or its configured name) or GUEST.' }),
    signInWith: t.field({
      type: AuthProviderEnum,
      description: 'The same as `provider`, as an enum; not API, whose keys need no sign-in.',
    }),
    email: t.string({ description: 'Email address (EMAIL).' }),
    password: t.string({ description: 'Password (EMAIL).' }),
    code: t.string({ description: 'The code the redirect carried (OAUTH_IDP).' }),
    originUrl: t.string({ description: 'The origin the sign-in began at (OAUTH_IDP).' }),
    phoneNumber: t.string({ description: 'Phone number of the guest, not verified (GUEST).' }),
  }),
});

const EmailLoginInput = builder.inputType('EmailLoginInput', {
  description: 'Somebody with an account.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address.' }),
    password: t.string({
      required: true,
      description: 'As it was chosen; wrong ones count against a limit.',
    }),
  }),
});

const OAuthLoginInput = builder.inputType('OAuthLoginInput', {
  description: 'Somebody who comes back from the identity provider.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'The code the redirect carried.' }),
    originUrl: t.string({ required: true, description: 'The origin the sign-in began at.' }),
  }),
});

const GuestLoginInput = builder.inputType('GuestLoginInput', {
  description: 'Somebody without an account.',
  fields: (t) => ({ phoneNumber: t.string({ description: 'Phone number, not verified.' }) }),
});

export const LoginByInput = builder.inputType('LoginByInput', {
  description: 'How to sign in: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    email: t.field({ type: EmailLoginInput, description: 'With email and password.' }),
    oauth: t.field({ type: OAuthLoginInput, description: 'With the identity provider.' }),
    guest: t.field({
      type: GuestLoginInput,
      description: 'Without an account: gives a new guest at every call.',
    }),
  }),
});

export const RefreshInput = builder.inputType('RefreshInput', {
  description: 'A session to be carried on.',
  fields: (t) => ({
    provider: t.string({
      description: 'How they signed in. The token says it too: only unknown ones are refused.',
    }),
    refreshToken: t.string({ required: true, description: 'From the sign-in; it stays the same.' }),
  }),
});

export const LogoutInput = builder.inputType('LogoutInput', {
  description: 'The session to end; everything may be absent, then it is the one that asks.',
  fields: (t) => ({
    provider: t.string({
      description: 'How they signed in. The token says it too: only unknown ones are refused.',
    }),
    token: t.string({ description: 'A refresh or access token of the session.' }),
    originUrl: t.string({ description: 'The origin the sign-in began at.' }),
  }),
});

export const ForgotPasswordInput = builder.inputType('ForgotPasswordInput', {
  description: 'Who forgot their password.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address.' }),
    reserveDomain: t.string({
      description:
        'Allowed address that the link in the mail begins with; the gateway’s own pages when absent.',
    }),
  }),
});

export const ResetForgottenPasswordInput = builder.inputType('ResetForgottenPasswordInput', {
  description: 'A new password, chosen with the link from the mail.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'The token of the link.' }),
    password: t.string({ description: 'The new password.' }),
    keepApiTokens: t.boolean({ description: 'Leave API keys as they are; otherwise all are revoked.' }),
  }),
});

export const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'A new password, chosen with the old one.',
  fields: (t) => ({
    oldPassword: t.string({ description: 'The password until now.' }),
    newPassword: t.string({ description: 'The password from now on.' }),
  }),
});

export const ConfirmPhoneNumberInput = builder.inputType('ConfirmPhoneNumberInput', {
  description: 'The code that was sent to a phone number.',
  fields: (t) => ({
    phoneNumber: t.string({ required: true, description: 'Where the code was sent.' }),
    code: t.string({ required: true, description: 'Six digits.' }),
  }),
});

const AddressInput = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: (t) => ({
    id: t.string({ description: 'Id, to choose it by at checkout; made up when absent.' }),
    name: t.string({ description: 'Who it is for. Default at checkout: the name of the profile.' }),
    company: t.string({ description: 'The firm it goes to, if it goes to one.' }),
    street: t.string({ description: 'Street and number.' }),
    line2: t.string({ description: 'Floor, flat, building.' }),
    city: t.string({ description: 'Town or city.' }),
    state: t.string({ description: 'State or region.' }),
    zip: t.string({ description: 'Postal code.' }),
    country: t.string({ description: 'Country; checkout wants its ISO 3166-1 code.' }),
    phone: t.string({ description: 'A number for whoever delivers.' }),
  }),
});

const ApiTokenInput = builder.inputType('ApiTokenInput', {
  description: 'An API key. A known id with a masked or absent value keeps its secret.',
  fields: (t) => ({
    id: t.string({ description: 'Id chosen by the caller; made up when absent.' }),
    name: t.string({ description: 'What the key is for.' }),
    value: t.string({ description: 'The secret, at least 24 characters. It is kept only as a hash.' }),
    provider: t.string({ description: 'API.' }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'All that the key allows, a part of what its user may do; everything when absent.',
    }),
    expiresAt: t.field({ type: 'Timestamp', description: 'Not valid from here on; never when absent.' }),
  }),
});

const BusinessUserConfigInput = builder.inputType('BusinessUserConfigInput', {
  description: 'Own settings for one business.',
  fields: (t) => ({
    businessId: t.id({ required: true, description: 'The business.' }),
    settings: t.field({ type: 'JSON', required: true, description: 'An object of at most 16 KB.' }),
  }),
});

const UserLifecycleInput = builder.inputType('UserLifecycleInput', {
  description: 'What users may say about where they stand.',
  fields: (t) => ({
    onboardingCompleted: t.boolean({ description: 'Whether they finished the introduction.' }),
  }),
});

export const UpdateMeInput = builder.inputType('UpdateMeInput', {
  description: 'Changes to the own account. Lists are replaced as a whole; what is absent stays.',
  fields: (t) => ({
    name: t.string({ description: 'Full name.' }),
    phoneNumber: t.string({
      description:
        'A number to send a code to, as `sendPhoneCode` does. Confirming it adds it to the account.',
    }),
    phoneNumbers: t.stringList({
      description: 'In international form, such as +4930123456; not confirmed by this.',
    }),
    addresses: t.field({ type: [AddressInput], description: 'Postal addresses.' }),
    apiTokens: t.field({ type: [ApiTokenInput], description: 'API keys; one that is missing is revoked.' }),
    businessUserConfigs: t.field({ type: [BusinessUserConfigInput], description: 'Settings per business.' }),
    lifecycle: t.field({ type: UserLifecycleInput, description: 'Where they stand.' }),
  }),
});

export const SetRoleInput = builder.inputType('SetRoleInput', {
  description: 'The role that a user shall hold in a business, instead of the one they have there.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'A confirmed user.' }),
    roleId: t.id({ required: true, description: 'The role.' }),
    businessId: t.id({ description: 'The business of the role, also when absent.' }),
  }),
});
