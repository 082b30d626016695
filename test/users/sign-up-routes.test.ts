/** Registration, confirmation, login, refresh, logout and guests over REST (with aliases) and GraphQL. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import {
  type AuthResponse,
  createAccount,
  latestMailToken,
  registerAccount,
  registerConfirmedAccount,
  signIn,
  uniqueEmail,
  validPassword,
} from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
});

const jwt = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
const seconds = () => Math.floor(Date.now() / 1000);
const success = { success: true };

describe('register and confirm', () => {
  it('accepts the documented body, sends one mail with a link, and the account works after confirmation', async () => {
    const email = uniqueEmail();
    const body = {
      provider: 'EMAIL_REGISTER',
      email,
      password: validPassword,
      reserveDomain: 'http://shop.test',
      firstName: 'Ada',
      lastName: 'Lovelace',
    };
    const answer = await t.rest('POST', '/v1/users/register', { body });
    expect([answer.status, answer.body]).toEqual([200, success]);
    const mails = await t.outbox(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Confirm your email address');
    expect(mails[0]?.text).toMatch(/http:\/\/shop\.test\/confirm\?token=\S+/);
    expect(mails[0]?.html).toContain('href="http://shop.test/confirm?token=');

    const early = await t.rest('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email, password: validPassword },
    });
    expect([early.status, early.body]).toMatchObject([
      422,
      { error: 'VALIDATION_FAILED', details: [{ field: 'email', error: 'NOT_CONFIRMED' }] },
    ]);
    const confirm = await t.rest('PUT', '/v1/users/confirm', {
      body: { token: await latestMailToken(t, email) },
    });
    expect([confirm.status, confirm.body]).toEqual([200, success]);
    const me = await t.rest('GET', '/v1/users/me', { as: await signIn(t, email) });
    expect(me.body).toMatchObject({ name: 'Ada Lovelace', email, isConfirmed: true });
  });

  it('works without provider and reserveDomain, with a link to the pages of the gateway', async () => {
    const email = await registerAccount(t);
    expect((await t.outbox(email))[0]?.text).toMatch(/http:\/\/duet\.test\/account\/confirm\?token=\S+/);
  });

  it('accepts a login with email and password only, over REST and GraphQL', async () => {
    const { email, password } = await createAccount(t);
    const input = { email, password };
    const rest = await t.rest('POST', '/v1/users/login', { body: input });
    expect([rest.status, rest.body.provider]).toEqual([200, 'EMAIL']);
    const { data } = await t.graphql(
      'mutation ($input: LoginInput!) { login(input: $input) { auth { provider } } }',
      {
        input,
      },
    );
    expect(data).toEqual({ login: { auth: { provider: 'EMAIL' } } });
    const wrong = await t.rest('POST', '/v1/users/login', { body: { email, password: 'another one' } });
    expect([wrong.status, wrong.body.details]).toMatchObject([422, [{ error: 'PASSWORD_WRONG' }]]);
  });

  it('works the same over GraphQL', async () => {
    const email = uniqueEmail();
    const answer = await t.graphql(
      'mutation($input: RegisterInput!) { register(input: $input) { success } }',
      {
        input: { email, password: validPassword, name: 'Grace' },
      },
    );
    expect(answer.data).toEqual({ register: success });
    const confirm = await t.graphql('mutation($token: String!) { confirmEmail(token: $token) { success } }', {
      token: await latestMailToken(t, email),
    });
    expect(confirm.data).toEqual({ confirmEmail: success });
    const login = await t.graphql(
      'mutation($input: LoginInput!) { login(input: $input) { auth { userId provider isGuest } } }',
      { input: { provider: 'EMAIL', email, password: validPassword } },
    );
    expect(login.data).toEqual({
      login: { auth: { userId: expect.any(String), provider: 'EMAIL', isGuest: false } },
    });
  });

  it('returns the same response for a retry with the same idempotency key, and sends one mail', async () => {
    const email = uniqueEmail();
    const call = { body: { email, password: validPassword }, headers: { 'idempotency-key': email } };
    const answers = [
      await t.rest('POST', '/v1/users/register', call),
      await t.rest('POST', '/v1/users/register', call),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, success],
      [200, success],
    ]);
    expect(await t.outbox(email)).toHaveLength(1);
  });
});

describe('login, refresh, logout', () => {
  it('returns the complete auth result, with exactly the documented claims', async () => {
    const email = await registerConfirmedAccount(t);
    const { status, body } = await t.rest<AuthResponse>('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email: email.toUpperCase(), password: validPassword },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider: 'EMAIL',
      accessToken: jwt,
      refreshToken: jwt,
      tokenType: 'Bearer',
      expiresAt: expect.any(Number),
      scope: 'user',
      isGuest: false,
    });
    expect(Math.abs(body.expiresAt - seconds() - 3600)).toBeLessThan(5);
    const { userId } = body;
    expect(decodeJwt(body.accessToken)).toEqual({
      sub: userId,
      email,
      provider: 'EMAIL',
      exp: body.expiresAt,
      iat: expect.any(Number),
      jti: expect.any(String),
    });
    const refresh = JSON.parse(Buffer.from(body.refreshToken.split('.')[1] ?? '', 'base64url').toString());
    expect(refresh).toEqual({
      sub: userId,
      email,
      provider: 'EMAIL',
      exp: null,
      iat: expect.any(Number),
      jti: expect.any(String),
    });
    expect(decodeProtectedHeader(body.accessToken).kid).toBe(t.app.services.keys.kid);
  });

  it('signs in the demo users', async () => {
    await seedDemo(t.db);
    for (const email of ['admin@demo.example', 'customer@demo.example']) {
      expect(await signIn(t, email, 'duet-demo-password')).toMatchObject({ email });
    }
  });

  it('refreshes with the same refresh token, under both paths and over GraphQL', async () => {
    const person = await createAccount(t);
    for (const path of ['/v1/users/refresh', '/v1/users/refresh-access-token']) {
      const { status, body } = await t.rest('POST', path, {
        body: { provider: 'EMAIL', refreshToken: person.refreshToken },
      });
      expect([status, body]).toEqual([
        200,
        {
          userId: person.userId,
          provider: 'EMAIL',
          accessToken: jwt,
          refreshToken: person.refreshToken,
          tokenType: 'Bearer',
          expiresAt: expect.any(Number),
          scope: 'user',
          isGuest: false,
        },
      ]);
    }
    const graphql = await t.graphql(
      'mutation($input: RefreshInput!) { refresh(input: $input) { auth { userId refreshToken } } }',
      { input: { refreshToken: person.refreshToken } },
    );
    expect(graphql.data).toEqual({
      refresh: { auth: { userId: person.userId, refreshToken: person.refreshToken } },
    });
  });

  it('ends the session of the request with an empty body, which invalidates both tokens', async () => {
    const person = await createAccount(t);
    const other = await signIn(t, person.email);
    const out = await t.rest('POST', '/v1/users/logout', { as: person, body: {} });
    expect([out.status, out.body]).toEqual([200, success]);
    const refresh = await t.rest('POST', '/v1/users/refresh', {
      body: { refreshToken: person.refreshToken },
    });
    expect([refresh.status, refresh.body]).toMatchObject([401, { error: 'UNAUTHENTICATED', details: [] }]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(401);
    expect((await t.rest('GET', '/v1/users/me', { as: other })).status).toBe(200);
    expect((await t.rest('POST', '/v1/users/logout', { as: person, body: {} })).status).toBe(401);
  });

  it('ends the session of a token in the body, and fails without any token', async () => {
    const person = await createAccount(t);
    const out = await t.rest('POST', '/v1/users/logout', {
      body: { provider: 'EMAIL', token: person.refreshToken, originUrl: 'http://shop.test' },
    });
    expect([out.status, out.body]).toEqual([200, success]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(401);
    expect((await t.rest('POST', '/v1/users/logout', { body: {} })).status).toBe(401);
    const graphql = await t.graphql(
      'mutation { logout(input: {}) { success } }',
      {},
      { as: await createAccount(t) },
    );
    expect(graphql.data).toEqual({ logout: success });
  });
});

describe('guests', () => {
  it('get their own tokens with or without a phone number', async () => {
    for (const body of [{ provider: 'GUEST', phoneNumber: '+49 30 123456' }, { provider: 'GUEST' }]) {
      const answer = await t.rest<AuthResponse>('POST', '/v1/users/login', { body });
      expect(answer.body).toEqual({
        userId: expect.any(String),
        provider: 'GUEST',
        accessToken: jwt,
        refreshToken: jwt,
        tokenType: 'Bearer',
        expiresAt: expect.any(Number),
        scope: 'guest',
        isGuest: true,
      });
      const claims = decodeJwt(answer.body.refreshToken);
      expect(claims).not.toHaveProperty('email');
      expect(Math.abs((claims.exp ?? 0) - seconds() - 30 * 24 * 3600)).toBeLessThan(5);
      const me = await t.rest('GET', '/v1/users/me', {
        as: { userId: answer.body.userId, token: answer.body.accessToken },
      });
      expect(me.body).toEqual({
        id: answer.body.userId,
        name: '',
        isConfirmed: false,
        phoneNumbers: body.phoneNumber ? ['+4930123456'] : [],
        addresses: [],
        roleIds: [],
        roles: [],
        apiTokens: [],
        businessUserConfigs: [],
        lifecycle: { lastLoginAt: expect.any(Number), onboardingCompleted: false },
        version: 1,
      });
    }
  });
});
