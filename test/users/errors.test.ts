/** Every documented failure of the account operations, with its status, code and detail. */
import { beforeAll, describe, expect, it } from 'vitest';
import { account, confirmed, freshEmail, goodPassword, registered } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let person: Person;
let taken: string;
let unconfirmed: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
  person = await account(t);
  taken = await confirmed(t);
  unconfirmed = await registered(t);
});

interface Failure {
  what: string;
  call: readonly [method: string, path: string, body?: () => object];
  anonymous?: boolean;
  status: number;
  error: string;
  details: readonly (readonly [field: string, error: string])[];
}

const post = (path: string, body: () => object) => ['POST', `/v1/users/${path}`, body] as const;
const put = (path: string, body: () => object) => ['PUT', `/v1/users/${path}`, body] as const;
const get = (path: string) => ['GET', `/v1/users/${path}`] as const;
const good = () => ({ email: freshEmail(), password: goodPassword });
const invalid = (...details: [string, string][]) => ({ status: 422, error: 'VALIDATION_FAILED', details });
const bad = (...details: [string, string][]) => ({ status: 400, error: 'BAD_REQUEST', details });
const unauthenticated = { status: 401, error: 'UNAUTHENTICATED', details: [] };

const url = (origin: string, redirect: string, provider = 'OAUTH_IDP') =>
  get(`login/url?${new URLSearchParams({ provider, originUrl: origin, redirectUrl: redirect })}`);

