/** Every documented failure of sessions and one's own account, with its status, code and detail. */
import { describe } from 'vitest';
import { goodPassword } from '../support/accounts.ts';
import { bad, get, invalid, itFails, post, put, taken, unauthenticated } from './failure-cases.ts';

describe('failures', () => {
  itFails([
    {
      what: 'refresh: nonsense',
      call: post('refresh', () => ({ refreshToken: 'nonsense' })),
      ...unauthenticated,
    },
    {
      what: 'refresh: no token',
      call: post('refresh', () => ({})),
      ...invalid(['refreshToken', 'REQUIRED']),
    },
    {
      what: 'refresh: unknown provider',
      call: post('refresh', () => ({ provider: 'NOPE', refreshToken: 'x' })),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    {
      what: 'logout: foreign origin',
      call: post('logout', () => ({ originUrl: 'http://evil.example' })),
      ...invalid(['originUrl', 'INVALID_ORIGIN_URI']),
    },
    { what: 'me: nobody', call: get('me'), anonymous: true, ...unauthenticated },
    {
      what: 'update: nobody, and wrong types',
      call: put('update', () => ({ name: 5 })),
      anonymous: true,
      ...unauthenticated,
    },
    {
      what: 'update: everything wrong at once',
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
      what: 'update: a phone number that is no list',
      call: put('update', () => ({ phoneNumbers: '+4930123456' })),
      ...invalid(['phoneNumbers', 'INVALID_TYPE']),
    },
    {
      what: 'phone-number: nobody',
      call: post('phone-number', () => ({ phoneNumber: '+4930123456' })),
      anonymous: true,
      ...unauthenticated,
    },
    {
      what: 'phone-number: malformed',
      call: post('phone-number', () => ({ phoneNumber: '12' })),
      ...invalid(['phoneNumber', 'INVALID_PHONE_NUMBER']),
    },
    {
      what: 'phone-number/confirm: never sent',
      call: post('phone-number/confirm', () => ({ phoneNumber: '+4930123456', code: '123456' })),
      ...invalid(['code', 'INVALID_CODE']),
    },
    {
      what: 'forgot-password: malformed',
      call: post('forgot-password', () => ({ email: 'x' })),
      ...invalid(['email', 'INVALID_EMAIL']),
    },
    {
      what: 'forgot-password: foreign reserveDomain',
      call: post('forgot-password', () => ({ email: taken, reserveDomain: 'evil.example' })),
      ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
    },
    {
      what: 'reset-forgot-password: weak and no token',
      call: post('reset-forgot-password', () => ({ password: 'x' })),
      ...invalid(['token', 'REQUIRED'], ['password', 'PASSWORD_WEAK']),
    },
    {
      what: 'reset-forgot-password: nonsense',
      call: post('reset-forgot-password', () => ({ token: 'x', password: goodPassword })),
      ...invalid(['token', 'INVALID_TOKEN']),
    },
    {
      what: 'reset-password: nobody',
      call: post('reset-password', () => ({ oldPassword: 'x', newPassword: 'y' })),
      anonymous: true,
      ...unauthenticated,
    },
    {
      what: 'reset-password: weak and missing',
      call: post('reset-password', () => ({ newPassword: 'y' })),
      ...invalid(['oldPassword', 'PASSWORD_REQUIRED'], ['newPassword', 'PASSWORD_WEAK']),
    },
    { what: 'search: nobody', call: get('search'), anonymous: true, ...unauthenticated },
    {
      what: 'search: forged cursor as nobody of note',
      call: get('search?cursor=x'),
      status: 403,
      error: 'FORBIDDEN',
      details: [],
    },
    { what: 'set-role: nobody', call: put('set-role', () => ({})), anonymous: true, ...unauthenticated },
  ]);
});
