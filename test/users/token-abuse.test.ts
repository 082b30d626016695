/** Abuse of one-time, access and refresh tokens, guest sessions and API keys. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import {
  type AuthResponse,
  createAccount,
  latestMailToken,
  registerAccount,
  registerConfirmedAccount,
  signIn,
  validPassword,
} from '../support/accounts.ts';
import type { Person } from '../support/app.ts';
import {
  confirm,
  type ErrorBody,
  forgot,
  invalidToken,
  later,
  me,
  refresh,
  reset,
  t,
} from './abuse-setup.ts';

describe('confirmation and reset tokens', () => {
  it('work once', async () => {
    const email = await registerAccount(t);
    const token = await latestMailToken(t, email);
    expect((await confirm(token)).status).toBe(200);
    expect(await confirm(token)).toMatchObject(invalidToken);
    const resetToken = await forgot(email);
    expect((await reset(resetToken)).status).toBe(200);
    expect(await reset(resetToken)).toMatchObject(invalidToken);
  });

  it('work once, also with concurrent requests', async () => {
    const token = await forgot(await registerConfirmedAccount(t));
    const answers = await Promise.all(Array.from({ length: 5 }, () => reset(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });

  it('expire after an hour', async () => {
    const [email, other] = [await registerAccount(t), await registerAccount(t)];
    const [token, otherToken] = [await latestMailToken(t, email), await latestMailToken(t, other)];
    const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(exp - iat).toBe(3600);
    const resetToken = await forgot(email);
    later(3590);
    expect((await confirm(token)).status).toBe(200);
    later(11);
    expect(await confirm(otherToken)).toMatchObject(invalidToken);
    expect(await reset(resetToken)).toMatchObject(invalidToken);
  });

  it('are rejected after tampering', async () => {
    const email = await registerAccount(t);
    const victim = await createAccount(t);
    const token = await latestMailToken(t, email);
    const [header, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      `${header}.${encode({ ...claims, sub: victim.userId })}.${signature}`,
      `${header}.${encode({ ...claims, exp: claims.exp + 9999 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'confirm+jwt' })}.${payload}.`,
      `${header}.${payload}.${signature?.split('').reverse().join('')}`,
      `${header}.${payload}`,
    ];
    for (const forgery of forged) expect(await confirm(forgery)).toMatchObject(invalidToken);
    expect((await confirm(token)).status).toBe(200);
  });

  it('are valid for one purpose', async () => {
    const email = await registerAccount(t);
    const token = await latestMailToken(t, email);
    expect(await reset(token)).toMatchObject(invalidToken);
    const resetToken = await forgot(email);
    expect(await confirm(resetToken)).toMatchObject(invalidToken);
    const person = await createAccount(t);
    expect(await confirm(person.token)).toMatchObject(invalidToken);
    expect(await reset(person.refreshToken)).toMatchObject(invalidToken);
    expect((await me({ ...person, token })).status).toBe(401);
    expect((await refresh(resetToken)).status).toBe(401);
  });

  it('are invalid after a password change', async () => {
    const person = await createAccount(t);
    const first = await forgot(person.email);
    const second = await forgot(person.email);
    expect((await reset(second)).status).toBe(200);
    expect(await reset(first)).toMatchObject(invalidToken);
    const again = await signIn(t, person.email, 'brand new otter song');
    const third = await forgot(person.email);
    await t.rest('POST', '/v1/users/reset-password', {
      as: again,
      body: { oldPassword: 'brand new otter song', newPassword: 'the newest otter song' },
    });
    expect(await reset(third)).toMatchObject(invalidToken);
    await signIn(t, person.email, 'the newest otter song');
  });
});

describe('access and refresh tokens', () => {
  it.each<[authorization: (token: string) => string, status: number]>([
    [(token) => `Bearer ${token}`, 200],
    [(token) => `bearer ${token}`, 200],
    [(token) => `BEARER   ${token}`, 200],
    [(token) => token, 401],
    [(token) => `Bearer${token}`, 401],
    [(token) => `Basic ${token}`, 401],
    [(token) => `Bearer ${token} ${token}`, 401],
    [(token) => `Bearer x ${token}`, 401],
    [(token) => `Bearer ${token}.x`, 401],
    [(token) => `Bearer ${token.split('.').slice(0, 2).join('.')}`, 401],
    [() => 'Bearer', 401],
    [() => 'Bearer .', 401],
  ])('are accepted only as a Bearer token in the Authorization header: %s', async (authorization, status) => {
    const { token } = await createAccount(t);
    const answer = await t.rest('GET', '/v1/users/me', { headers: { authorization: authorization(token) } });
    expect(answer.status).toBe(status);
  });

  it('are not interchangeable', async () => {
    const person = await createAccount(t);
    expect((await refresh(person.token)).status).toBe(401);
    expect((await me({ ...person, token: person.refreshToken })).status).toBe(401);
  });

  it('expire: access tokens after an hour, refresh tokens of guests after 30 days, others never', async () => {
    const person = await createAccount(t);
    const guest = await t.rest<AuthResponse>('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
    later(3601);
    expect((await me(person)).status).toBe(401);
    expect((await refresh(person.refreshToken)).status).toBe(200);
    expect((await refresh(guest.body.refreshToken)).status).toBe(200);
    later(31 * 24 * 3600);
    expect((await refresh(guest.body.refreshToken)).status).toBe(401);
    later(3650 * 24 * 3600);
    expect((await refresh(person.refreshToken)).status).toBe(200);
  });

  it('of a deleted user are rejected', async () => {
    const person = await createAccount(t);
    const shop = await t.shop();
    await t.addMember(shop, person, 'ADMIN');
    const key = `key-${newId()}`;
    await t.rest('PUT', '/v1/users', {
      as: person,
      body: { apiTokens: [{ id: 'k', name: 'k', value: key }] },
    });
    await t.db.prisma.user.delete({ where: { id: person.userId } });
    expect((await me(person)).status).toBe(401);
    expect((await refresh(person.refreshToken)).status).toBe(401);
    expect((await me({ ...person, token: key })).status).toBe(401);
    const calls = [
      ['PUT', '/v1/users', { name: 'Ghost' }],
      ['POST', '/v1/users/phone-number', { phoneNumber: '+4930123456' }],
      [
        'POST',
        '/v1/users/reset-password',
        { oldPassword: validPassword, newPassword: 'a ghostly otter song' },
      ],
      ['GET', '/v1/users/search', undefined],
      ['POST', `/v1/businesses/${shop.businessId}/products`, { name: 'Ghost' }],
    ] as const;
    for (const [method, path, body] of calls) {
      expect([path, (await t.rest(method, path, { as: person, ...(body ? { body } : {}) })).status]).toEqual([
        path,
        401,
      ]);
    }
  });

  it('of an ended session are rejected at once', async () => {
    const person = await createAccount(t);
    const shop = await t.shop();
    await t.addMember(shop, person, 'ADMIN');
    const roles = () => t.rest('GET', `/v1/businesses/${shop.businessId}/roles`, { as: person });
    expect((await roles()).status).toBe(200);
    await t.rest('POST', '/v1/users/logout', { as: person, body: {} });
    expect((await roles()).status).toBe(401);
    expect((await refresh(person.refreshToken)).status).toBe(401);
  });

  it('with a forged signature do not end the session of another user', async () => {
    const [victim, attacker] = [await createAccount(t), await createAccount(t)];
    const [header, payload] = victim.refreshToken.split('.');
    const forged = `${header}.${payload}.${attacker.refreshToken.split('.')[2]}`;
    await t.rest('POST', '/v1/users/logout', { as: attacker, body: { token: forged } });
    expect((await refresh(victim.refreshToken)).status).toBe(200);
  });
});

describe('guests', () => {
  it('with the phone number of a user get no access to the data of that user', async () => {
    const victim = await createAccount(t);
    await t.rest('PUT', '/v1/users', {
      as: victim,
      body: { name: 'Victim', phoneNumbers: ['+4930999999'], addresses: [{ street: 'Secret 1' }] },
    });
    const login = () =>
      t.rest<AuthResponse>('POST', '/v1/users/login', {
        body: { provider: 'GUEST', phoneNumber: '+4930999999' },
      });
    const [first, second] = [(await login()).body, (await login()).body];
    expect(new Set([victim.userId, first.userId, second.userId]).size).toBe(3);
    const guest = await me({ userId: first.userId, token: first.accessToken });
    expect(guest.body).toMatchObject({ id: first.userId, name: '', addresses: [], roles: [] });
  });

  it('cannot create API keys, passwords or businesses', async () => {
    const guest = await t.guest();
    const key = await t.rest<ErrorBody>('PUT', '/v1/users', {
      as: guest,
      body: { apiTokens: [{ id: 'k', name: 'k', value: `key-${newId()}` }] },
    });
    expect([key.status, key.body.error]).toEqual([403, 'FORBIDDEN']);
    const change = await t.rest('POST', '/v1/users/reset-password', {
      as: guest,
      body: { oldPassword: 'x', newPassword: validPassword },
    });
    expect(change.status).toBe(403);
    expect((await t.rest('POST', '/v1/businesses', { as: guest, body: { name: 'Mine' } })).status).toBe(403);
  });

  it('cannot be assigned a role', async () => {
    const shop = await t.shop();
    for (const userId of [(await t.guest()).userId, newId(), 'nobody']) {
      const answer = await t.rest<ErrorBody>('PUT', '/v1/users/set-role', {
        as: shop.admin,
        body: { userId, roleId: shop.roles.EDITOR, businessId: shop.businessId },
      });
      expect([answer.status, answer.body.error]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('API keys', () => {
  const update = (as: Person, apiTokens: object[]) =>
    t.rest<ErrorBody & { apiTokens: { id: string; name: string; value: string }[] }>(
      'PUT',
      '/v1/users/update',
      {
        as,
        body: { apiTokens },
      },
    );
  const works = async (key: string) => (await me({ userId: '', token: key })).status === 200;

  it('need 24 characters', async () => {
    const person = await createAccount(t);
    const short = await update(person, [{ id: 'a', name: 'a', value: 'x'.repeat(23) }]);
    expect(short).toMatchObject({
      status: 422,
      body: { details: [{ field: 'apiTokens.0.value', error: 'TOO_SHORT' }] },
    });
    expect((await update(person, [{ id: 'a', name: 'a', value: newId().slice(0, 24) }])).status).toBe(200);
  });

  it('keep their secret when the masked value is written back, and are revoked when missing', async () => {
    const person = await createAccount(t);
    const [firstKey, secondKey] = [`one-${newId()}`, `two-${newId()}`];
    const created = await update(person, [
      { id: '1', name: 'One', value: firstKey },
      { id: '2', name: 'Two', value: secondKey },
    ]);
    expect(created.body.apiTokens.map(({ value }) => value)).toEqual([
      `****${firstKey.slice(-4)}`,
      `****${secondKey.slice(-4)}`,
    ]);
    const updated = await update(person, [{ ...created.body.apiTokens[0], name: 'Renamed' }, { id: '2' }]);
    expect(updated.body.apiTokens).toMatchObject([
      { id: '1', name: 'Renamed', value: `****${firstKey.slice(-4)}` },
      { id: '2', name: 'Two', value: `****${secondKey.slice(-4)}` },
    ]);
    expect([await works(firstKey), await works(secondKey)]).toEqual([true, true]);
    const renewed = `new-${newId()}`;
    await update(person, [{ id: '2', name: 'Two', value: renewed }]);
    expect([await works(firstKey), await works(secondKey), await works(renewed)]).toEqual([
      false,
      false,
      true,
    ]);
    const stored = await t.db.prisma.apiToken.findMany({ where: { userId: person.userId } });
    expect(
      JSON.stringify(stored, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ).not.toContain(renewed);
  });

  it('cannot be created from a masked value, or with the value of another user’s key', async () => {
    const [person, other] = [await createAccount(t), await createAccount(t)];
    const value = `key-${newId()}`;
    await update(other, [{ id: 'x', name: 'x', value }]);
    for (const masked of ['****abcd', '', undefined]) {
      expect(await update(person, [{ id: 'x', name: 'x', value: masked }])).toMatchObject({
        status: 422,
        body: { details: [{ field: 'apiTokens.0.value', error: 'REQUIRED' }] },
      });
    }
    expect((await update(person, [{ id: 'y', name: 'y', value }])).status).toBe(422);
    expect((await me({ userId: '', token: value })).body.id).toBe(other.userId);
  });

  it('lose the permissions of a role that was removed', async () => {
    const shop = await t.shop();
    const person = await t.addMember(shop, await t.person(), 'MANAGER');
    const withKey = await t.withApiKey(person);
    const create = () =>
      t.rest('POST', `/v1/businesses/${shop.businessId}/products`, { as: withKey, body: { name: 'Cup' } });
    expect((await create()).status).toBe(200);
    await t.rest('DELETE', `/v1/businesses/${shop.businessId}/members/${person.userId}`, { as: shop.admin });
    expect((await create()).status).toBe(403);
  });
});