const failures: Failure[] = [
  {
    what: 'register: taken email',
    call: post('register', () => ({ ...good(), email: taken })),
    ...bad(['email', 'EMAIL_EXISTS']),
  },
  {
    what: 'register: taken, not confirmed',
    call: post('register', () => ({ ...good(), email: unconfirmed })),
    ...bad(['email', 'EMAIL_EXISTS']),
  },
  {
    what: 'register: taken in another spelling',
    call: post('register', () => ({ ...good(), email: ` ${taken.toUpperCase()} ` })),
    ...bad(['email', 'EMAIL_EXISTS']),
  },
  {
    what: 'register: short password',
    call: post('register', () => ({ ...good(), password: 'ninechars' })),
    ...invalid(['password', 'PASSWORD_WEAK']),
  },
  {
    what: 'register: common password',
    call: post('register', () => ({ ...good(), password: 'Password1234' })),
    ...invalid(['password', 'PASSWORD_WEAK']),
  },
  {
    what: 'register: the email as password',
    call: post('register', () => ({ email: 'jane.austen@people.example', password: 'Jane.Austen1' })),
    ...invalid(['password', 'PASSWORD_WEAK']),
  },
  {
    what: 'register: long password',
    call: post('register', () => ({ ...good(), password: `${'ab3$'.repeat(51)}x` })),
    ...invalid(['password', 'PASSWORD_WEAK']),
  },
  {
    what: 'register: no email',
    call: post('register', () => ({ password: goodPassword })),
    ...invalid(['email', 'REQUIRED']),
  },
  {
    what: 'register: no password',
    call: post('register', () => ({ email: freshEmail() })),
    ...invalid(['password', 'PASSWORD_REQUIRED']),
  },
  {
    what: 'register: bad email',
    call: post('register', () => ({ ...good(), email: 'not an email' })),
    ...invalid(['email', 'INVALID_EMAIL']),
  },
  {
    what: 'register: everything wrong at once',
    call: post('register', () => ({
      email: 'x',
      password: 'y',
      reserveDomain: 'https://evil.example',
      name: 7,
    })),
    ...invalid(
      ['name', 'INVALID_TYPE'],
      ['email', 'INVALID_EMAIL'],
      ['password', 'PASSWORD_WEAK'],
      ['reserveDomain', 'INVALID_ORIGIN_URI'],
    ),
  },
  {
    what: 'register: foreign reserveDomain',
    call: post('register', () => ({ ...good(), reserveDomain: 'https://evil.example' })),
    ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
  },
  {
    what: 'register: reserveDomain with credentials',
    call: post('register', () => ({ ...good(), reserveDomain: 'http://a:b@shop.test' })),
    ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
  },
  {
    what: 'register: reserveDomain of a lookalike',
    call: post('register', () => ({ ...good(), reserveDomain: 'http://shop.test.evil.example' })),
    ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
  },
  {
    what: 'register: script as reserveDomain',
    call: post('register', () => ({ ...good(), reserveDomain: 'javascript:alert(1)' })),
    ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
  },
  {
    what: 'register: unknown provider',
    call: post('register', () => ({ ...good(), provider: 'CARRIER_PIGEON' })),
    ...bad(['provider', 'INVALID_PROVIDER']),
  },
  { what: 'confirm: no token', call: put('confirm', () => ({})), ...invalid(['token', 'REQUIRED']) },
  {
    what: 'confirm: nonsense',
    call: put('confirm', () => ({ token: 'nonsense' })),
    ...invalid(['token', 'INVALID_TOKEN']),
  },
  {
    what: 'login: unknown email',
    call: post('login', () => ({ provider: 'EMAIL', ...good() })),
    ...invalid(['password', 'PASSWORD_WRONG']),
  },
  {
    what: 'login: wrong password',
    call: post('login', () => ({ provider: 'EMAIL', email: taken, password: 'wrong' })),
    ...invalid(['password', 'PASSWORD_WRONG']),
  },
  {
    what: 'login: not confirmed',
    call: post('login', () => ({ provider: 'EMAIL', email: unconfirmed, password: goodPassword })),
    ...invalid(['email', 'NOT_CONFIRMED']),
  },
  {
    what: 'login: not confirmed and wrong password',
    call: post('login', () => ({ provider: 'EMAIL', email: unconfirmed, password: 'wrong' })),
    ...invalid(['password', 'PASSWORD_WRONG']),
  },
  {
    what: 'login: no password',
    call: post('login', () => ({ provider: 'EMAIL', email: taken })),
    ...bad(['password', 'PASSWORD_REQUIRED']),
  },
  {
    what: 'login: empty password',
    call: post('login', () => ({ provider: 'EMAIL', email: taken, password: '' })),
    ...bad(['password', 'PASSWORD_REQUIRED']),
  },
  {
    what: 'login: no email',
    call: post('login', () => ({ provider: 'EMAIL', password: 'x' })),
    ...bad(['email', 'REQUIRED']),
  },
  {
    what: 'login: malformed email',
    call: post('login', () => ({ provider: 'EMAIL', email: 'x', password: 'x' })),
    ...bad(['email', 'INVALID_EMAIL']),
  },
  {
    what: 'login: wrong types',
    call: post('login', () => ({ provider: 'EMAIL', email: 5, password: ['x'] })),
    ...bad(['email', 'INVALID_TYPE'], ['password', 'INVALID_TYPE']),
  },
  {
    what: 'login: no provider',
    call: post('login', () => ({ email: taken, password: 'x' })),
    ...bad(['provider', 'REQUIRED']),
  },
  {
    what: 'login: unknown provider',
    call: post('login', () => ({ provider: 'MAGIC' })),
    ...bad(['provider', 'INVALID_PROVIDER']),
  },
  {
    what: 'login: provider API',
    call: post('login', () => ({ provider: 'API' })),
    ...bad(['provider', 'INVALID_PROVIDER']),
  },
  {
    what: 'login: malformed guest phone',
    call: post('login', () => ({ provider: 'GUEST', phoneNumber: 'call me' })),
    ...bad(['phoneNumber', 'INVALID_PHONE_NUMBER']),
  },
  {
    what: 'login: OAuth without code',
    call: post('login', () => ({ provider: 'OAUTH_IDP', originUrl: 'http://shop.test' })),
    ...bad(['code', 'REQUIRED']),
  },
  {
    what: 'login: OAuth from a foreign origin',
    call: post('login', () => ({ provider: 'OAUTH_IDP', code: 'x', originUrl: 'http://evil.example' })),
    ...invalid(['originUrl', 'INVALID_ORIGIN_URI']),
  },
  {
    what: 'login: OAuth that is not configured',
    call: post('login', () => ({ provider: 'OAUTH_IDP', code: 'x', originUrl: 'http://shop.test' })),
    ...bad(['provider', 'NOT_CONFIGURED']),
  },
  {
    what: 'login/url: not configured',
    call: url('http://shop.test', 'http://shop.test/done'),
    ...bad(['provider', 'NOT_CONFIGURED']),
  },
  {
    what: 'login/url: other provider',
    call: url('http://shop.test', 'http://shop.test/done', 'EMAIL'),
    ...bad(['provider', 'INVALID_PROVIDER']),
  },
  {
    what: 'login/url: unknown provider',
    call: url('http://shop.test', 'http://shop.test/done', 'NOPE'),
    ...bad(['provider', 'INVALID_PROVIDER']),
  },
  {
    what: 'login/url: foreign addresses',
    call: url('http://evil.example', 'http://evil.example/x'),
    ...invalid(['originUrl', 'INVALID_ORIGIN_URI'], ['redirectUrl', 'INVALID_REDIRECT_URI']),
  },
  {
    what: 'login/url: script as redirect',
    call: url('http://shop.test', 'javascript:alert(1)'),
    ...invalid(['redirectUrl', 'INVALID_REDIRECT_URI']),
  },
  {
    what: 'login/url: nothing sent',
    call: get('login/url'),
    ...invalid(['originUrl', 'REQUIRED'], ['redirectUrl', 'REQUIRED']),
  },
  {
    what: 'refresh: nonsense',
    call: post('refresh', () => ({ refreshToken: 'nonsense' })),
    ...unauthenticated,
  },
  { what: 'refresh: no token', call: post('refresh', () => ({})), ...invalid(['refreshToken', 'REQUIRED']) },
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
      ['addresses.0.zip', 'INVALID_TYPE'],
      ['name', 'INVALID_TYPE'],
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
];

