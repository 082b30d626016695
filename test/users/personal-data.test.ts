/** What people can have of their data, and what is left when they go. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eraseUsersJob } from '../../src/domains/users/privacy/erase-users.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { account, freshEmail, registered } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { emptyOrder } from '../support/orders.ts';
import { type SellingShop, sellingShop } from '../support/selling.ts';
import { type Marked, markedPerson } from './personal-data-fixture.ts';

let t: TestApp;
let shop: SellingShop;
let ada: Marked;
beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://duet.test', NEWSLETTER_PER_SECOND: '10000' });
  shop = await sellingShop(t);
  ada = await markedPerson(t, shop);
});

interface Export {
  user: Record<string, unknown>;
  orders: { id: string }[];
  subscriptions: { id: string }[];
  newsletters: object[];
  sessions: object[];
  securityEvents: { type: string }[];
  [list: string]: unknown;
}
const exportOf = (as: Person | undefined) => t.rest<Export>('GET', '/v1/users/me/export', { as });

describe('an export', () => {
  it('holds everything, whoever wrote it', async () => {
    const { status, body } = await exportOf(ada);
    expect([status, body]).toEqual([
      200,
      {
        exportedAt: expect.any(Number),
        mostOfEach: 5000,
        user: expect.objectContaining({
          id: ada.userId,
          name: `Name ${ada.mark}`,
          email: ada.email,
          phoneNumbers: [ada.phone],
          verifiedPhoneNumbers: [ada.phone],
          addresses: [expect.objectContaining({ city: ada.mark })],
          businessUserConfigs: [{ businessId: shop.businessId, settings: { note: ada.mark } }],
          memberships: [],
          apiTokens: [
            expect.objectContaining({ name: `key ${ada.mark}`, value: expect.stringMatching(/^\*/) }),
          ],
        }),
        carts: [],
        customerGroups: [],
        identities: [],
        places: [{ place: expect.any(String), lastSeenAt: expect.any(Number) }],
        sessions: [expect.objectContaining({ provider: 'EMAIL', isCurrent: true })],
        securityEvents: expect.arrayContaining([expect.objectContaining({ type: 'SIGNED_IN' })]),
        orders: [
          expect.objectContaining({
            blocks: [expect.objectContaining({ value: `Told by phone: ${ada.mark}` })],
          }),
          expect.objectContaining({ id: ada.orderId, total: expect.any(Number), refunds: [] }),
        ],
        subscriptions: [
          expect.objectContaining({ id: ada.subscriptionId, name: `Reader ${ada.mark}`, status: 'ACTIVE' }),
        ],
        newsletters: [
          {
            sendId: expect.any(String),
            entryId: ada.entryId,
            subscriptionId: ada.subscriptionId,
            subject: 'News for {{subscriberName}}',
            status: 'SENT',
            startedAt: expect.any(Number),
          },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/hash|secret-/);
  });

  it('is nobody else’s: not of staff, guests, strangers or keys that are limited', async () => {
    for (const other of [shop.admin, await t.guest(), await account(t)]) {
      const { status, body } = await exportOf(other);
      expect([status, body.user.id, body.orders, body.subscriptions]).toEqual([200, other.userId, [], []]);
      expect(JSON.stringify(body)).not.toContain(ada.mark);
    }
    expect((await exportOf(undefined)).status).toBe(401);
    const key = await t.withApiKey(ada);
    await t.db.prisma.apiToken.updateMany({
      where: { userId: ada.userId, name: 'test' },
      data: { restricted: true },
    });
    expect((await exportOf(key)).status).toBe(403);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: ada.userId, name: 'test' } });
  });

  it('does not tell who registered an address that is not theirs what was sent there', async () => {
    const email = freshEmail();
    const list = await t.db.prisma.subscription.findUniqueOrThrow({ where: { id: ada.subscriptionId } });
    await t.rest('POST', `/v1/businesses/${shop.businessId}/collections/${list.collectionId}/subscribe`, {
      as: await t.guest(),
      body: { email },
    });
    await registered(t, email);
    const { id } = await t.db.prisma.user.findUniqueOrThrow({ where: { email } });
    const { token } = await t.app.services.tokens.issueAccess({ sub: id, provider: 'EMAIL', email });
    const { status, body } = await exportOf({ userId: id, token });
    expect([status, body.subscriptions, body.newsletters]).toEqual([200, [], []]);
  });

  it('takes the same statements for many orders as for few, and is made ten times an hour', async () => {
    t.statements.length = 0;
    await exportOf(await t.guest());
    const few = t.statements.length;
    t.statements.length = 0;
    await exportOf(ada);
    expect(t.statements.length).toBeLessThanOrEqual(few + 3);
    const person = await t.guest();
    const aliases = Array.from({ length: 11 }, (_, index) => `e${index}: exportMe { exportedAt }`);
    const { errors } = await t.graphql(`{ ${aliases.join(' ')} }`, {}, { as: person });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['RATE_LIMITED']);
    expect((await exportOf(person)).status).toBe(429);
  });
});

