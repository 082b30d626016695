/** Rotation of refresh tokens for clients that request it, detection of reused tokens, and clients that never rotate. */
import { describe, expect, it } from 'vitest';
import { type Account, type AuthResponse, createAccount, signIn } from '../support/accounts.ts';
import { later, me, refresh, t } from './abuse-setup.ts';

const rotate = (refreshToken: string) =>
  t.rest<AuthResponse>('POST', '/v1/users/refresh', { body: { refreshToken, rotate: true } });
const rotatedToken = async (refreshToken: string) => (await rotate(refreshToken)).body.refreshToken;
const statusOf = async (request: Promise<{ status: number }>) => (await request).status;
interface RefreshClaims {
  sub: string;
  email?: string;
  provider: string;
  exp: number | null;
}

const claimsOf = (token: string): RefreshClaims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const lastSignOut = async (as: Account) => {
  const { data } = await t.graphql(
    '{ me { securityEvents(first: 20) { nodes { type reason } } } }',
    {},
    { as },
  );
  const { nodes } = (
    data as unknown as { me: { securityEvents: { nodes: { type: string; reason: string | null }[] } } }
  ).me.securityEvents;
  return nodes.find(({ type }) => type === 'SIGNED_OUT');
};

describe('refresh without rotation', () => {
  it('returns the same token, which works for any number of times', async () => {
    const person = await createAccount(t);
    for (let day = 1; day <= 3; day += 1) {
      later(24 * 3600);
      const { status, body } = await refresh(person.refreshToken);
      expect([status, body.refreshToken]).toEqual([200, person.refreshToken]);
    }
    const pinned = await t.rest<AuthResponse>('POST', '/v1/users/refresh-access-token', {
      body: { refreshToken: person.refreshToken },
      headers: { 'x-duet-version': '2026-11-01' },
    });
    expect([pinned.status, pinned.body.refreshToken]).toEqual([200, person.refreshToken]);
  });

  it('rejects a `rotate` that is no boolean, and changes nothing', async () => {
    const person = await createAccount(t);
    const answer = await t.rest<{ details: object[] }>('POST', '/v1/users/refresh', {
      body: { refreshToken: person.refreshToken, rotate: 'yes' },
    });
    expect([answer.status, answer.body.details]).toMatchObject([422, [{ field: 'rotate' }]]);
    expect((await refresh(person.refreshToken)).body.refreshToken).toBe(person.refreshToken);
  });
});

describe('refresh with rotation', () => {
  it('replaces the token, with the documented claims', async () => {
    const person = await createAccount(t);
    const first = await rotate(person.refreshToken);
    expect(first.status).toBe(200);
    expect(first.body.refreshToken).not.toBe(person.refreshToken);
    const { sub, email, provider, exp } = claimsOf(person.refreshToken);
    expect(exp).toBeNull();
    expect(claimsOf(first.body.refreshToken)).toMatchObject({ sub, email, provider, exp });
    later(61);
    const second = await rotate(first.body.refreshToken);
    expect([second.status, await statusOf(me({ ...person, token: second.body.accessToken }))]).toEqual([
      200, 200,
    ]);
    expect(second.body.refreshToken).not.toBe(first.body.refreshToken);
  });

  it('works over GraphQL', async () => {
    const { refreshToken } = await createAccount(t);
    const { data } = await t.graphql(
      'mutation ($input: RefreshInput!) { refresh(input: $input) { auth { refreshToken } } }',
      { input: { refreshToken, rotate: true } },
    );
    const rotated = (data as unknown as { refresh: { auth: AuthResponse } }).refresh.auth.refreshToken;
    expect(rotated).not.toBe(refreshToken);
    expect(await statusOf(refresh(rotated))).toBe(200);
  });

  it('applies to every later refresh of the session, also without `rotate`', async () => {
    const person = await createAccount(t);
    const first = await rotatedToken(person.refreshToken);
    later(61);
    const second = await refresh(first);
    expect([second.status, second.body.refreshToken === first]).toEqual([200, false]);
  });

  it('keeps the expiry of a guest', async () => {
    const guest = await t.rest<AuthResponse>('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
    later(20 * 24 * 3600);
    const token = await rotatedToken(guest.body.refreshToken);
    expect(claimsOf(token).exp).toBe(claimsOf(guest.body.refreshToken).exp);
    later(11 * 24 * 3600);
    expect(await statusOf(refresh(token))).toBe(401);
  });

  it('gives parallel tabs the same token', async () => {
    const { refreshToken } = await createAccount(t);
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
    // A tab that reloads several times retires no token that another tab still has.
    const token = answers[0]?.body.refreshToken ?? '';
    for (let reload = 0; reload < 3; reload += 1) expect(await rotatedToken(token)).toBe(token);
    later(50);
    expect(await rotatedToken(refreshToken)).toBe(token);
  });

  it.each([
    ['the first token', 0],
    ['a rotated token', 1],
    ['an older token', 2],
  ])('ends the session when %s is used again after the grace period', async (_name, rotations) => {
    const person = await createAccount(t);
    const tokens = [person.refreshToken];
    for (let count = 0; count <= 2; count += 1) {
      tokens.push(await rotatedToken(tokens.at(-1) ?? ''));
      later(61);
    }
    const newest = await rotate(tokens.at(-1) ?? '');
    later(61);
    const access = { ...person, token: newest.body.accessToken };
    expect(await statusOf(me(access))).toBe(200);
    expect(await statusOf(rotate(tokens[rotations] ?? ''))).toBe(401);
    expect(await statusOf(me(access))).toBe(401);
    expect(await statusOf(rotate(newest.body.refreshToken))).toBe(401);
    const again = await signIn(t, person.email);
    expect(await lastSignOut(again)).toEqual({ type: 'SIGNED_OUT', reason: 'REFRESH_TOKEN_REUSED' });
  });

  it('ends only the session of the reused token', async () => {
    const person = await createAccount(t);
    const other = await signIn(t, person.email);
    await rotate(person.refreshToken);
    later(61);
    expect(await statusOf(refresh(person.refreshToken))).toBe(401);
    expect(await statusOf(refresh(other.refreshToken))).toBe(200);
  });

  it('ends with a sign-out by any token of the session', async () => {
    const person = await createAccount(t);
    const token = await rotatedToken(person.refreshToken);
    const logout = await t.rest('POST', '/v1/users/logout', { body: { token } });
    expect(logout.status).toBe(200);
    expect(await statusOf(rotate(token))).toBe(401);
    expect(await statusOf(rotate(person.refreshToken))).toBe(401);
    expect(await lastSignOut(await signIn(t, person.email))).toEqual({ type: 'SIGNED_OUT', reason: null });
  });
});
