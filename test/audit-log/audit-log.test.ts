/** Audit log of records: actor, protocol and changed fields of every change; append-only. */
import { beforeAll, describe, expect, it } from 'vitest';
import { auditedRecordKinds } from '../../src/domains/audit-log/model.ts';
import type { Person, Shop } from '../support/app.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { untracked } from './untracked-tables.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await t.shop(), await t.shop()];
});

interface ChangeBody {
  id: string;
  kind: string;
  recordId: string;
  action: string;
  actor: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  [field: string]: unknown;
}

const at = (path: string) => `/v1/businesses/${shop.businessId}${path}`;
const changes = async (query = '', as: Person | undefined = shop.admin) =>
  (await t.rest<{ items: ChangeBody[]; cursor?: string }>('GET', at(`/changes${query}`), { as })).body;
const changesOf = async (recordId: string) => (await changes(`?recordId=${recordId}`)).items;
const post = async (path: string, body: object, as: Person = shop.admin) => {
  const response = await t.rest<{ id: string }>('POST', at(path), { as, body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body;
};
const put = (path: string, body: object) => t.rest('PUT', at(path), { as: shop.admin, body });
const remove = (path: string) => t.rest('DELETE', at(path), { as: shop.admin });

it('covers every table of a business and every relevant column', async () => {
  const columns = await t.db.sql<{ table: string; silent: string[] | null }>(
    `select c.relname::text as table, (
       select array_agg(a.attname::text) from pg_trigger g, pg_attribute a
       where g.tgrelid = c.oid and g.tgname = 'audit_update' and a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and not a.attnum = any(g.tgattr::int2[])
         and not encode(g.tgargs, 'escape') like '%' || a.attname || '%') as silent
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and (c.relname = 'businesses' or exists (
         select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped))`,
  );
  const triggers = await t.db.sql<{ table: string; kind: string }>(
    `select tgrelid::regclass::text as table, split_part(encode(tgargs, 'escape'), '\\000', 1) as kind
     from pg_trigger where tgname in ('audit_update', 'audit_delete') group by 1, 2 having count(*) = 2`,
  );
  const tracked = new Set(triggers.map(({ table }) => table));
  expect(
    columns.map(({ table }) => table).filter((table) => !tracked.has(table) && !untracked[table]),
  ).toEqual([]);
  // A migration that adds a column must call enable_audit_log again.
  expect(columns.filter(({ silent }) => silent !== null)).toEqual([]);
  expect(triggers.map(({ kind }) => kind).sort()).toEqual([...auditedRecordKinds].sort());
});

it('records actor, action, time, protocol and request id', async () => {
  const headers = { 'x-request-id': 'made-by-hand' };
  const body = { name: 'Lamp', description: 'Bright' };
  const { id } = (await t.rest<{ id: string }>('POST', at('/products'), { as: shop.admin, body, headers }))
    .body;
  const key = await t.withApiKey(shop.admin);
  const updated = await t.graphql(
    `mutation ($b: ID!, $id: ID!) { updateProduct(businessId: $b, id: $id, input: {name: "Torch"}) { product { id } } }`,
    { b: shop.businessId, id },
    { as: key, headers: { 'x-request-id': 'second' } },
  );
  expect(updated.errors).toEqual([]);
  await remove(`/products/${id}`);
  const [deletion, update, creation] = await changesOf(id);
  const common = {
    businessId: shop.businessId,
    kind: 'PRODUCT',
    recordId: id,
    userId: shop.admin.userId,
    userName: 'Somebody',
    id: expect.any(String),
    createdAt: expect.any(Number),
    requestId: expect.any(String),
  };
  expect(creation).toEqual({
    ...common,
    action: 'CREATE',
    actor: 'USER',
    requestId: 'made-by-hand',
    voice: 'REST',
    after: {
      name: 'Lamp',
      slug: 'lamp',
      category: '',
      description: 'Bright',
      gallery: [],
      blocks: [],
      variants: [],
      statuses: [expect.objectContaining({ status: 'ACTIVE' })],
    },
  });
  expect(update).toEqual({
    ...common,
    action: 'UPDATE',
    actor: 'API_KEY',
    keyId: expect.any(String),
    keyName: 'test',
    requestId: 'second',
    voice: 'GRAPHQL',
    before: { name: 'Lamp' },
    after: { name: 'Torch' },
  });
  expect(deletion).toMatchObject({
    action: 'DELETE',
    actor: 'USER',
    before: { name: 'Torch', slug: 'lamp' },
  });
  expect(deletion).not.toHaveProperty('after');
});

interface Lifecycle {
  path: string;
  create: object;
  update: object;
  before: object;
  after: object;
  id?: string;
}

/** API path of each kind of record, and one change of it. */
const lifecycles: Record<string, Lifecycle> = {
  MARKET: {
    path: '/markets',
    create: { code: 'US', currency: 'USD', taxBps: 0 },
    update: { taxBps: 825 },
    before: { taxBps: 0 },
    after: { taxBps: 825 },
    id: 'us',
  },
  SHIPPING_METHOD: {
    path: '/shipping-methods',
    create: { id: 'post', name: 'Post', prices: [] },
    update: { name: 'Mail' },
    before: { name: 'Post' },
    after: { name: 'Mail' },
    id: 'post',
  },
  PROMO_CODE: {
    path: '/promo-codes',
    create: { code: 'TEN', type: 'PERCENTAGE', bps: 1000 },
    update: { bps: 2000 },
    before: { bps: 1000 },
    after: { bps: 2000 },
  },
  ROLE: {
    path: '/roles',
    create: { name: 'Packer', permissions: ['ORDERS_READ'] },
    update: { permissions: ['ORDERS_READ', 'ORDERS_WRITE'] },
    before: { permissions: ['ORDERS_READ'] },
    after: { permissions: ['ORDERS_READ', 'ORDERS_WRITE'] },
  },
  COLLECTION: {
    path: '/collections',
    create: { name: 'Notes', type: 'NEWSLETTER' },
    update: { description: 'Weekly' },
    before: { description: '' },
    after: { description: 'Weekly' },
  },
  WEBHOOK_ENDPOINT: {
    path: '/webhooks',
    create: { url: 'https://hooks.example/', events: ['*'] },
    update: { description: 'Till' },
    before: { description: '' },
    after: { description: 'Till' },
  },
};

it.each(Object.keys(lifecycles))('records creation, update and deletion of a %s', async (kind) => {
  const lifecycle = lifecycles[kind] as Lifecycle;
  const created = await post(lifecycle.path, lifecycle.create);
  const id = lifecycle.id ?? created.id;
  expect((await put(`${lifecycle.path}/${id}`, lifecycle.update)).status).toBe(200);
  expect((await remove(`${lifecycle.path}/${id}`)).status).toBe(200);
  const seen = await changesOf(id);
  expect(seen.map((change) => [change.kind, change.action, change.actor])).toEqual(
    ['DELETE', 'UPDATE', 'CREATE'].map((action) => [kind, action, 'USER']),
  );
  expect([seen[1]?.before, seen[1]?.after]).toEqual([lifecycle.before, lifecycle.after]);
});

describe('omitted values', () => {
  it('are secrets, personal data and long texts', async () => {
    const hook = await post('/webhooks', { url: 'https://hooks.example/s', events: ['*'] });
    await post(`/webhooks/${hook.id}/rotate-secret`, {});
    const list = await post('/collections', { name: 'Mails', type: 'NEWSLETTER' });
    const reader = { email: 'secret.reader@people.example', name: 'Secret Reader' };
    const guest = await t.guest();
    await post(`/collections/${list.id}/subscribe`, reader, guest);
    const long = await post('/products', { name: 'Long', description: 'x'.repeat(5000) });
    const [rotation, creation] = await changesOf(hook.id);
    expect(creation?.after).toMatchObject({ secret: { omitted: 'SECRET' } });
    expect([rotation?.before, rotation?.after]).toEqual([
      { secret: { omitted: 'SECRET' } },
      { secret: { omitted: 'SECRET' } },
    ]);
    expect((await changesOf(long.id))[0]?.after).toMatchObject({
      name: 'Long',
      description: { omitted: 'TOO_LONG' },
    });
    const [subscription] = (await changes('?kind=SUBSCRIPTION')).items;
    expect(subscription).toMatchObject({
      userId: guest.userId,
      voice: 'REST',
      after: { email: { omitted: 'PERSONAL' }, name: { omitted: 'PERSONAL' }, collectionId: list.id },
    });
    const allRows = JSON.stringify(await t.db.sql('select * from changes'));
    expect(allRows).not.toMatch(/secret.reader|whsec_/i);
  });

  it('are stock quantities, which have a ledger; other fields of a variant are recorded', async () => {
    const variant = { name: 'One', sku: 'A-1', inventory: { tracked: true, quantity: 5 } };
    const product = (await post('/products', { name: 'Stocked', variants: [variant] })) as unknown as {
      id: string;
      variants: [{ id: string }];
    };
    const [{ id }] = product.variants;
    await post(`/products/${product.id}/stock`, { variantId: id, change: 3 });
    await put(`/products/${product.id}`, { variants: [{ ...variant, id, sku: 'A-2' }] });
    expect(await changesOf(id)).toMatchObject([
      { kind: 'VARIANT', action: 'UPDATE', before: { sku: 'A-1' }, after: { sku: 'A-2' } },
    ]);
    expect((await changesOf(product.id)).map(({ action }) => action)).toEqual(['CREATE']);
  });
});

it('requires ADMIN of the business', async () => {
  const clerk = await t.addMember(shop, await t.person(), 'MANAGER');
  const status = async (as: Person | undefined, query = '') =>
    (await t.rest('GET', at(`/changes${query}`), { as })).status;
  expect(
    await Promise.all([status(undefined), status(clerk), status(other.admin), status(await t.guest())]),
  ).toEqual([401, 403, 403, 403]);
  for (const as of [clerk, other.admin]) expect(await status(as, '?format=jsonl')).toBe(403);
  const otherBusiness = await t.rest<{ items: ChangeBody[] }>(
    'GET',
    `/v1/businesses/${other.businessId}/changes`,
    {
      as: other.admin,
    },
  );
  expect(new Set(otherBusiness.body.items.map((change) => change.businessId))).toEqual(
    new Set([other.businessId]),
  );
});

it('filters by kind, record, user, actor and time, and rejects invalid filters', async () => {
  const person = await t.addMember(shop, await t.person({ name: 'Ida' }), 'ADMIN');
  const before = (await changes()).items[0]?.createdAt as number;
  const role = await post('/roles', { name: 'Finder', permissions: [] }, person);
  const ids = async (query: string) => (await changes(query)).items.map(({ recordId }) => recordId);
  expect(await ids(`?userId=${person.userId}&since=0`)).toEqual([role.id]);
  expect((await changes(`?userId=${person.userId}`)).items[0]).toMatchObject({ userName: 'Ida' });
  expect(await ids(`?kind=ROLE&actor=USER&since=${before}&limit=1`)).toEqual([role.id]);
  for (const until of [before, 0]) expect(await ids(`?recordId=${role.id}&until=${until}`)).toEqual([]);
  expect(await ids('?userId=nobody')).toEqual([]);
  expect(await ids(`?recordId=${'%'}`)).toEqual([]);
  expect((await t.rest('GET', at('/changes?kind=SHOE&since=-1'), { as: shop.admin })).status).toBe(422);
});

it('needs a constant number of statements per page and lists every change once', async () => {
  const all: string[] = [];
  const costs = new Set<number>();
  for (let cursor = ''; ; ) {
    t.statements.length = 0;
    const page = await changes(`?limit=7&actor=USER${cursor && `&cursor=${cursor}`}`);
    costs.add(t.statements.length);
    all.push(...page.items.map(({ id }) => id));
    if (!page.cursor) break;
    cursor = page.cursor;
  }
  expect(costs.size).toBe(1);
  expect(all).toEqual([...new Set(all)].sort().reverse());
  const response = await t.app.fetch(
    new Request(`http://duet.test${at('/changes?actor=USER')}`, {
      headers: { authorization: `Bearer ${shop.admin.token}`, accept: 'application/x-ndjson' },
    }),
  );
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const lines = (await response.text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(all);
});

it('streams more than a page', async () => {
  const largeShop = await t.shop();
  await t.db.write(
    `insert into markets (business_id, key, code, currency, tax_bps, created_at, updated_at)
     select $1::uuid, 'm' || n, 'M' || n, 'USD', 0, 0, 0 from generate_series(1, 250) n`,
    [largeShop.businessId],
  );
  const response = await t.app.fetch(
    new Request(`http://duet.test/v1/businesses/${largeShop.businessId}/changes?format=jsonl&kind=MARKET`, {
      headers: { authorization: `Bearer ${largeShop.admin.token}` },
    }),
  );
  const records = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(new Set(records.map(({ recordId }) => recordId)).size).toBe(250);
  expect(records[0]).toMatchObject({ actor: 'SYSTEM', voice: 'JOB', action: 'CREATE' });
});

it('is append-only and outlives the account of its author', async () => {
  const author = await t.addMember(shop, await t.person({ name: 'Leaving Person' }), 'ADMIN');
  const role = await post('/roles', { name: 'Left', permissions: [] }, author);
  for (const statement of [
    `update changes set actor = 'SYSTEM'`,
    'delete from changes',
    'delete from changes where false',
  ])
    await expect(t.db.write(statement), statement).rejects.toThrow(/append-only/);
  await expect(t.db.sql('truncate changes')).rejects.toThrow(/append-only/);
  expect((await t.graphql('mutation { deleteMe { id: deletedId } }', {}, { as: author })).errors).toEqual([]);
  const [change] = await changesOf(role.id);
  expect(change).toMatchObject({ actor: 'USER', userId: author.userId, action: 'CREATE' });
  expect(change).not.toHaveProperty('userName');
});

it('records nothing for unchanged records and rolled-back changes', async () => {
  const role = await post('/roles', { name: 'Same', permissions: [] });
  await put(`/roles/${role.id}`, { name: 'Same' });
  await t.db
    .transaction(async (tx) => {
      await tx.write(`update roles set name = 'Undone' where id = $1::uuid`, [role.id]);
      throw new Error('roll back');
    })
    .catch(() => {});
  expect((await changesOf(role.id)).map(({ action }) => action)).toEqual(['CREATE']);
});
