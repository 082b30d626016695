/** Whoever was signed out gets 401 from every row and every root field that looks at the viewer. */
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { watchRevokedSessions } from '../../src/auth/revoked-sessions.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Account, account } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { codesOf, documentFor, openFields, rootFieldOf, rootFields } from '../support/root-fields.ts';

let t: TestApp;
/** Each had every permission in a shop of their own, and an order there. */
let revoked: Record<string, Person>;
let businessId: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  const shop = await t.shop();
  businessId = shop.businessId;
  const staff = async (): Promise<Account> => {
    const person = await account(t);
    await t.hire(shop, person, 'ADMIN');
    return person;
  };
  const signedOut = await staff();
  await t.rest('POST', '/v1/users/logout', { as: signedOut, body: {} });
  const elsewhere = await staff();
  const other = await t.rest<{ accessToken: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email: elsewhere.email, password: elsewhere.password },
  });
  await t.rest('POST', '/v1/users/reset-password', {
    as: { userId: elsewhere.userId, token: other.body.accessToken },
    body: { oldPassword: elsewhere.password, newPassword: 'grey heron waits by the lake' },
  });
  const gone = await staff();
  await t.graphql(
    'mutation($p: String) { deleteMe(password: $p) { id } }',
    { p: gone.password },
    { as: gone },
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
    'after a change of password elsewhere': elsewhere,
    'account deleted': gone,
    'a guest who left': guestPerson,
    'a key that was revoked': key,
    'a key that has expired': expired,
  };
});

const kinds = [
  'signed out',
  'after a change of password elsewhere',
  'account deleted',
  'a guest who left',
  'a key that was revoked',
  'a key that has expired',
];

describe.each(kinds)('%s', (kind) => {
  it('gets 401 from every row', async () => {
    const answers: Record<string, number> = {};
    for (const row of routes) {
      const path = row.path.replace(/:(\w+)/g, (_, name: string) =>
        name === 'businessId' ? businessId : name === 'entryType' ? 'NEWSLETTER' : newId(),
      );
      const withBody = row.method === 'POST' || row.method === 'PUT';
      const { status } = await t.rest(row.method, path, {
        as: revoked[kind],
        headers: { accept: 'application/json' },
        ...(withBody ? { body: {} } : {}),
      });
      if (!openFields.has(rootFieldOf(row))) answers[`${row.method} ${row.path}`] = status;
    }
    expect(Object.keys(answers).length).toBeGreaterThan(60);
    expect(Object.entries(answers).filter(([, status]) => status !== 401)).toEqual([]);
  });

  it('gets UNAUTHENTICATED from every root field', async () => {
    const wrong: string[] = [];
    for (const { operation, field } of rootFields) {
      if (openFields.has(field.name)) continue;
      const codes = await codesOf(t, documentFor(operation, field, { businessId }), revoked[kind]);
      if (codes !== 'UNAUTHENTICATED') wrong.push(`${operation} ${field.name}: ${codes}`);
    }
    expect(wrong).toEqual([]);
  });
});

it('knows every open operation', () => {
  const names = new Set(rootFields.map(({ field }) => field.name));
  expect([...openFields].filter((name) => !names.has(name))).toEqual([]);
});

describe('a process whose clock is wrong', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([-7200, 7200])('by %d seconds knows at once what was ended', async (seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    // What others tell comes a moment later: here it never does.
    const deaf = new Proxy(t.db, {
      get: (db, name, receiver) =>
        name === 'listen' ? async () => async () => {} : Reflect.get(db, name, receiver),
    });
    const revocations = await watchRevokedSessions(deaf, pino({ level: 'silent' }));
    const id = newId();
    await t.db.sql('insert into revoked_sessions (id, revoked_at) values ($1, extract(epoch from now()))', [
      id,
    ]);
    expect(revocations.has(id)).toBe(false);
    await revocations.refresh();
    expect(revocations.has(id)).toBe(true);
  });
});
