/** Abuse of roles, email addresses, phone codes, account deletion, response timing and password changes. */
import { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import type { PasswordHashingTask } from '../../src/auth/password-hashing-threads.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  type Account,
  type AuthResponse,
  createAccount,
  registerConfirmedAccount,
  signIn,
  uniqueEmail,
  validPassword,
} from '../support/accounts.ts';
import type { Person } from '../support/app.ts';
import { threadCpuMs } from '../support/cpu-time.ts';
import { type ErrorBody, later, me, refresh, t } from './abuse-setup.ts';

describe('roles', () => {
  it('can be searched and set only by an ADMIN of the business', async () => {
    const [shop, other] = [await t.shop(), await t.shop()];
    const manager = await t.addMember(shop, await t.person(), 'MANAGER');
    const [customer, guest] = [await t.person(), await t.guest()];
    const setRole = (as: Person, extra: object = { businessId: shop.businessId }) =>
      t.rest<ErrorBody>('PUT', '/v1/users/set-role', {
        as,
        body: { userId: as.userId, roleId: shop.roles.ADMIN, ...extra },
      });
    for (const as of [manager, customer, guest, other.admin]) {
      expect((await t.rest('GET', `/v1/users/search?businessId=${shop.businessId}`, { as })).status).toBe(
        403,
      );
      expect((await t.rest('GET', `/v1/businesses/${shop.businessId}/members`, { as })).status).toBe(403);
      expect((await setRole(as)).status).toBe(403);
    }
    for (const as of [manager, customer, guest]) {
      expect((await t.rest('GET', '/v1/users/search', { as })).status).toBe(403);
      expect((await setRole(as, {})).status).toBe(403);
    }
    expect((await setRole(other.admin, {})).status).toBe(404);
    expect((await setRole(other.admin, { businessId: other.businessId })).status).toBe(404);
    expect((await setRole(other.admin, { roleId: newId() })).status).toBe(404);
    const removed = await t.rest('DELETE', `/v1/businesses/${shop.businessId}/members/${manager.userId}`, {
      as: other.admin,
    });
    expect(removed.status).toBe(404);
    const trail = await t.graphql(
      'query($b: ID!) { roleChanges(businessId: $b) { nodes { id } } }',
      { b: shop.businessId },
      { as: other.admin },
    );
    expect(trail.errors[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('never leave a business without an ADMIN, also when two ADMINs demote each other concurrently', async () => {
    const shop = await t.shop();
    const demote = (as: Person, userId: string) =>
      t.rest<ErrorBody>('PUT', '/v1/users/set-role', { as, body: { userId, roleId: shop.roles.EDITOR } });
    expect(await demote(shop.admin, shop.admin.userId)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'roleId', error: 'LAST_ADMIN' }] },
    });
    const remove = await t.rest<ErrorBody>(
      'DELETE',
      `/v1/businesses/${shop.businessId}/members/${shop.admin.userId}`,
      {
        as: shop.admin,
      },
    );
    expect(remove.body.details[0]?.error).toBe('LAST_ADMIN');
    const second = await t.addMember(shop, await t.person(), 'ADMIN');
    const both = await Promise.all([demote(shop.admin, second.userId), demote(second, shop.admin.userId)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const admins = await t.db.prisma.membership.count({
      where: { businessId: shop.businessId, roleId: shop.roles.ADMIN ?? '' },
    });
    expect(admins).toBe(1);
  });

  it('hide memberships in other businesses, API keys, settings and security events from an ADMIN', async () => {
    const [shop, other] = [await t.shop(), await t.shop()];
    const person = await t.addMember(shop, await createAccount(t), 'EDITOR');
    await t.addMember(other, person, 'MANAGER');
    await t.rest('PUT', '/v1/users', {
      as: person,
      body: {
        apiTokens: [{ id: 'k', name: 'k', value: `key-${newId()}` }],
        businessUserConfigs: [{ businessId: other.businessId, settings: { secret: true } }],
      },
    });
    const answer = await t.graphql(
      'query($b: ID!) { users(businessId: $b) { nodes { id roleIds memberships { business { id } } apiTokens { id: key } businessUserConfigs { businessId } } } }',
      { b: shop.businessId },
      { as: shop.admin },
    );
    expect(answer.data?.users).toMatchObject({
      nodes: [
        {
          id: person.userId,
          roleIds: [shop.roles.EDITOR],
          memberships: [{ business: { id: shop.businessId } }],
          apiTokens: [],
          businessUserConfigs: [],
        },
        { id: shop.admin.userId },
      ],
    });
    const events = await t.graphql(
      'query($b: ID!) { users(businessId: $b) { nodes { securityEvents { nodes { id } } } } }',
      { b: shop.businessId },
      { as: shop.admin },
    );
    expect(events.errors[0]?.extensions.code).toBe('FORBIDDEN');
  });
});

describe('mass assignment', () => {
  it('ignores fields that the input does not declare', async () => {
    const shop = await t.shop();
    const person = await createAccount(t);
    const answer = await t.rest('PUT', '/v1/users/update', {
      as: person,
      body: {
        id: shop.admin.userId,
        email: 'admin@evil.example',
        isConfirmed: false,
        isGuest: true,
        roleIds: [shop.roles.ADMIN],
        roles: [{ id: shop.roles.ADMIN, name: 'ADMIN', permissions: ['ADMIN'] }],
        passwordHash: 'x',
        version: 99,
        name: 'Mallory',
      },
    });
    expect(answer.body).toMatchObject({
      id: person.userId,
      email: person.email,
      isConfirmed: true,
      roleIds: [],
      roles: [],
      name: 'Mallory',
      version: 3,
    });
    await signIn(t, person.email);
    const register = await t.rest('POST', '/v1/users/register', {
      body: {
        email: uniqueEmail(),
        password: validPassword,
        isConfirmed: true,
        id: newId(),
        roleIds: [shop.roles.ADMIN],
      },
    });
    expect(register.status).toBe(200);
    expect(await t.db.prisma.user.count({ where: { isConfirmed: false, isGuest: false } })).toBeGreaterThan(
      0,
    );
  });
});

describe('emails', () => {
  const register = (email: string, extra: object = {}) =>
    t.rest<ErrorBody>('POST', '/v1/users/register', { body: { email, password: validPassword, ...extra } });

  it('are rejected within 500 ms when they are 5,000 characters long', async () => {
    const long = `${'a'.repeat(5000)}@people.example`;
    const before = threadCpuMs();
    expect((await register(long)).status).toBe(422);
    const login = await t.rest('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email: long, password: 'x' },
    });
    expect(login.status).toBe(400);
    expect(threadCpuMs() - before).toBeLessThan(500);
  });

  it('map all spellings of an address to one account', async () => {
    const name = `zo\u00eb.${newId()}`;
    expect((await register(`${name}@people.example`)).status).toBe(200);
    for (const same of [
      `${name.normalize('NFD')}@people.example`,
      `${name.toUpperCase()}@PEOPLE.example`,
      `${name}@\uff50eople.example`,
    ]) {
      expect((await register(same)).body).toMatchObject({ details: [{ error: 'EMAIL_EXISTS' }] });
    }
  });

  it('with look-alike characters are different accounts', async () => {
    const name = newId();
    expect((await register(`a${name}@people.example`)).status).toBe(200);
    const cyrillic = `\u0430${name}@people.example`;
    expect((await register(cyrillic)).status).toBe(200);
    expect(await t.outbox(cyrillic)).toHaveLength(1);
    const right = await t.db.prisma.user.count({ where: { email: { contains: name } } });
    expect(right).toBe(2);
  });

  it.each([
    'a@b@people.example',
    'victim@people.example\r\nBcc: all@people.example',
    'victim@people.example,other@people.example',
    'Victim <victim@people.example>',
    'victim@people.example\u0000',
    'victim @people.example',
    '"quoted\\"@people.example',
    'victim@localhost',
    'victim@-people.example',
    '.victim@people.example',
    'victim@people..example',
    '@people.example',
  ])('reject header injection and malformed addresses: %j', async (email) => {
    expect((await register(email)).status).toBe(422);
  });

  it('do not put text of the registrant into the confirmation mail', async () => {
    const email = uniqueEmail();
    const name = 'Win money at https://evil.example\r\nBcc: all@people.example<script>';
    expect((await register(email, { name })).status).toBe(200);
    const [mail] = await t.outbox(email);
    expect(mail?.recipient).toBe(email);
    expect(`${mail?.subject} ${mail?.text} ${mail?.html} ${JSON.stringify(mail?.headers)}`).not.toMatch(
      /evil|Bcc|script/,
    );
  });

  it('create one account and send one mail when registered fifty times concurrently', async () => {
    const email = uniqueEmail();
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)]);
    expect(await t.db.prisma.user.count({ where: { email } })).toBe(1);
    expect(await t.outbox(email)).toHaveLength(1);
  });
});