/** Every row of every table, as text in lower case, by table. */
async function dump(): Promise<Map<string, string[]>> {
  const tables = await t.db.sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`,
  );
  const found = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await t.db.sql<{ text: string }>(`select lower(r::text) as text from ${name} r`);
    found.set(
      name,
      rows.map(({ text }) => text),
    );
  }
  return found;
}

const tracesOf = async ({ mark, phone }: Marked): Promise<string[]> =>
  [...(await dump())].flatMap(([table, rows]) =>
    rows.filter((row) => row.includes(mark) || row.includes(phone)).map((row) => `${table} ${row}`),
  );

/** Money, stock and history, as a business needs them for ever. */
const books = async () => {
  const one = async (statement: string) => (await t.db.sql<object>(statement))[0];
  return {
    orders: await t.db.sql<object>(
      'select id, customer_id, lines, total, tax, captured, refunded, statuses, payment_statuses from orders order by id',
    ),
    attempts: await t.db.sql<object>('select * from payment_attempts order by id'),
    events: await one('select count(*), sum(amount) from payment_events'),
    stock: await one('select count(*), sum(change) from stock_movements'),
    subscriptions: await one('select count(*) from subscriptions'),
    sends: await t.db.sql<object>('select id, recipients, sent, failed from newsletter_sends order by id'),
  };
};

const goes = (as: Person & { password?: string }) =>
  t.rest('POST', '/v1/users/me/delete', { as, body: { password: as.password } });

describe('an account that is deleted', () => {
  it('leaves no trace of the person, and the books as they were', async () => {
    const leaving = await markedPerson(t, shop);
    const places = (await tracesOf(leaving)).map((trace) => trace.split(' ')[0]);
    expect([...new Set(places)]).toEqual(
      expect.arrayContaining(
        ['users', 'orders', 'subscriptions', 'idempotency_keys', 'outbox_messages', 'sandbox_payments'].map(
          (table) => `public.${table}`,
        ),
      ),
    );
    expect(places.some((place) => place?.startsWith('pgboss.'))).toBe(true);
    const [before, history] = [await books(), await t.db.sql<object>('select * from changes order by id')];

    const answer = await goes(leaving);
    expect([answer.status, answer.body]).toEqual([200, { id: leaving.userId, deleted: true }]);
    await t.app.drainJobs();

    expect(await tracesOf(leaving)).toEqual([]);
    expect(await books()).toEqual(before);
    const after = await t.db.sql<object>('select * from changes order by id');
    expect(after).toEqual(expect.arrayContaining(history));
    expect((await tracesOf(ada)).length).toBeGreaterThan(10);
    const { status, body } = await t.rest<{ blocks: object[]; shippingAddress?: object }>(
      'GET',
      `${shop.orders}/${leaving.orderId}`,
      { as: shop.admin },
    );
    expect([status, body.blocks, body.shippingAddress]).toEqual([200, [], undefined]);
    const gone = await t.db.prisma.subscription.findUniqueOrThrow({ where: { id: leaving.subscriptionId } });
    expect(gone).toMatchObject({ status: 'UNSUBSCRIBED', name: '', email: `${gone.id}@erased.invalid` });
  });

  it('goes on where it was interrupted, and a second time changes nothing', async () => {
    const leaving = await markedPerson(t, shop);
    await goes(leaving);
    const forget = t.app.services.jobs.deleteForAddresses;
    Object.assign(t.app.services.jobs, { forget: () => Promise.reject(new Error('killed')) });
    await expect(eraseUsersJob.run(t.app.services, {})).rejects.toThrow('killed');
    expect((await tracesOf(leaving)).join()).toContain('erasures');
    Object.assign(t.app.services.jobs, { forget });
    await eraseUsersJob.run(t.app.services, {});
    expect(await tracesOf(leaving)).toEqual([]);
    const once = await books();
    const versions = await t.db.sql<object>('select id, version from orders order by id');
    await eraseUsersJob.run(t.app.services, {});
    expect([await books(), await t.db.sql<object>('select id, version from orders order by id')]).toEqual([
      once,
      versions,
    ]);
  });

  it('is watched for a while, for what somebody was writing in that moment', async () => {
    const leaving = await markedPerson(t, shop);
    await goes(leaving);
    await eraseUsersJob.run(t.app.services, {});
    const late = await emptyOrder(t, shop, leaving);
    await t.db.prisma.order.update({ where: { id: late }, data: { blocks: [{ note: leaving.mark }] } });
    await t.db.prisma.erasure.updateMany({ data: { goneAt: new Date(Date.now() - 3_600_000) } });
    await eraseUsersJob.run(t.app.services, {});
    expect([await tracesOf(leaving), await t.db.prisma.erasure.count()]).toEqual([[], 0]);
  });

  it('takes nothing of others along: an address that was never confirmed is not theirs', async () => {
    const { id } = await t.db.prisma.user.create({
      data: {
        id: newId(),
        email: ada.email.replace('@', '+other@'),
        isConfirmed: false,
        phoneNumbers: [ada.phone],
        createdAt: now(),
        updatedAt: now(),
      },
    });
    await t.db.prisma.subscription.update({
      where: { id: ada.subscriptionId },
      data: { key: ada.email.replace('@', '+other@') },
    });
    const { token } = await t.app.services.tokens.issueAccess({ sub: id, provider: 'EMAIL' });
    const before = (await tracesOf(ada)).filter((trace) => !trace.startsWith('public.users'));
    expect((await goes({ userId: id, token })).status).toBe(200);
    await t.app.drainJobs();
    const after = (await tracesOf(ada)).filter((trace) => !trace.startsWith('public.users'));
    expect(after).toEqual(before);
  });

  it('is not deleted by others, without the password, or by who is the last ADMIN of a shop', async () => {
    expect((await goes({ userId: '', token: 'none' })).status).toBe(401);
    expect((await goes({ ...ada, password: 'wrong' })).status).toBe(422);
    expect((await goes(shop.admin)).status).toBe(422);
    expect(await t.db.prisma.user.count({ where: { id: { in: [ada.userId, shop.admin.userId] } } })).toBe(2);
  });
});
