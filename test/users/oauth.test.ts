/** OAuth sign-in with a real OpenID Connect provider, including invalid and hostile flows. */
import { beforeAll, describe, expect, it } from 'vitest';
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
import { type OidcProvider, startOidcProvider } from '../support/oidc.ts';

const callback = 'http://duet.test/v1/users/login/callback';
const origin = 'http://shop.test';
const redirectUrl = 'http://shop.test/signed-in?tab=orders';

let t: TestApp;
let oidc: OidcProvider;

const environment = ({ issuer, clientId, clientSecret }: OidcProvider) => ({
  RATE_LIMIT: 'off',
  PUBLIC_URL: 'http://duet.test',
  ALLOWED_ORIGINS: 'http://shop.test,http://admin.test',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: 'ACME_ID',
});

beforeAll(async () => {
  oidc = await startOidcProvider(callback);
  t = await testApp(environment(oidc));
});

const loginUrl = async (provider = 'OAUTH_IDP', app = t): Promise<string> => {
  const query = new URLSearchParams({ provider, originUrl: origin, redirectUrl });
  const { status, body } = await app.rest<{ url: string }>('GET', `/v1/users/login/url?${query}`);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['url']);
  return body.url;
};

/** Callback request of the browser. */
const followCallback = async (url: URL, app = t): Promise<Response> => app.app.fetch(new Request(url));

const redirectOf = (response: Response): URL => {
  expect(response.status).toBe(302);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return new URL(response.headers.get('location') ?? '');
};

const roundTrip = async (accountId: string, app = t, provider = oidc): Promise<URL> =>
  redirectOf(await followCallback(await provider.signIn(await loginUrl('OAUTH_IDP', app), accountId), app));

const login = (code: string, originUrl = origin, provider = 'OAUTH_IDP') =>
  t.rest<AuthResponse & { error: string; details: { field: string; error: string }[] }>(
    'POST',
    '/v1/users/login',
    {
      body: { provider, code, originUrl },
    },
  );

const codeOf = (url: URL) => url.searchParams.get('code') ?? '';

const addIdentity = (email = uniqueEmail(), more: object = { email_verified: true, name: 'Olive Id' }) => {
  const id = crypto.randomUUID();
  oidc.accounts.set(id, { email, ...more });
  return { id, email };
};

describe('the code flow', () => {
  it('leads from the login URL to an account, with PKCE, state and nonce', async () => {
    const { id, email } = addIdentity();
    const url = new URL(await loginUrl());
    expect(url.origin).toBe(oidc.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'duet',
      response_type: 'code',
      redirect_uri: callback,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid email profile',
    });
    const redirect = redirectOf(await followCallback(await oidc.signIn(url.href, id)));
    expect(redirect.origin + redirect.pathname).toBe('http://shop.test/signed-in');
    expect([...redirect.searchParams.keys()]).toEqual(['tab', 'code']);
    const { status, body } = await login(codeOf(redirect));
    expect(status).toBe(200);
    expect(body).toEqual({
      userId: expect.any(String),
      provider: 'OAUTH_IDP',
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresAt: expect.any(Number),
      scope: 'user',
      isGuest: false,
    });
    const me = await t.rest('GET', '/v1/users/me', { as: { userId: body.userId, token: body.accessToken } });
    expect(me.body).toMatchObject({ id: body.userId, name: 'Olive Id', email, isConfirmed: true });
    const again = await login(codeOf(await roundTrip(id)));
    expect(again.body.userId).toBe(body.userId);
    const refreshed = await t.rest<AuthResponse>('POST', '/v1/users/refresh', {
      body: { provider: 'OAUTH_IDP', refreshToken: body.refreshToken },
    });
    expect(refreshed.body).toMatchObject({ provider: 'OAUTH_IDP', refreshToken: body.refreshToken });
  });

  it('accepts the configured provider name, also over GraphQL', async () => {
    const { id } = addIdentity();
    const answer = await t.graphql(
      'query($o: String!, $r: String!) { loginUrl(provider: "ACME_ID", originUrl: $o, redirectUrl: $r) }',
      { o: origin, r: redirectUrl },
    );
    const url = String(answer.data?.loginUrl);
    const redirect = redirectOf(await followCallback(await oidc.signIn(url, id)));
    expect((await login(codeOf(redirect), origin, 'ACME_ID')).body.provider).toBe('OAUTH_IDP');
  });

  it('works with claims in the ID token', async () => {
    const provider = await startOidcProvider(callback, { claimsInIdToken: true });
    const app = await testApp(environment(provider));
    provider.accounts.set('olive', { email: 'olive@people.example', email_verified: true });
    expect(codeOf(await roundTrip('olive', app, provider))).not.toBe('');
  });

  it('keeps the account when the email address at the provider changes', async () => {
    const { id } = addIdentity();
    const first = await login(codeOf(await roundTrip(id)));
    oidc.accounts.set(id, { email: uniqueEmail(), email_verified: true });
    const second = await login(codeOf(await roundTrip(id)));
    expect(second.body.userId).toBe(first.body.userId);
  });
});

