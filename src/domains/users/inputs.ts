/** GraphQL inputs of the account operations. Fields that only some providers require are optional here; the zod schemas enforce them. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { PermissionEnum } from '../businesses/types.ts';
import { AuthProviderEnum } from './sign-in/types.ts';

export const RegisterInput = builder.inputType('RegisterInput', {
  description: 'A new account.',
  fields: inputFields({
    provider: ['String', 'EMAIL_REGISTER (default).'],
    email: ['String!', 'Email address.'],
    password: ['String', '10 to 200 characters; common passwords are rejected. Required.'],
    reserveDomain: [
      'String',
      'Base URL of the link in the mail; must be on the allow list. Default: the gateway’s own pages.',
    ],
    name: ['String', 'Full name.'],
    firstName: ['String', 'First name. Used with `lastName` when `name` is absent.'],
    lastName: ['String', 'Family name. Used with `firstName` when `name` is absent.'],
  }),
});

export const LoginInput = builder.inputType('LoginInput', {
  description:
    'Credentials. EMAIL needs `email` and `password`, OAUTH_IDP needs `code` and `originUrl`, GUEST accepts a `phoneNumber`.',
  fields: inputFields({
    provider: ['String', 'EMAIL, OAUTH_IDP (or its configured name) or GUEST.'],
    signInWith: [
      AuthProviderEnum,
      'Same as `provider`, as an enum. API is rejected: API keys need no sign-in.',
    ],
    email: ['String', 'Email address (EMAIL).'],
    password: ['String', 'Password (EMAIL).'],
    code: ['String', 'Login code from the query of the redirect URL, valid for one minute (OAUTH_IDP).'],
    originUrl: ['String', '`originUrl` that was passed to `loginUrl` (OAUTH_IDP).'],
    phoneNumber: ['String', 'Phone number of the guest; not verified (GUEST).'],
  }),
});

const EmailLoginInput = builder.inputType('EmailLoginInput', {
  description: 'Sign-in with email address and password.',
  fields: inputFields({
    email: ['String!', 'Email address.'],
    password: ['String!', 'Password of the account. Wrong passwords count against a rate limit.'],
  }),
});

const OAuthLoginInput = builder.inputType('OAuthLoginInput', {
  description: 'Sign-in with a login code, after the redirect from the identity provider.',
  fields: inputFields({
    code: ['String!', 'Login code from the query of the redirect URL, valid for one minute.'],
    originUrl: ['String!', '`originUrl` that was passed to `loginUrl`.'],
  }),
});

const GuestLoginInput = builder.inputType('GuestLoginInput', {
  description: 'Sign-in as a guest, without an account.',
  fields: (t) => ({ phoneNumber: t.string({ description: 'Phone number of the guest; not verified.' }) }),
});

export const LoginByInput = builder.inputType('LoginByInput', {
  description: 'Sign-in method with its credentials: exactly one field.',
  isOneOf: true,
  fields: inputFields({
    email: [EmailLoginInput, 'Email address and password.'],
    oauth: [OAuthLoginInput, 'Login code of the identity provider.'],
    guest: [GuestLoginInput, 'Guest without an account; every call creates a new guest.'],
  }),
});

export const RefreshInput = builder.inputType('RefreshInput', {
  description: 'Session to renew.',
  fields: inputFields({
    provider: [
      'String',
      'Sign-in provider. Only checked to be an existing one: the token determines the session.',
    ],
    refreshToken: ['String!', 'Newest refresh token of the session.'],
    rotate: [
      'Boolean',
      'Replaces the refresh token: store the returned one. From then on every refresh of the session replaces it, the previous token is ' +
        'accepted for 60 seconds, and an older one ends the session. Default: false; the refresh token stays the same.',
    ],
  }),
});

export const LogoutInput = builder.inputType('LogoutInput', {
  description: 'Session to end. Default: the session of the request.',
  fields: inputFields({
    provider: [
      'String',
      'Sign-in provider. Only checked to be an existing one: the token determines the session.',
    ],
    token: ['String', 'Refresh or access token of the session.'],
    originUrl: ['String', 'Origin of the client; must be on the allow list.'],
  }),
});

export const ForgotPasswordInput = builder.inputType('ForgotPasswordInput', {
  description: 'Account whose password to reset.',
  fields: inputFields({
    email: ['String!', 'Email address.'],
    reserveDomain: [
      'String',
      'Base URL of the link in the mail; must be on the allow list. Default: the gateway’s own pages.',
    ],
  }),
});

export const ResendConfirmationInput = builder.inputType('ResendConfirmationInput', {
  description: 'Account whose email address to confirm.',
  fields: inputFields({
    email: ['String!', 'Email address.'],
    reserveDomain: [
      'String',
      'Base URL of the link in the mail; must be on the allow list. Default: the gateway’s own pages.',
    ],
  }),
});

export const ResetForgottenPasswordInput = builder.inputType('ResetForgottenPasswordInput', {
  description: 'New password and the token of the mailed link.',
  fields: inputFields({
    token: ['String!', 'Token from the query of the link.'],
    password: ['String', 'New password: 10 to 200 characters. Required.'],
    keepApiTokens: ['Boolean', 'Whether API keys stay valid. Default false: all are revoked.'],
  }),
});

export const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'Old and new password.',
  fields: inputFields({
    oldPassword: ['String', 'Current password. Required.'],
    newPassword: ['String', 'New password: 10 to 200 characters. Required.'],
  }),
});

export const ConfirmPhoneNumberInput = builder.inputType('ConfirmPhoneNumberInput', {
  description: 'Phone number and the code sent to it.',
  fields: inputFields({
    phoneNumber: ['String!', 'Number that received the code.'],
    code: ['String!', 'Six digits.'],
  }),
});

const AddressInput = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: inputFields({
    id: ['String', 'Id for selecting the address at checkout. Generated when absent.'],
    name: ['String', 'Recipient. Default at checkout: the name of the profile.'],
    company: ['String', 'Company of the recipient.'],
    street: ['String', 'Street and number.'],
    line2: ['String', 'Floor, apartment, building.'],
    city: ['String', 'Town or city.'],
    state: ['String', 'State or region.'],
    zip: ['String', 'Postal code.'],
    country: ['String', 'Country; checkout requires an ISO 3166-1 code.'],
    phone: ['String', 'Phone number for the carrier.'],
  }),
});

const ApiTokenInput = builder.inputType('ApiTokenInput', {
  description: 'API key. An existing id with a masked or absent value keeps its secret.',
  fields: inputFields({
    id: ['String', 'Id chosen by the client. Generated when absent.'],
    name: ['String', 'Name or purpose of the key.'],
    value: ['String', 'Secret: 24 to 200 printable ASCII characters. Only its hash is stored.'],
    provider: ['String', 'API (the only value).'],
    permissions: [
      [PermissionEnum],
      'Permissions of the key, a subset of those of its user. Default: all permissions of the user.',
    ],
    expiresAt: ['Timestamp', 'Expiry time, in the future. Default: the key does not expire.'],
  }),
});

const BusinessUserConfigInput = builder.inputType('BusinessUserConfigInput', {
  description: 'Settings of the user for one business.',
  fields: inputFields({
    businessId: ['ID!', 'The business.'],
    settings: ['JSON!', 'JSON object of at most 16 KB.'],
  }),
});

const UserLifecycleInput = builder.inputType('UserLifecycleInput', {
  description: 'Lifecycle fields that the user can set.',
  fields: inputFields({ onboardingCompleted: ['Boolean', 'Whether the user has completed the onboarding.'] }),
});

export const UpdateMeInput = builder.inputType('UpdateMeInput', {
  description:
    'Changes to the viewer’s account. Absent fields stay unchanged; lists are replaced as a whole.',
  fields: inputFields({
    name: ['String', 'Full name.'],
    phoneNumber: [
      'String',
      'Number to send a confirmation code to, as `sendPhoneCode` does. Confirming it adds it to the account.',
    ],
    phoneNumbers: [
      '[String!]',
      'Up to 20 numbers in international form, such as +4930123456. Setting them does not verify them.',
    ],
    addresses: [[AddressInput], 'Postal addresses, up to 50.'],
    apiTokens: [[ApiTokenInput], 'API keys, up to 50. Keys that are missing in the list are revoked.'],
    businessUserConfigs: [[BusinessUserConfigInput], 'Settings per business, up to 100.'],
    lifecycle: [UserLifecycleInput, 'Onboarding state.'],
  }),
});

export const SetRoleInput = builder.inputType('SetRoleInput', {
  description: 'Role to assign to a user in a business. Replaces the current one.',
  fields: inputFields({
    userId: ['ID!', 'User with a confirmed email address.'],
    roleId: ['ID!', 'The role.'],
    businessId: ['ID', 'Business of the role. When present, it must match.'],
  }),
});