describe('phone codes', () => {
  const send = (as: Person, phoneNumber: string) =>
    t.rest('POST', '/v1/users/phone-number', { as, body: { phoneNumber } });
  const confirmCode = (as: Person, phoneNumber: string, code: string) =>
    t.rest<ErrorBody>('POST', '/v1/users/phone-number/confirm', { as, body: { phoneNumber, code } });
  const codeOf = async (phoneNumber: string) =>
    /\b\d{6}\b/.exec((await t.outbox(phoneNumber)).at(-1)?.text ?? '')?.[0] ?? '';

  it('allow five attempts, also concurrently, and then reject the right code', async () => {
    const person = await createAccount(t);
    const phone = '+4915100000001';
    await send(person, phone);
    const right = await codeOf(phone);
    const wrong = right === '000000' ? '000001' : '000000';
    await Promise.all(Array.from({ length: 8 }, () => confirmCode(person, phone, wrong)));
    expect(await confirmCode(person, phone, right)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'code', error: 'INVALID_CODE' }] },
    });
    await send(person, phone);
    expect((await confirmCode(person, phone, await codeOf(phone))).status).toBe(200);
  });

  it('expire after ten minutes, and are valid for one account and one number', async () => {
    const [person, other] = [await createAccount(t), await createAccount(t)];
    const phone = '+4915100000002';
    await send(person, phone);
    const code = await codeOf(phone);
    expect((await confirmCode(other, phone, code)).status).toBe(422);
    expect((await confirmCode(person, '+4915100000003', code)).status).toBe(422);
    later(601);
    expect((await confirmCode(person, phone, code)).status).toBe(422);
  });
});

