/** Error responses of sessions and the own account: status, code and details. */
import { describe } from 'vitest';
import { validPassword } from '../support/accounts.ts';
import { bad, existingEmail, get, invalid, itRejects, post, put, unauthenticated } from './failure-cases.ts';

describe('error responses', () => {
  itRejects([
    {
      title: 'refresh: malformed token',
      call: post('refresh', () => ({ refreshToken: 'nonsense' })),
      ...unauthenticated,
    },
    {
      title: 'refresh: no token',
      call: post('refresh', () => ({})),
      ...invalid(['refreshToken', 'REQUIRED']),
    },
    {
      title: 'refresh: unknown provider',
      call: post('refresh', () => ({ provider: 'NOPE', refreshToken: 'x' })),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    {
      title: 'logout: foreign origin',
      call: post('logout', () => ({ originUrl: 'http://evil.example' })),
      ...invalid(['originUrl', 'INVALID_ORIGIN_URI']),
    },
    { title: 'me: not signed in', call: get('me'), anonymous: true, ...unauthenticated },
    {
      title: 'update: not signed in, wrong types',
      call: put('update', () => ({ name: 5 })),
      anonymous: true,
      ...unauthenticated,
    },
    {
      title: 'update: all errors at once',
      call: put('update', () => ({
        name: 5,
        phoneNumbers: ['x'],
        addresses: [{ zip: 1 }],
        apiTokens: [
          { id: 'a', value: 'short' },
          { id: 'a', value: '****' },
        ],
        businessUserConfigs: [{ businessId: 'x', settings: [] }],
      })),
      ...invalid(
        ['name', 'INVALID_TYPE'],
        ['addresses.0.zip', 'INVALID_TYPE'],
        ['phoneNumbers.0', 'INVALID_PHONE_NUMBER'],
        ['apiTokens.0.value', 'TOO_SHORT'],
        ['apiTokens.1.id', 'DUPLICATE_ID'],
        ['businessUserConfigs.0.businessId', 'INVALID_FORMAT'],
        ['businessUserConfigs.0.settings', 'INVALID_TYPE'],
      ),
    },
    {
      title: 'update: phone numbers not a list',
      call: put('update', () => ({ phoneNumbers: '+4930123456' })),
      ...invalid(['phoneNumbers', 'INVALID_TYPE']),
    },
    {
      title: 'phone-number: not signed in',
      call: post('phone-number', () => ({ phoneNumber: '+4930123456' })),
      anonymous: true,
      ...unauthenticated,
    },
    {
      title: 'phone-number: malformed',
      call: post('phone-number', () => ({ phoneNumber: '12' })),
      ...invalid(['phoneNumber', 'INVALID_PHONE_NUMBER']),
    },
    {
      title: 'phone-number/confirm: no code was sent',
      call: post('phone-number/confirm', () => ({ phoneNumber: '+4930123456', code: '123456' })),
      ...invalid(['code', 'INVALID_CODE']),
    },
    {
      title: 'forgot-password: malformed',
      call: post('forgot-password', () => ({ email: 'x' })),
      ...invalid(['email', 'INVALID_EMAIL']),
    },
    {
      title: 'forgot-password: foreign reserveDomain',
      call: post('forgot-password', () => ({ email: existingEmail, reserveDomain: 'evil.example' })),
      ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
    },
    {
      title: 'reset-forgot-password: weak password, no token',
      call: post('reset-forgot-password', () => ({ password: 'x' })),
      ...invalid(['token', 'REQUIRED'], ['password', 'PASSWORD_WEAK']),
    },
    {
      title: 'reset-forgot-password: malformed token',
      call: post('reset-forgot-password', () => ({ token: 'x', password: validPassword })),
      ...invalid(['token', 'INVALID_TOKEN']),
    },
    {
      title: 'reset-password: not signed in',
      call: post('reset-password', () => ({ oldPassword: 'x', newPassword: 'y' })),
      anonymous: true,
      ...unauthenticated,
    },
    {
      title: 'reset-password: weak new password, no old password',
      call: post('reset-password', () => ({ newPassword: 'y' })),
      ...invalid(['oldPassword', 'PASSWORD_REQUIRED'], ['newPassword', 'PASSWORD_WEAK']),
    },
    { title: 'search: not signed in', call: get('search'), anonymous: true, ...unauthenticated },
    {
      title: 'search: forged cursor, no permission',
      call: get('search?cursor=x'),
      status: 403,
      error: 'FORBIDDEN',
      details: [],
    },
    {
      title: 'set-role: not signed in',
      call: put('set-role', () => ({})),
      anonymous: true,
      ...unauthenticated,
    },
    {
      title: 'update: unknown provider of an API key',
      call: put('update', () => ({ name: 5, apiTokens: [{ id: 'a', value: 'short', provider: 'NOPE' }] })),
      ...bad(
        ['name', 'INVALID_TYPE'],
        ['apiTokens.0.value', 'TOO_SHORT'],
        ['apiTokens.0.provider', 'INVALID_PROVIDER'],
      ),
    },
    {
      title: 'update: another provider than API of an API key',
      call: put('update', () => ({ apiTokens: [{ id: 'a', value: 'x'.repeat(24), provider: 'EMAIL' }] })),
      ...invalid(['apiTokens.0.provider', 'INVALID_PROVIDER']),
    },
  ]);
});
