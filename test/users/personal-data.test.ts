/** Export of personal data, and its erasure after the deletion of an account. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eraseUsersJob } from '../../src/domains/users/privacy/erase-users.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { createAccount, registerAccount, uniqueEmail } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { createMarkedUser, type MarkedUser } from './personal-data-fixture.ts';

let t: TestApp;
let shop: SellingShop;
let ada: MarkedUser;
beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://duet.test', NEWSLETTER_PER_SECOND: '10000' });
  shop = await createSellingShop(t);
  ada = await createMarkedUser(t, shop);
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
  it('contains all personal data, also data that staff entered', async () => {
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
        invitations: [],
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

  it('is not available to staff, guests, other users or restricted API keys', async () => {
    for (const other of [shop.admin, await t.guest(), await createAccount(t)]) {
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

  it('contains no subscriptions of an unconfirmed email address', async () => {
    const email = uniqueEmail();
    const list = await t.db.prisma.subscription.findUniqueOrThrow({ where: { id: ada.subscriptionId } });
    await t.rest('POST', `/v1/businesses/${shop.businessId}/collections/${list.collectionId}/subscribe`, {
      as: await t.guest(),
      body: { email },
    });
    await registerAccount(t, email);
    const { id } = await t.db.prisma.user.findUniqueOrThrow({ where: { email } });
    const { token } = await t.app.services.tokens.issueAccess({ sub: id, provider: 'EMAIL', email });
    const { status, body } = await exportOf({ userId: id, token });
    expect([status, body.subscriptions, body.newsletters]).toEqual([200, [], []]);
  });

  it('takes the same number of statements for any number of orders, and is limited to ten per hour', async () => {
    t.statements.length = 0;
    await exportOf(await t.guest());
    const minimum = t.statements.length;
    t.statements.length = 0;
    await exportOf(ada);
    // Lists by email address, which a guest has not: subscriptions, newsletters, invitations.
    expect(t.statements.length).toBeLessThanOrEqual(minimum + 4);
    const person = await t.guest();
    const aliases = Array.from({ length: 11 }, (_, index) => `e${index}: exportMe { exportedAt }`);
    const { errors } = await t.graphql(`{ ${aliases.join(' ')} }`, {}, { as: person });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['RATE_LIMITED']);
    expect((await exportOf(person)).status).toBe(429);
  });
});

/** All rows of all tables as lower-case text, by table. */
async function dump(): Promise<Map<string, string[]>> {
  const tables = await t.db.sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'pgboss')`,
  );
  const rowsByTable = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await t.db.sql<{ text: string }>(`select lower(r::text) as text from ${name} r`);
    rowsByTable.set(
      name,
      rows.map(({ text }) => text),
    );
  }
  return rowsByTable;
}

const tracesOf = async ({ mark, phone }: MarkedUser): Promise<string[]> =>
  [...(await dump())].flatMap(([table, rows]) =>
    rows.filter((row) => row.includes(mark) || row.includes(phone)).map((row) => `${table} ${row}`),
  );

/** Records that a business must keep: orders, payments, stock, subscriptions and sends. */
const books = async () => {
  const firstRow = async (statement: string) => (await t.db.sql<object>(statement))[0];
  return {
    orders: await t.db.sql<object>(
      'select id, customer_id, lines, total, tax, captured, refunded, statuses, payment_statuses from orders order by id',
    ),
    attempts: await t.db.sql<object>('select * from payment_attempts order by id'),
    events: await firstRow('select count(*), sum(amount) from payment_events'),
    stock: await firstRow('select count(*), sum(change) from stock_movements'),
    subscriptions: await firstRow('select count(*) from subscriptions'),
    sends: await t.db.sql<object>('select id, recipients, sent, failed from newsletter_sends order by id'),
  };
};

const deleteAccount = (as: Person & { password?: string }) =>
  t.rest('POST', '/v1/users/me/delete', { as, body: { password: as.password } });

describe('a deleted account', () => {
  it('leaves no personal data, and the books unchanged', async () => {
    const leaving = await createMarkedUser(t, shop);
    await t.db.prisma.webhookEvent.create({
      data: {
        id: newId(),
        businessId: shop.businessId,
        type: 'order.fulfilled',
        data: {
          id: leaving.orderId,
          fulfilment: {
            id: newId(),
            trackingNumber: leaving.mark,
            trackingUrl: `https://x.example/${leaving.mark}`,
          },
        },
        createdAt: now(),
      },
    });
    // Sent messages have left the queue: this one waits.
    await t.rest('POST', '/v1/users/forgot-password', { body: { email: leaving.email } });
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

    const answer = await deleteAccount(leaving);
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
    const subscription = await t.db.prisma.subscription.findUniqueOrThrow({
      where: { id: leaving.subscriptionId },
    });
    expect(subscription).toMatchObject({
      status: 'UNSUBSCRIBED',
      name: '',
      email: `${subscription.id}@erased.invalid`,
    });
  });

  it('is erased by a retry after an interruption, and a further run changes nothing', async () => {
    const leaving = await createMarkedUser(t, shop);
    await deleteAccount(leaving);
    const { deleteForAddresses } = t.app.services.jobs;
    Object.assign(t.app.services.jobs, { deleteForAddresses: () => Promise.reject(new Error('killed')) });
    await expect(eraseUsersJob.run(t.app.services, {})).rejects.toThrow('killed');
    expect((await tracesOf(leaving)).join()).toContain('erasures');
    Object.assign(t.app.services.jobs, { deleteForAddresses });
    await eraseUsersJob.run(t.app.services, {});
    expect(await tracesOf(leaving)).toEqual([]);
    const afterFirstRun = await books();
    const versions = await t.db.sql<object>('select id, version from orders order by id');
    await eraseUsersJob.run(t.app.services, {});
    expect([await books(), await t.db.sql<object>('select id, version from orders order by id')]).toEqual([
      afterFirstRun,
      versions,
    ]);
  });

  it('is erased again later, for data of concurrent requests', async () => {
    const leaving = await createMarkedUser(t, shop);
    await deleteAccount(leaving);
    await eraseUsersJob.run(t.app.services, {});
    const late = await createEmptyOrder(t, shop, leaving);
    await t.db.prisma.order.update({ where: { id: late }, data: { blocks: [{ note: leaving.mark }] } });
    await t.db.prisma.erasure.updateMany({ data: { goneAt: new Date(Date.now() - 3_600_000) } });
    await eraseUsersJob.run(t.app.services, {});
    expect([await tracesOf(leaving), await t.db.prisma.erasure.count()]).toEqual([[], 0]);
  });

  it('does not erase data of the owner of an address that was never confirmed', async () => {
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
    expect((await deleteAccount({ userId: id, token })).status).toBe(200);
    await t.app.drainJobs();
    const after = (await tracesOf(ada)).filter((trace) => !trace.startsWith('public.users'));
    expect(after).toEqual(before);
  });

  it('cannot be deleted by other users, without the password, or as the last ADMIN of a business', async () => {
    expect((await deleteAccount({ userId: '', token: 'none' })).status).toBe(401);
    expect((await deleteAccount({ ...ada, password: 'wrong' })).status).toBe(422);
    expect((await deleteAccount(shop.admin)).status).toBe(422);
    expect(await t.db.prisma.user.count({ where: { id: { in: [ada.userId, shop.admin.userId] } } })).toBe(2);
  });
});
