/** Every documented failure of registering and signing in, with its status, code and detail. */
import { describe, expect, it } from 'vitest';
import { freshEmail, goodPassword } from '../support/accounts.ts';
import { bad, get, good, invalid, itFails, post, put, t, taken, unconfirmed, url } from './failure-cases.ts';

describe('failures', () => {
  itFails([
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
      call: post('login', () => ({ email: taken })),
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
      what: 'login: unknown provider as an enum',
      call: post('login', () => ({ signInWith: 'MAGIC' })),
      ...bad(['signInWith', 'INVALID_VALUE']),
    },
    {
      what: 'login: provider twice',
      call: post('login', () => ({ provider: 'GUEST', signInWith: 'GUEST' })),
      ...bad(['signInWith', 'INVALID_VALUE']),
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
  ]);

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
      [{ signInWith: 'EMAIL', email: taken }, 'BAD_REQUEST', 'PASSWORD_REQUIRED'],
      [{ signInWith: 'API' }, 'BAD_REQUEST', 'INVALID_PROVIDER'],
    ] as const;
    for (const [input, code, detail] of cases) {
      const { errors } = await login(input);
      expect(errors.map(({ extensions }) => [extensions.code, extensions.details[0]?.error])).toEqual([
        [code, detail],
      ]);
    }
  });
});
