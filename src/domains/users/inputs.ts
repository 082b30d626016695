/** GraphQL inputs of the account operations. Fields that only some providers require are optional here; the zod schemas enforce them. */
import { builder } from '../../graphql/schema/builder.ts';
import { PermissionEnum } from '../businesses/types.ts';
import { AuthProviderEnum } from './sign-in/types.ts';

export const RegisterInput = builder.inputType('RegisterInput', {
  description: 'A new account.',
  fields: (t) => ({
    provider: t.string({ description: 'EMAIL_REGISTER (default).' }),
    email: t.string({ required: true, description: 'Email address.' }),
    password: t.string({ description: '10 to 200 characters; common passwords are rejected. Required.' }),
    reserveDomain: t.string({
      description:
        'Base URL of the link in the mail; must be on the allow list. Default: the gateway’s own pages.',
    }),
    name: t.string({ description: 'Full name.' }),
    firstName: t.string({ description: 'First name. Used with `lastName` when `name` is absent.' }),
    lastName: t.string({ description: 'Family name. Used with `firstName` when `name` is absent.' }),
  }),
});

export const LoginInput = builder.inputType('LoginInput', {
  description:
    'Credentials. EMAIL needs `email` and `password`, OAUTH_IDP needs `code` and `originUrl`, GUEST accepts a `phoneNumber`.',
  fields: (t) => ({
    provider: t.string({ description: 'EMAIL, OAUTH_IDP (or its configured name) or GUEST.' }),
    signInWith: t.field({
      type: AuthProviderEnum,
      description: 'Same as `provider`, as an enum. API is rejected: API keys need no sign-in.',
    }),
    email: t.string({ description: 'Email address (EMAIL).' }),
    password: t.string({ description: 'Password (EMAIL).' }),
    code: t.string({
      description: 'Login code from the query of the redirect URL, valid for one minute (OAUTH_IDP).',
    }),
    originUrl: t.string({ description: '`originUrl` that was passed to `loginUrl` (OAUTH_IDP).' }),
    phoneNumber: t.string({ description: 'Phone number of the guest; not verified (GUEST).' }),
  }),
});

const EmailLoginInput = builder.inputType('EmailLoginInput', {
  description: 'Sign-in with email address and password.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address.' }),
    password: t.string({
      required: true,
      description: 'Password of the account. Wrong passwords count against a rate limit.',
    }),
  }),
});

const OAuthLoginInput = builder.inputType('OAuthLoginInput', {
  description: 'Sign-in with a login code, after the redirect from the identity provider.',
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'Login code from the query of the redirect URL, valid for one minute.',
    }),
    originUrl: t.string({ required: true, description: '`originUrl` that was passed to `loginUrl`.' }),
  }),
});

const GuestLoginInput = builder.inputType('GuestLoginInput', {
  description: 'Sign-in as a guest, without an account.',
  fields: (t) => ({ phoneNumber: t.string({ description: 'Phone number of the guest; not verified.' }) }),
});

export const LoginByInput = builder.inputType('LoginByInput', {
  description: 'Sign-in method with its credentials: exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    email: t.field({ type: EmailLoginInput, description: 'Email address and password.' }),
    oauth: t.field({ type: OAuthLoginInput, description: 'Login code of the identity provider.' }),
    guest: t.field({
      type: GuestLoginInput,
      description: 'Guest without an account; every call creates a new guest.',
    }),
  }),
});

export const RefreshInput = builder.inputType('RefreshInput', {
  description: 'Session to renew.',
  fields: (t) => ({
    provider: t.string({
      description: 'Sign-in provider. Only checked to be an existing one: the token determines the session.',
    }),
    refreshToken: t.string({
      required: true,
      description: 'Newest refresh token of the session.',
    }),
    rotate: t.boolean({
      description:
        'Replaces the refresh token: store the returned one. From then on every refresh of the session replaces it, the previous token is ' +
        'accepted for 60 seconds, and an older one ends the session. Default: false; the refresh token stays the same.',
    }),
  }),
});

export const LogoutInput = builder.inputType('LogoutInput', {
  description: 'Session to end. Default: the session of the request.',
  fields: (t) => ({
    provider: t.string({
      description: 'Sign-in provider. Only checked to be an existing one: the token determines the session.',
    }),
    token: t.string({ description: 'Refresh or access token of the session.' }),
    originUrl: t.string({ description: 'Origin of the client; must be on the allow list.' }),
  }),
});

export const ForgotPasswordInput = builder.inputType('ForgotPasswordInput', {
  description: 'Account whose password to reset.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address.' }),
    reserveDomain: t.string({
      description:
        'Base URL of the link in the mail; must be on the allow list. Default: the gateway’s own pages.',
    }),
  }),
});

