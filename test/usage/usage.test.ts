/** API usage: counted per client, visible to admins of the business, and bounded for arbitrary client names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usageCommand } from '../../src/cli/commands/usage-by-client.ts';
import { readConfig } from '../../src/config.ts';
import { UsageTally } from '../../src/domains/usage/usage-recorder.ts';
import type { UsageCount } from '../../src/domains/usage/write-usage-counts.ts';
import type { UsageSubject } from '../../src/ports/usage.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

interface Line {
  kind: string;
  name: string;
  client: string;
  calls: number;
  [field: string]: unknown;
}

let t: TestApp;
let shop: Shop;
let other: Shop;
let key: Person;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await t.shop(), await t.shop()];
  await t.addMember(other, shop.admin, 'ADMIN');
  key = await t.withApiKey(shop.admin);
});
afterAll(() => t.app.stop());

const products = (businessId: string) => `/v1/businesses/${businessId}/products`;
const route = 'GET /v1/businesses/{businessId}/products';
const flush = () => t.app.services.usage.flush();
const usageOf = async (of: Shop, query = '', as: Person | undefined = of.admin) => {
  await flush();
  return t.rest<{ usage: Line[] }>('GET', `/v1/businesses/${of.businessId}/usage${query}`, { as });
};
const command = async (...args: string[]) => {
  await flush();
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  await usageCommand({ config: readConfig({}), db: t.db, cwd: '.', write }, args);
  return written;
};

it('counts the calls of an API key by route, operation and field, over REST and GraphQL', async () => {
  for (let n = 0; n < 3; n++) await t.rest('GET', products(shop.businessId), { as: key });
  const document = `query Mine($b: ID!) { products(businessId: $b, first: 2) { nodes { ...P } } } fragment P on Product { name }`;
  for (let n = 0; n < 4; n++) await t.graphql(document, { b: shop.businessId }, { as: key });
  const { status, body } = await usageOf(shop);
  expect(status).toBe(200);
  expect(body.usage.map(({ kind, name, calls }) => `${kind} ${name} ${calls}`)).toEqual([
    'FIELD Product.name 4',
    'FIELD ProductConnection.nodes 4',
    'FIELD Query.products 4',
    'FIELD Query.products.businessId 4',
    'FIELD Query.products.first 4',
    'OPERATION Mine 4',
    `ROW ${route} 3`,
  ]);
  expect(body.usage.at(-1)).toEqual({
    kind: 'ROW',
    name: route,
    client: expect.any(String),
    keyName: 'test',
    userId: shop.admin.userId,
    userName: 'Somebody',
    calls: 3,
    lastAt: expect.any(Number),
  });
  const viaGraphql = await t.graphql(
    `query ($b: ID!) { usage(businessId: $b, kind: ROW, days: 1) { name calls } }`,
    { b: shop.businessId },
    { as: shop.admin },
  );
  expect(viaGraphql.data).toEqual({ usage: [{ name: route, calls: 3 }] });
  expect((await usageOf(shop, '?days=0')).body).toMatchObject({ details: [{ field: 'days' }] });
  expect((await usageOf(shop, '?days=91')).status).toBe(422);
});

it('shows a business only the calls of its members to itself', async () => {
  const stranger = await t.withApiKey(await t.person());
  await t.rest('GET', products(other.businessId), { as: stranger });
  // The same key in another business of its owner.
  for (let n = 0; n < 5; n++) await t.rest('GET', products(other.businessId), { as: key });
  await t.rest('GET', '/v1/users/me', { as: key });
  expect((await usageOf(other)).body.usage).toEqual([expect.objectContaining({ name: route, calls: 5 })]);
  expect((await usageOf(shop, '?kind=ROW')).body.usage.map(({ calls }) => calls)).toEqual([3]);
  expect((await usageOf(shop, '', other.admin)).status).toBe(403);
  expect((await usageOf(shop, '', await t.person())).status).toBe(403);
  expect((await usageOf(shop, '', await t.guest())).status).toBe(403);
  expect((await usageOf(shop, '', { userId: '', token: 'none' })).status).toBe(401);
  // The usage of a former member is no longer visible.
  await t.db.prisma.membership.deleteMany({
    where: { userId: shop.admin.userId, businessId: other.businessId },
  });
  expect((await usageOf(other)).body.usage).toEqual([]);
});

it('counts clients without a key by their client name and stores no part of an invalid key', async () => {
  const call = (headers: Record<string, string>) => t.rest('GET', '/v1/users/me', { headers });
  for (const name of ['till', 'till', `x${'y'.repeat(60)}`, 'é']) await call({ 'x-client-name': name });
  await call({ 'x-api-key': 'not a key of anybody' });
  await call({ 'x-client-name': 'key of somebody' });
  const output = await command('--client', 'till');
  expect(output.split('\n').map((line) => line.split(/ {2,}/).slice(-2).join(' '))).toEqual([
    'client uses',
    'till GET /v1/users/me',
    '',
  ]);
  const all = JSON.parse(await command('--json')) as { days: number; items: Line[] };
  const calls = (client: string) =>
    all.items.find((item) => item.client === client && item.name === 'GET /v1/users/me')?.calls;
  expect([all.days, calls('till'), calls('unknown'), calls('key of somebody')]).toEqual([30, 2, 3, 1]);
  expect(JSON.stringify(all)).not.toContain('not a key');
  expect(await command()).toMatch(/ 8 +\d{4}-\d\d-\d\d +key \S+ "test" of Somebody +GET \S+\/products$/m);
  expect(await command()).toMatch(/ +"key of somebody" +GET/);
  expect(await command('--fields')).toContain('Product.name');
  expect(await command('--client', 'nobody', '--days', '7')).toMatch(
    /^No usage by nobody in the last 7 days\. Clients: .*\btill\b/,
  );
  await expect(command('--days', '100')).rejects.toThrow('from 1 to 90');
});

it('counts every operation of a batch and operations outside the fast path', async () => {
  const headers = { 'content-type': 'application/json', 'x-client-name': 'batcher' };
  const body = JSON.stringify(['A', 'B', 'A'].map((name) => ({ query: `query ${name} { __typename }` })));
  await t.app.fetch(new Request('http://t/graphql', { method: 'POST', headers, body }));
  await t.app.fetch(new Request('http://t/graphql?query=query+C{__typename}', { headers }));
  expect((await command('--client', 'batcher')).match(/[ABC]$/gm)?.sort()).toEqual(['A', 'B', 'C']);
});

it('writes all counts in one statement, adds to stored counts, and retries failed writes', async () => {
  await flush();
  const calls = async () => (await t.db.sql<{ n: number }>(`select sum(calls) as n from usage`))[0]?.n ?? 0;
  const before = Number(await calls());
  for (const name of ['a', 'b', 'a'])
    await t.rest('GET', '/v1/users/me', { headers: { 'x-client-name': name } });
  await t.db.sql('alter table usage rename to usage_away');
  await flush();
  await t.db.sql('alter table usage_away rename to usage');
  await t.rest('GET', '/v1/users/me', { headers: { 'x-client-name': 'b' } });
  t.statements.length = 0;
  await flush();
  expect(t.statements.length).toBe(1);
  expect(Number(await calls()) - before).toBe(4);
  t.statements.length = 0;
  await flush();
  expect(t.statements).toEqual([]);
});

it('counts a call with several businesses for each of them', async () => {
  const both = `query Both($a: ID!, $b: ID!) { a: products(businessId: $a) { totalCount } b: products(businessId: $b) { totalCount } }`;
  const a = await t.shop();
  const b = await t.shop();
  const sharedAdmin = await t.person();
  for (const business of [a, b]) await t.addMember(business, sharedAdmin, 'ADMIN');
  await t.graphql(both, { a: a.businessId, b: b.businessId }, { as: await t.withApiKey(sharedAdmin) });
  for (const business of [a, b])
    expect((await usageOf(business, '?kind=OPERATION')).body.usage).toMatchObject([
      { name: 'Both', calls: 1 },
    ]);
});

it('is deleted with the account, and can be disabled', async () => {
  const person = await t.person();
  await t.rest('GET', '/v1/users/me', { as: await t.withApiKey(person) });
  await flush();
  const countRows = () => t.db.prisma.usage.count({ where: { userId: person.userId } });
  expect(await countRows()).toBe(1);
  expect((await t.rest('POST', '/v1/users/me/delete', { as: person, body: {} })).status).toBe(200);
  await t.app.drainJobs();
  expect(await countRows()).toBe(0);
  const disabled = await testApp({ USAGE: 'off' });
  await disabled.rest('GET', '/v1/users/me');
  await disabled.app.stop();
  expect(await disabled.db.prisma.usage.count()).toBe(0);
});

describe('UsageTally', () => {
  const use = (name: string, ...fields: string[]): UsageSubject => ({ kind: 'OPERATION', name, fields });
  const namedClient = (client: string) => () => ({ client, userId: '', businessId: '' });
  const keyClient = (client: string) => () => ({ client, userId: `user of ${client}`, businessId: 'b' });
  const format = (rows: Map<string, UsageCount>) =>
    [...rows.values()].map(({ client, name, calls }) => `${client} ${name} ${calls}`).sort();

  it('limits the number of pairs and aggregates the rest', () => {
    const tally = new UsageTally({ pairs: 2, rowsPerDay: 100, rowsPerClient: 100 });
    const [a, b] = [use('A', 'Query.me'), use('B', 'Query.me')];
    for (const client of ['x', 'y', 'z', 'x'])
      for (const operation of [a, b]) tally.record(client, namedClient(client), operation);
    const rows = new Map<string, UsageCount>();
    tally.drainTo(rows, 0);
    expect(format(rows)).toEqual(['other other 4', 'x A 2', 'x B 2', 'x Query.me 4']);
  });

  it('limits the rows per client and per day', () => {
    const tally = new UsageTally({ pairs: 100, rowsPerDay: 5, rowsPerClient: 3 });
    const rows = new Map<string, UsageCount>();
    for (let n = 0; n < 4; n++) tally.record('x', namedClient('x'), use(`A${n}`));
    for (let n = 0; n < 4; n++) tally.record(`c${n}`, namedClient(`c${n}`), use('A', 'Query.me'));
    tally.record('k', keyClient('k'), use('A', 'Query.me'));
    tally.drainTo(rows, 0);
    expect(format(rows)).toEqual([
      'c0 A 1',
      'c0 Query.me 1',
      'k A 1',
      'k Query.me 1',
      'other Query.me 3',
      'other other 4',
      'x A0 1',
      'x A1 1',
      'x A2 1',
    ]);
    rows.clear();
    tally.record('c3', namedClient('c3'), use('A'));
    tally.drainTo(rows, 86_400);
    expect(format(rows)).toEqual(['c3 A 1']);
  });
});