describe('signing out', () => {
  it('revokes the token of the provider once', async () => {
    const { id } = addIdentity();
    const { body } = await login(codeOf(await roundTrip(id)));
    const before = oidc.revokedTokens();
    const out = await t.rest('POST', '/v1/users/logout', {
      as: { userId: body.userId, token: body.accessToken },
      body: { provider: 'OAUTH_IDP', token: body.refreshToken, originUrl: origin },
    });
    expect([out.status, out.body]).toEqual([200, { success: true }]);
    await t.app.drainJobs();
    expect(oidc.revokedTokens()).toBe(before + 1);
    const refresh = await t.rest('POST', '/v1/users/refresh', { body: { refreshToken: body.refreshToken } });
    expect(refresh.status).toBe(401);
    await t.app.drainJobs();
    expect(oidc.revokedTokens()).toBe(before + 1);
  });

  it('stores the token of the provider encrypted', async () => {
    const { id } = addIdentity();
    const { body } = await login(codeOf(await roundTrip(id)));
    const session = await t.db.prisma.session.findFirst({ where: { userId: body.userId } });
    expect(session?.providerToken).toMatch(/^[\w-]{60,}$/);
  });
});

describe('linking an identity', () => {
  it('removes the password of an unconfirmed registration with the same address', async () => {
    const email = await registerAccount(t);
    const token = await latestMailToken(t, email);
    const { id } = addIdentity(email);
    const { body } = await login(codeOf(await roundTrip(id)));
    const me = await t.rest('GET', '/v1/users/me', { as: { userId: body.userId, token: body.accessToken } });
    expect(me.body).toMatchObject({ email, isConfirmed: true, name: 'Olive Id' });
    await expect(signIn(t, email, validPassword)).rejects.toThrow('PASSWORD_WRONG');
    // The confirmation link of the attacker's registration does not work either.
    expect((await t.rest('PUT', '/v1/users/confirm', { body: { token } })).status).toBe(422);
    await expect(signIn(t, email, validPassword)).rejects.toThrow('PASSWORD_WRONG');
  });

  it('keeps the password of a confirmed account', async () => {
    const person = await createAccount(t);
    const { id } = addIdentity(person.email.toUpperCase());
    const { body } = await login(codeOf(await roundTrip(id)));
    expect(body.userId).toBe(person.userId);
    expect((await signIn(t, person.email)).userId).toBe(person.userId);
  });

  it.each([
    ['unverified', { email_verified: false }],
    ['without a verification claim', {}],
    ['with a verification claim that is a string', { email_verified: 'true' as unknown as boolean }],
    ['missing', { email: undefined as unknown as string, email_verified: true }],
  ])('requires a verified email: %s', async (_what, claims) => {
    const email = await registerConfirmedAccount(t);
    const { id } = addIdentity(email, claims);
    const redirect = await roundTrip(id);
    expect(Object.fromEntries(redirect.searchParams)).toEqual({ tab: 'orders', error: 'email_not_verified' });
    expect(await t.db.prisma.identity.count({ where: { subject: id } })).toBe(0);
  });
});