export const ResendConfirmationInput = builder.inputType('ResendConfirmationInput', {
  description: 'Account whose email address to confirm.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address.' }),
    reserveDomain: t.string({
      description:
        'Base URL of the link in the mail; must be on the allow list. Default: the gateway’s own pages.',
    }),
  }),
});

export const ResetForgottenPasswordInput = builder.inputType('ResetForgottenPasswordInput', {
  description: 'New password and the token of the mailed link.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'Token from the query of the link.' }),
    password: t.string({ description: 'New password: 10 to 200 characters. Required.' }),
    keepApiTokens: t.boolean({ description: 'Whether API keys stay valid. Default false: all are revoked.' }),
  }),
});

export const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'Old and new password.',
  fields: (t) => ({
    oldPassword: t.string({ description: 'Current password. Required.' }),
    newPassword: t.string({ description: 'New password: 10 to 200 characters. Required.' }),
  }),
});

export const ConfirmPhoneNumberInput = builder.inputType('ConfirmPhoneNumberInput', {
  description: 'Phone number and the code sent to it.',
  fields: (t) => ({
    phoneNumber: t.string({ required: true, description: 'Number that received the code.' }),
    code: t.string({ required: true, description: 'Six digits.' }),
  }),
});

const AddressInput = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: (t) => ({
    id: t.string({ description: 'Id for selecting the address at checkout. Generated when absent.' }),
    name: t.string({ description: 'Recipient. Default at checkout: the name of the profile.' }),
    company: t.string({ description: 'Company of the recipient.' }),
    street: t.string({ description: 'Street and number.' }),
    line2: t.string({ description: 'Floor, apartment, building.' }),
    city: t.string({ description: 'Town or city.' }),
    state: t.string({ description: 'State or region.' }),
    zip: t.string({ description: 'Postal code.' }),
    country: t.string({ description: 'Country; checkout requires an ISO 3166-1 code.' }),
    phone: t.string({ description: 'Phone number for the carrier.' }),
  }),
});

const ApiTokenInput = builder.inputType('ApiTokenInput', {
  description: 'API key. An existing id with a masked or absent value keeps its secret.',
  fields: (t) => ({
    id: t.string({ description: 'Id chosen by the client. Generated when absent.' }),
    name: t.string({ description: 'Name or purpose of the key.' }),
    value: t.string({
      description: 'Secret: 24 to 200 printable ASCII characters. Only its hash is stored.',
    }),
    provider: t.string({ description: 'API (the only value).' }),
    permissions: t.field({
      type: [PermissionEnum],
      description:
        'Permissions of the key, a subset of those of its user. Default: all permissions of the user.',
    }),
    expiresAt: t.field({
      type: 'Timestamp',
      description: 'Expiry time, in the future. Default: the key does not expire.',
    }),
  }),
});

const BusinessUserConfigInput = builder.inputType('BusinessUserConfigInput', {
  description: 'Settings of the user for one business.',
  fields: (t) => ({
    businessId: t.id({ required: true, description: 'The business.' }),
    settings: t.field({ type: 'JSON', required: true, description: 'JSON object of at most 16 KB.' }),
  }),
});

const UserLifecycleInput = builder.inputType('UserLifecycleInput', {
  description: 'Lifecycle fields that the user can set.',
  fields: (t) => ({
    onboardingCompleted: t.boolean({ description: 'Whether the user has completed the onboarding.' }),
  }),
});

export const UpdateMeInput = builder.inputType('UpdateMeInput', {
  description:
    'Changes to the viewer’s account. Absent fields stay unchanged; lists are replaced as a whole.',
  fields: (t) => ({
    name: t.string({ description: 'Full name.' }),
    phoneNumber: t.string({
      description:
        'Number to send a confirmation code to, as `sendPhoneCode` does. Confirming it adds it to the account.',
    }),
    phoneNumbers: t.stringList({
      description:
        'Up to 20 numbers in international form, such as +4930123456. Setting them does not verify them.',
    }),
    addresses: t.field({ type: [AddressInput], description: 'Postal addresses, up to 50.' }),
    apiTokens: t.field({
      type: [ApiTokenInput],
      description: 'API keys, up to 50. Keys that are missing in the list are revoked.',
    }),
    businessUserConfigs: t.field({
      type: [BusinessUserConfigInput],
      description: 'Settings per business, up to 100.',
    }),
    lifecycle: t.field({ type: UserLifecycleInput, description: 'Onboarding state.' }),
  }),
});

export const SetRoleInput = builder.inputType('SetRoleInput', {
  description: 'Role to assign to a user in a business. Replaces the current one.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'User with a confirmed email address.' }),
    roleId: t.id({ required: true, description: 'The role.' }),
    businessId: t.id({ description: 'Business of the role. When present, it must match.' }),
  }),
});
