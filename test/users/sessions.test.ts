/** Sessions, API keys and roles of the own account, and the security mails about them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { now } from '../../src/lib/time.ts';
import {
  createAccount,
  latestMailToken,
  registerConfirmedAccount,
  signIn,
  validPassword,
} from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ TRUST_PROXY: 'on', RATE_LIMIT: 'off' });
});

interface SessionBody {
  id: string;
  isCurrent: boolean;
}

const sessionsOf = async (as: Person) =>
  (await t.rest<{ items: SessionBody[]; cursor: string | null }>('GET', '/v1/users/me/sessions', { as }))
    .body;
const statusOf = async (as: Person) => (await t.rest('GET', '/v1/users/me', { as })).status;
const subjectsTo = async (email: string) => (await t.outbox(email)).map(({ subject }) => subject);
const setKeys = (as: Person, apiTokens: object[]) =>
  t.rest<{ details: { field: string; error: string }[]; apiTokens: object[] }>('PUT', '/v1/users', {
    as,
    body: { apiTokens },
  });
const freshKey = () => `key-${crypto.randomUUID()}`;

describe('sessions', () => {
  it('are listed newest first, and ended one by one', async () => {
    const first = await createAccount(t);
    const second = await signIn(t, first.email);
    const { items, cursor } = await sessionsOf(first);
    expect(cursor).toBeNull();
    expect(items).toEqual([
      {
        id: expect.any(String),
        provider: 'EMAIL',
        address: expect.any(String),
        isCurrent: false,
        createdAt: expect.any(Number),
        lastSeenAt: expect.any(Number),
      },
      expect.objectContaining({ isCurrent: true }),
    ]);
    const other = `/v1/users/me/sessions/${items[0]?.id}`;
    const stranger = await createAccount(t);
    expect((await t.rest('DELETE', other, { as: stranger })).status).toBe(404);
    const ended = await t.rest('DELETE', other, { as: first });
    expect([ended.status, ended.body]).toEqual([200, { id: items[0]?.id, deleted: true }]);
    expect((await t.rest('DELETE', other, { as: first })).status).toBe(404);
    expect([await statusOf(first), await statusOf(second), await statusOf(stranger)]).toEqual([
      200, 401, 200,
    ]);
    const refresh = await t.rest('POST', '/v1/users/refresh', {
      body: { refreshToken: second.refreshToken },
    });
    expect(refresh.status).toBe(401);
  });

  it('are ended all at once, also over GraphQL', async () => {
    const first = await createAccount(t);
    const second = await signIn(t, first.email);
    const all = await t.graphql('mutation { revokeAllSessions { success } }', {}, { as: first });
    expect(all.data).toEqual({ revokeAllSessions: { success: true } });
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
  });

  it('stay open after a logout with an unknown provider', async () => {
    const person = await createAccount(t);
    const answer = await t.rest<{ details: object[] }>('POST', '/v1/users/logout', {
      as: person,
      body: { provider: 'FACEBOOK' },
    });
    expect([answer.status, answer.body.details]).toMatchObject([400, [{ error: 'INVALID_PROVIDER' }]]);
    expect(await statusOf(person)).toBe(200);
  });
});

describe('API keys', () => {
  it('have only their own permissions, and show their last use', async () => {
    const shop = await t.shop();
    const person = await createAccount(t);
    await t.addMember(shop, person, 'ADMIN');
    const value = freshKey();
    const created = await setKeys(person, [
      { id: 'k', name: 'Shelf', value, permissions: ['PRODUCTS_WRITE'] },
    ]);
    expect(created.body.apiTokens).toEqual([
      {
        id: 'k',
        name: 'Shelf',
        value: `****${value.slice(-4)}`,
        provider: 'API',
        permissions: ['PRODUCTS_WRITE'],
      },
    ]);
    const key = { userId: person.userId, token: value };
    const base = `/v1/businesses/${shop.businessId}`;
    const product = await t.rest<{ id: string }>('POST', `${base}/products`, {
      as: key,
      body: { name: 'Cup', status: 'DRAFT' },
    });
    expect(product.status).toBe(200);
    const draft = `${base}/products/${product.body.id}`;
    expect((await t.rest('GET', draft, { as: key })).status).toBe(200);
    expect((await t.rest('GET', `${base}/promo-codes`, { as: key })).status).toBe(403);
    // A restricted key cannot manage the account of its owner.
    expect((await setKeys(key, [])).status).toBe(403);
    expect((await t.rest('DELETE', '/v1/users/me/sessions', { as: key })).status).toBe(403);
    await setKeys(person, [{ id: 'k', permissions: ['ORDERS_READ'] }]);
    expect((await t.rest('GET', draft, { as: key })).status).toBe(404);
    const me = await t.rest<{ apiTokens: { lastUsedAt: number }[] }>('GET', '/v1/users/me', { as: person });
    expect(Math.abs((me.body.apiTokens[0]?.lastUsedAt ?? 0) - now())).toBeLessThan(120);
  });

  it('cannot have a permission that their user lacks, or an expiry time in the past', async () => {
    const person = await createAccount(t);
    const excess = await setKeys(person, [{ value: freshKey(), permissions: ['ADMIN'] }]);
    expect([excess.status, excess.body.details]).toMatchObject([
      422,
      [{ field: 'apiTokens.0.permissions', error: 'PERMISSION_NOT_HELD' }],
    ]);
    const late = await setKeys(person, [{ value: freshKey(), expiresAt: now() - 1 }]);
    expect([late.status, late.body.details]).toMatchObject([422, [{ field: 'apiTokens.0.expiresAt' }]]);
  });

  it('are revoked by a password reset, unless keepApiTokens is set', async () => {
    for (const [keepApiTokens, status] of [
      [undefined, 401],
      [true, 200],
    ] as const) {
      const person = await createAccount(t);
      const value = freshKey();
      await setKeys(person, [{ value }]);
      await t.rest('POST', '/v1/users/forgot-password', { body: { email: person.email } });
      const token = await latestMailToken(t, person.email);
      const reset = await t.rest('POST', '/v1/users/reset-forgot-password', {
        body: { token, password: 'seven quiet lanterns', keepApiTokens },
      });
      expect(reset.status).toBe(200);
      expect(await statusOf({ userId: person.userId, token: value })).toBe(status);
    }
  });
});

describe('mails', () => {
  it('report new API keys, sign-ins from new networks and password changes, but no sign-ins from a known network', async () => {
    const email = await registerConfirmedAccount(t);
    const from = (address: string) =>
      t.rest<{ accessToken: string }>('POST', '/v1/users/login', {
        body: { provider: 'EMAIL', email, password: validPassword },
        headers: { 'x-forwarded-for': address },
      });
    await from('198.51.100.1');
    await from('198.51.100.1');
    expect(await subjectsTo(email)).toEqual(['Confirm your email address']);
    const { body } = await from('2001:db8::1');
    await from('2001:db8::2');
    const as = { userId: '', token: body.accessToken };
    await setKeys(as, [{ value: freshKey() }]);
    await t.rest('POST', '/v1/users/reset-password', {
      as,
      body: { oldPassword: validPassword, newPassword: 'seven quiet lanterns' },
    });
    const mails = await t.outbox(email);
    expect(mails.map(({ subject }) => subject).slice(1)).toEqual([
      'Sign-in from a new location',
      'A new API key',
      'Your password was changed',
    ]);
    expect(mails[1]?.text).toContain('2001:db8::1');
  });

  it('report an assigned role, without text that other users chose', async () => {
    const shop = await t.shop();
    const person = await createAccount(t);
    await t.db.prisma.business.update({
      where: { id: shop.businessId },
      data: { name: 'Buy at evil.example' },
    });
    const body = { userId: person.userId, roleId: shop.roles.EDITOR };
    expect((await t.rest('PUT', '/v1/users/set-role', { as: shop.admin, body })).status).toBe(200);
    const mail = (await t.outbox(person.email)).at(-1);
    expect(mail?.subject).toBe('You were given a role');
    expect(mail?.text).not.toContain('evil');
  });
});

describe('leaving', () => {
  const assign = (shop: { admin: Person; roles: Record<string, string> }, person: Person, role: string) =>
    t.rest('PUT', '/v1/users/set-role', {
      as: shop.admin,
      body: { userId: person.userId, roleId: shop.roles[role] },
    });

  it('a business removes the role', async () => {
    const shop = await t.shop();
    const person = await createAccount(t);
    await assign(shop, person, 'EDITOR');
    const path = `/v1/users/me/businesses/${shop.businessId}`;
    const response = await t.rest('DELETE', path, { as: person });
    expect([response.status, response.body]).toEqual([200, { id: shop.businessId, deleted: true }]);
    expect((await t.rest('DELETE', path, { as: person })).status).toBe(404);
    const founder = await t.rest<{ details: object[] }>('DELETE', path, { as: shop.admin });
    expect([founder.status, founder.body.details]).toMatchObject([422, [{ error: 'LAST_ADMIN' }]]);
  });

  it('is possible for the last member when another user assigned the role', async () => {
    for (const way of ['leave', 'delete']) {
      const shop = await t.shop();
      const victim = await createAccount(t);
      await assign(shop, victim, 'ADMIN');
      await t.rest('DELETE', `/v1/users/me/businesses/${shop.businessId}`, { as: shop.admin });
      const { status } =
        way === 'leave'
          ? await t.rest('DELETE', `/v1/users/me/businesses/${shop.businessId}`, { as: victim })
          : await t.rest('POST', '/v1/users/me/delete', { as: victim, body: { password: victim.password } });
      expect([way, status]).toEqual([way, 200]);
      expect(await t.db.prisma.membership.count({ where: { businessId: shop.businessId } })).toBe(0);
    }
  });

  it('is possible with a role that another user assigned, and keeps the security events of the business', async () => {
    const shop = await t.shop();
    const victim = await createAccount(t);
    const heir = await createAccount(t);
    await assign(shop, victim, 'ADMIN');
    await assign(shop, heir, 'EDITOR');
    await t.rest('DELETE', `/v1/users/me/businesses/${shop.businessId}`, { as: shop.admin });
    const deletion = await t.graphql(
      'mutation($p: String) { deleteMe(password: $p) { id: deletedId } }',
      { p: victim.password },
      { as: victim },
    );
    expect(deletion.errors).toEqual([]);
    const events = await t.db.prisma.securityEvent.findMany({ where: { userId: victim.userId } });
    expect(events.map(({ type, businessId }) => [type, businessId])).toEqual([
      ['ROLE_CHANGED', shop.businessId],
    ]);
  });
});
