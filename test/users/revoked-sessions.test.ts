/** Revoked sessions and API keys: every route and root field that needs a viewer responds 401. */
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRevokedSessionCache } from '../../src/auth/revoked-session-cache.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  fetchErrorCodes,
  publicFields,
  rootFieldDocument,
  rootFieldName,
  rootFields,
} from '../support/root-fields.ts';

let t: TestApp;
/** Viewers whose credentials are revoked, by kind. All except the guest had ADMIN in the shop. */
let revoked: Record<string, Person>;
let businessId: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  const shop = await t.shop();
  businessId = shop.businessId;
  const staff = async (): Promise<Account> => {
    const person = await createAccount(t);
    await t.addMember(shop, person, 'ADMIN');
    return person;
  };
  const signedOut = await staff();
  await t.rest('POST', '/v1/users/logout', { as: signedOut, body: {} });
  const passwordChanged = await staff();
  const other = await t.rest<{ accessToken: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email: passwordChanged.email, password: passwordChanged.password },
  });
  await t.rest('POST', '/v1/users/reset-password', {
    as: { userId: passwordChanged.userId, token: other.body.accessToken },
    body: { oldPassword: passwordChanged.password, newPassword: 'grey heron waits by the lake' },
  });
  const deleted = await staff();
  await t.graphql(
    'mutation($p: String) { deleteMe(password: $p) { id: deletedId } }',
    { p: deleted.password },
    { as: deleted },
  );
  const guest = await t.rest<{ accessToken: string; userId: string }>('POST', '/v1/users/login', {
    body: { provider: 'GUEST' },
  });
  const guestPerson = { userId: guest.body.userId, token: guest.body.accessToken };
  await t.rest('POST', '/v1/users/logout', { as: guestPerson, body: {} });
  const keyOwner = await staff();
  const key = await t.withApiKey(keyOwner);
  await t.rest('PUT', '/v1/users', { as: keyOwner, body: { apiTokens: [] } });
  const expired = await t.withApiKey(keyOwner);
  await t.db.prisma.apiToken.updateMany({ where: { userId: keyOwner.userId }, data: { expiresAt: 1 } });
  revoked = {
    'signed out': signedOut,
    'password changed in another session': passwordChanged,
    'account deleted': deleted,
    'guest signed out': guestPerson,
    'API key revoked': key,
    'API key expired': expired,
  };
});

const kinds = [
  'signed out',
  'password changed in another session',
  'account deleted',
  'guest signed out',
  'API key revoked',
  'API key expired',
];

describe.each(kinds)('%s', (kind) => {
  it('gets 401 from every route', async () => {
    const answers: Record<string, number> = {};
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
        name === 'businessId' ? businessId : name === 'entryType' ? 'NEWSLETTER' : newId(),
      );
      const withBody = route.method === 'POST' || route.method === 'PUT';
      const { status } = await t.rest(route.method, path, {
        as: revoked[kind],
        headers: { accept: 'application/json' },
        ...(withBody ? { body: {} } : {}),
      });
      if (!publicFields.has(rootFieldName(route))) answers[`${route.method} ${route.path}`] = status;
    }
    expect(Object.keys(answers).length).toBeGreaterThan(60);
    expect(Object.entries(answers).filter(([, status]) => status !== 401)).toEqual([]);
  });

  it('gets UNAUTHENTICATED from every root field', async () => {
    const wrong: string[] = [];
    for (const { operation, field } of rootFields) {
      if (publicFields.has(field.name)) continue;
      const codes = await fetchErrorCodes(
        t,
        rootFieldDocument(operation, field, { businessId }),
        revoked[kind],
      );
      if (codes !== 'UNAUTHENTICATED') wrong.push(`${operation} ${field.name}: ${codes}`);
    }
    expect(wrong).toEqual([]);
  });
});

it('lists only existing operations as open', () => {
  const names = new Set(rootFields.map(({ field }) => field.name));
  expect([...publicFields].filter((name) => !names.has(name))).toEqual([]);
});

describe('a process whose clock is wrong', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([-7200, 7200])('by %d seconds sees a revoked session at once', async (seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    // Notifications of other processes are disabled: only refresh() can load the revocation.
    const withoutNotifications = new Proxy(t.db, {
      get: (db, name, receiver) =>
        name === 'listen' ? async () => async () => {} : Reflect.get(db, name, receiver),
    });
    const revocations = await createRevokedSessionCache(
      withoutNotifications,
      t.app.services.keys,
      pino({ level: 'silent' }),
    );
    const id = newId();
    await t.db.write('insert into revoked_sessions (id, revoked_at) values ($1, extract(epoch from now()))', [
      id,
    ]);
    expect(revocations.revokedAt.has(id)).toBe(false);
    await revocations.refresh();
    expect(revocations.revokedAt.has(id)).toBe(true);
  });
});
