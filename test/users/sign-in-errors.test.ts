/** Error responses of registration and sign-in: status, code and details. */
import { describe, expect, it } from 'vitest';
import { uniqueEmail, validPassword } from '../support/accounts.ts';
import {
  bad,
  existingEmail,
  get,
  invalid,
  itRejects,
  post,
  put,
  t,
  unconfirmedEmail,
  url,
  validInput,
} from './failure-cases.ts';

describe('error responses', () => {
  itRejects([
    {
      title: 'register: email exists',
      call: post('register', () => ({ ...validInput(), email: existingEmail })),
      ...bad(['email', 'EMAIL_EXISTS']),
    },
    {
      title: 'register: email exists, not confirmed',
      call: post('register', () => ({ ...validInput(), email: unconfirmedEmail })),
      ...bad(['email', 'EMAIL_EXISTS']),
    },
    {
      title: 'register: email exists in another spelling',
      call: post('register', () => ({ ...validInput(), email: ` ${existingEmail.toUpperCase()} ` })),
      ...bad(['email', 'EMAIL_EXISTS']),
    },
    {
      title: 'register: short password',
      call: post('register', () => ({ ...validInput(), password: 'ninechars' })),
      ...invalid(['password', 'PASSWORD_WEAK']),
    },
    {
      title: 'register: common password',
      call: post('register', () => ({ ...validInput(), password: 'Password1234' })),
      ...invalid(['password', 'PASSWORD_WEAK']),
    },
    {
      title: 'register: the email as password',
      call: post('register', () => ({ email: 'jane.austen@people.example', password: 'Jane.Austen1' })),
      ...invalid(['password', 'PASSWORD_WEAK']),
    },
    {
      title: 'register: long password',
      call: post('register', () => ({ ...validInput(), password: `${'ab3$'.repeat(51)}x` })),
      ...invalid(['password', 'PASSWORD_WEAK']),
    },
    {
      title: 'register: no email',
      call: post('register', () => ({ password: validPassword })),
      ...invalid(['email', 'REQUIRED']),
    },
    {
      title: 'register: no password',
      call: post('register', () => ({ email: uniqueEmail() })),
      ...invalid(['password', 'PASSWORD_REQUIRED']),
    },
    {
      title: 'register: malformed email',
      call: post('register', () => ({ ...validInput(), email: 'not an email' })),
      ...invalid(['email', 'INVALID_EMAIL']),
    },
    {
      title: 'register: all errors at once',
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
      title: 'register: foreign reserveDomain',
      call: post('register', () => ({ ...validInput(), reserveDomain: 'https://evil.example' })),
      ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
    },
    {
      title: 'register: reserveDomain with credentials',
      call: post('register', () => ({ ...validInput(), reserveDomain: 'http://a:b@shop.test' })),
      ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
    },
    {
      title: 'register: reserveDomain of a lookalike',
      call: post('register', () => ({ ...validInput(), reserveDomain: 'http://shop.test.evil.example' })),
      ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
    },
    {
      title: 'register: script as reserveDomain',
      call: post('register', () => ({ ...validInput(), reserveDomain: 'javascript:alert(1)' })),
      ...invalid(['reserveDomain', 'INVALID_ORIGIN_URI']),
    },
    {
      title: 'register: unknown provider',
      call: post('register', () => ({ ...validInput(), provider: 'CARRIER_PIGEON' })),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    { title: 'confirm: no token', call: put('confirm', () => ({})), ...invalid(['token', 'REQUIRED']) },
    {
      title: 'confirm: malformed token',
      call: put('confirm', () => ({ token: 'nonsense' })),
      ...invalid(['token', 'INVALID_TOKEN']),
    },
    {
      title: 'login: unknown email',
      call: post('login', () => ({ provider: 'EMAIL', ...validInput() })),
      ...invalid(['password', 'PASSWORD_WRONG']),
    },
    {
      title: 'login: wrong password',
      call: post('login', () => ({ provider: 'EMAIL', email: existingEmail, password: 'wrong' })),
      ...invalid(['password', 'PASSWORD_WRONG']),
    },
    {
      title: 'login: not confirmed',
      call: post('login', () => ({ provider: 'EMAIL', email: unconfirmedEmail, password: validPassword })),
      ...invalid(['email', 'NOT_CONFIRMED']),
    },
    {
      title: 'login: not confirmed and wrong password',
      call: post('login', () => ({ provider: 'EMAIL', email: unconfirmedEmail, password: 'wrong' })),
      ...invalid(['password', 'PASSWORD_WRONG']),
    },
    {
      title: 'login: no password',
      call: post('login', () => ({ provider: 'EMAIL', email: existingEmail })),
      ...bad(['password', 'PASSWORD_REQUIRED']),
    },
    {
      title: 'login: empty password',
      call: post('login', () => ({ provider: 'EMAIL', email: existingEmail, password: '' })),
      ...bad(['password', 'PASSWORD_REQUIRED']),
    },
    {
      title: 'login: no email',
      call: post('login', () => ({ provider: 'EMAIL', password: 'x' })),
      ...bad(['email', 'REQUIRED']),
    },
    {
      title: 'login: malformed email',
      call: post('login', () => ({ provider: 'EMAIL', email: 'x', password: 'x' })),
      ...bad(['email', 'INVALID_EMAIL']),
    },
    {
      title: 'login: wrong types',
      call: post('login', () => ({ provider: 'EMAIL', email: 5, password: ['x'] })),
      ...bad(['email', 'INVALID_TYPE'], ['password', 'INVALID_TYPE']),
    },
    {
      title: 'login: no provider',
      call: post('login', () => ({ email: existingEmail })),
      ...bad(['provider', 'REQUIRED']),
    },
    {
      title: 'login: unknown provider',
      call: post('login', () => ({ provider: 'MAGIC' })),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    {
      title: 'login: provider API',
      call: post('login', () => ({ provider: 'API' })),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    {
      title: 'login: unknown provider as an enum',
      call: post('login', () => ({ signInWith: 'MAGIC' })),
      ...bad(['signInWith', 'INVALID_VALUE']),
    },
    {
      title: 'login: provider twice',
      call: post('login', () => ({ provider: 'GUEST', signInWith: 'GUEST' })),
      ...bad(['signInWith', 'INVALID_VALUE']),
    },
    {
      title: 'login: malformed guest phone',
      call: post('login', () => ({ provider: 'GUEST', phoneNumber: 'call me' })),
      ...bad(['phoneNumber', 'INVALID_PHONE_NUMBER']),
    },
    {
      title: 'login: OAuth without code',
      call: post('login', () => ({ provider: 'OAUTH_IDP', originUrl: 'http://shop.test' })),
      ...bad(['code', 'REQUIRED']),
    },
    {
      title: 'login: OAuth from a foreign origin',
      call: post('login', () => ({ provider: 'OAUTH_IDP', code: 'x', originUrl: 'http://evil.example' })),
      ...invalid(['originUrl', 'INVALID_ORIGIN_URI']),
    },
    {
      title: 'login: OAuth not configured',
      call: post('login', () => ({ provider: 'OAUTH_IDP', code: 'x', originUrl: 'http://shop.test' })),
      ...bad(['provider', 'NOT_CONFIGURED']),
    },
    {
      title: 'login/url: not configured',
      call: url('http://shop.test', 'http://shop.test/done'),
      ...bad(['provider', 'NOT_CONFIGURED']),
    },
    {
      title: 'login/url: other provider',
      call: url('http://shop.test', 'http://shop.test/done', 'EMAIL'),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    {
      title: 'login/url: unknown provider',
      call: url('http://shop.test', 'http://shop.test/done', 'NOPE'),
      ...bad(['provider', 'INVALID_PROVIDER']),
    },
    {
      title: 'login/url: foreign addresses',
      call: url('http://evil.example', 'http://evil.example/x'),
      ...invalid(['originUrl', 'INVALID_ORIGIN_URI'], ['redirectUrl', 'INVALID_REDIRECT_URI']),
    },
    {
      title: 'login/url: script as redirect',
      call: url('http://shop.test', 'javascript:alert(1)'),
      ...invalid(['redirectUrl', 'INVALID_REDIRECT_URI']),
    },
    {
      title: 'login/url: no arguments',
      call: get('login/url'),
      ...invalid(['originUrl', 'REQUIRED'], ['redirectUrl', 'REQUIRED']),
    },
  ]);

  it('are the same in GraphQL', async () => {
    const login = (input: object) =>
      t.graphql('mutation($input: LoginInput!) { login(input: $input) { auth { userId } } }', { input });
    const cases = [
      [{ provider: 'EMAIL', email: existingEmail, password: 'wrong' }, 'VALIDATION_FAILED', 'PASSWORD_WRONG'],
      [
        { provider: 'EMAIL', email: unconfirmedEmail, password: validPassword },
        'VALIDATION_FAILED',
        'NOT_CONFIRMED',
      ],
      [{ provider: 'EMAIL', email: existingEmail }, 'BAD_REQUEST', 'PASSWORD_REQUIRED'],
      [{ provider: 'NOPE' }, 'BAD_REQUEST', 'INVALID_PROVIDER'],
      [{ signInWith: 'EMAIL', email: existingEmail }, 'BAD_REQUEST', 'PASSWORD_REQUIRED'],
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