describe('hostile flows', () => {
  it('redirect with an error when the user denies access', async () => {
    const redirect = redirectOf(await followCallback(await oidc.denyConsent(await loginUrl())));
    expect(Object.fromEntries(redirect.searchParams)).toEqual({ tab: 'orders', error: 'access_denied' });
  });

  it('are rejected with a state that is wrong, missing or used', async () => {
    const { id } = addIdentity();
    const back = await oidc.signIn(await loginUrl(), id);
    const wrong = new URL(back);
    wrong.searchParams.set('state', 'x'.repeat(43));
    const missing = new URL(back);
    missing.searchParams.delete('state');
    for (const url of [wrong, missing]) {
      const response = await followCallback(url);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ details: [{ field: 'state', error: 'INVALID_STATE' }] });
    }
    expect(codeOf(redirectOf(await followCallback(back)))).not.toBe('');
    expect((await followCallback(back)).status).toBe(422);
  });

  it('are rejected with the code of another flow', async () => {
    const { id } = addIdentity();
    const [mine, theirs] = [await oidc.signIn(await loginUrl(), id), await oidc.signIn(await loginUrl(), id)];
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    const redirect = redirectOf(await followCallback(mine));
    expect(Object.fromEntries(redirect.searchParams)).toEqual({ tab: 'orders', error: 'access_denied' });
  });

  it('issue a code that works once, for a minute, at its origin', async () => {
    const { id } = addIdentity();
    const code = codeOf(await roundTrip(id));
    expect((await login(code)).status).toBe(200);
    expect(await login(code)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'code', error: 'INVALID_CODE' }] },
    });
    const stolen = codeOf(await roundTrip(id));
    expect(await login(stolen, 'http://admin.test')).toMatchObject({
      status: 422,
      body: { details: [{ field: 'originUrl', error: 'INVALID_ORIGIN_URI' }] },
    });
    expect((await login(stolen)).status).toBe(422);
    const late = codeOf(await roundTrip(id));
    await t.db.write('update login_codes set expires_at = expires_at - 61');
    expect((await login(late)).status).toBe(422);
    const race = codeOf(await roundTrip(id));
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(race)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });

  it('are rejected with an origin or redirect URL that is not allowed', async () => {
    const requestUrl = (originUrl: string, redirect: string) =>
      t.rest<{ details: { error: string }[] }>(
        'GET',
        `/v1/users/login/url?${new URLSearchParams({ provider: 'OAUTH_IDP', originUrl, redirectUrl: redirect })}`,
      );
    const stranger = 'https://evil.example';
    expect((await requestUrl(stranger, redirectUrl)).body.details.map(({ error }) => error)).toEqual([
      'INVALID_ORIGIN_URI',
    ]);
    for (const redirect of [
      stranger,
      'http://shop.test.evil.example/',
      'http://shop.test@evil.example/',
      '//evil.example',
      'data:text/html,x',
    ]) {
      const answer = await requestUrl(origin, redirect);
      expect([answer.status, answer.body.details.map(({ error }) => error)]).toEqual([
        422,
        ['INVALID_REDIRECT_URI'],
      ]);
    }
  });

  it('respond UNAVAILABLE when the provider is unreachable', async () => {
    const app = await testApp({ ...environment(oidc), OIDC_ISSUER: 'http://127.0.0.1:9' });
    const query = new URLSearchParams({ provider: 'OAUTH_IDP', originUrl: origin, redirectUrl });
    const answer = await app.rest('GET', `/v1/users/login/url?${query}`);
    expect([answer.status, answer.body]).toMatchObject([503, { error: 'UNAVAILABLE' }]);
  });
});