describe('failures', () => {
  it.each(failures)('$what: $status $error', async ({ call, anonymous, status, error, details }) => {
    const [method, path, body] = call;
    const answer = await t.rest<{
      error: string;
      details: { field: string; error: string; message: string }[];
    }>(method, path, { ...(anonymous ? {} : { as: person }), ...(body ? { body: body() } : {}) });
    expect({
      status: answer.status,
      error: answer.body.error,
      details: answer.body.details.map((detail) => [detail.field, detail.error]),
    }).toEqual({ status, error, details });
    expect(answer.body).toMatchObject({
      message: expect.any(String),
      validationErrors: details.map(([field, code]) => ({ field, error: code })),
    });
    for (const { message } of answer.body.details) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  it('sounds the same in GraphQL', async () => {
    const login = (input: object) =>
      t.graphql('mutation($input: LoginInput!) { login(input: $input) { auth { userId } } }', { input });
    const cases = [
      [{ provider: 'EMAIL', email: taken, password: 'wrong' }, 'VALIDATION_FAILED', 'PASSWORD_WRONG'],
      [
        { provider: 'EMAIL', email: unconfirmed, password: goodPassword },
        'VALIDATION_FAILED',
        'NOT_CONFIRMED',
      ],
      [{ provider: 'EMAIL', email: taken }, 'BAD_REQUEST', 'PASSWORD_REQUIRED'],
      [{ provider: 'NOPE' }, 'BAD_REQUEST', 'INVALID_PROVIDER'],
    ] as const;
    for (const [input, code, detail] of cases) {
      const { errors } = await login(input);
      expect(errors.map(({ extensions }) => [extensions.code, extensions.details[0]?.error])).toEqual([
        [code, detail],
      ]);
    }
  });
});