describe('deleting an account', () => {
  const remove = (as: Person, password?: string) =>
    t.graphql(
      'mutation($p: String) { deleteMe(password: $p) { id: deletedId deleted } }',
      { p: password },
      { as },
    );

  it('requires the password, and fails for the last ADMIN of a business', async () => {
    const person = await createAccount(t);
    const shop = await t.shop();
    for (const password of [undefined, 'wrong']) {
      const { errors } = await remove(person, password);
      expect(errors[0]?.extensions.details[0]?.error).toBe('PASSWORD_WRONG');
    }
    const lastAdmin = await remove(shop.admin);
    expect(lastAdmin.errors[0]?.extensions.details[0]?.error).toBe('LAST_ADMIN');
    expect((await me(shop.admin)).status).toBe(200);
    await t.addMember(shop, person, 'ADMIN');
    expect((await remove(shop.admin)).data).toEqual({ deleteMe: { id: shop.admin.userId, deleted: true } });
    expect((await me(shop.admin)).status).toBe(401);
    const newLastAdmin = await remove(person, validPassword);
    expect(newLastAdmin.errors[0]?.extensions.details[0]?.error).toBe('LAST_ADMIN');
    expect((await refresh(person.refreshToken)).status).toBe(200);
  });

  it('lets the address be registered again, as a new user', async () => {
    const person = await createAccount(t);
    expect((await remove(person, validPassword)).errors).toEqual([]);
    expect((await refresh(person.refreshToken)).status).toBe(401);
    const again = await signIn(t, await registerConfirmedAccount(t, person.email));
    expect(again.userId).not.toBe(person.userId);
  });
});

describe('response timing', () => {
  it('does not reveal whether an account exists: both cases verify one password hash of the same cost', async () => {
    const postMessage = vi.spyOn(Worker.prototype, 'postMessage');
    const workFor = async (email: string) => {
      postMessage.mockClear();
      await t.rest('POST', '/v1/users/login', {
        body: { provider: 'EMAIL', email, password: 'wrong password' },
      });
      const tasks = postMessage.mock.calls.map(([task]) => task as PasswordHashingTask);
      return tasks.map(({ hash = '' }) => hash.split('$').slice(0, 4).join('$'));
    };
    const existingAccount = await workFor(await registerConfirmedAccount(t));
    expect(existingAccount).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1$/)]);
    expect(await workFor(uniqueEmail())).toEqual(existingAccount);
    postMessage.mockRestore();
  });
});

describe('a new password', () => {
  it('invalidates sign-ins that verified the old password concurrently', async () => {
    const person: Account = await createAccount(t);
    const [change, ...logins] = await Promise.all([
      t.rest('POST', '/v1/users/reset-password', {
        as: person,
        body: { oldPassword: validPassword, newPassword: 'the newest otter song' },
      }),
      ...Array.from({ length: 5 }, () =>
        t.rest<AuthResponse>('POST', '/v1/users/login', {
          body: { provider: 'EMAIL', email: person.email, password: validPassword },
        }),
      ),
    ]);
    expect(change.status).toBe(200);
    for (const login of logins) {
      if (login.status === 200) expect((await refresh(login.body.refreshToken)).status).toBe(401);
    }
  });
});
