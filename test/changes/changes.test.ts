/** The history of records: who changed what, how, and what nobody can do about it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { changeKinds } from '../../src/domains/changes/model.ts';
import type { Person, Shop } from '../support/app.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await t.shop(), await t.shop()];
});

interface Shown {
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
  (await t.rest<{ items: Shown[]; cursor?: string }>('GET', at(`/changes${query}`), { as })).body;
const of = async (recordId: string) => (await changes(`?recordId=${recordId}`)).items;
const post = async (path: string, body: object, as: Person = shop.admin) => {
  const made = await t.rest<{ id: string }>('POST', at(path), { as, body });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body;
};
const put = (path: string, body: object) => t.rest('PUT', at(path), { as: shop.admin, body });
const remove = (path: string) => t.rest('DELETE', at(path), { as: shop.admin });

const ofProducts = 'listings prices attributes stock old_slugs'.split(' ');
/** Tables of a business that have no history of their own, and why. */
const without: Record<string, string> = {
  changes: 'is the history',
  stock_movements: 'is a ledger: rows are only ever added',
  security_events: 'is the audit trail of accounts',
  webhook_events: 'says what happened, for 30 days',
  webhook_deliveries: 'says what was sent, for 30 days',
  ...Object.fromEntries(ofProducts.map((of) => [`product_${of}`, 'is told from the products'])),
  carts: 'is what people may buy: theirs until they do, and gone after 30 days',
  order_numbers: 'counts orders: their numbers are in theirs',
  usage: 'counts calls, by day, for 90 days',
  media_uses: 'is told from products, entries and collections, for the sweep of files',
  entry_values: 'is told from the entries, for their lists',
  entry_sort_keys: 'is told from the entries, for their lists',
  entry_old_slugs: 'is told from the entries, for links to them',
  bulk_operations: 'says itself what was done, for 7 days; what it changed is in the history of the records',
};

it('is kept for every table of a business, and for every column that says something', async () => {
  const columns = await t.db.sql<{ table: string; silent: string[] | null }>(
    `select c.relname::text as table, (
       select array_agg(a.attname::text) from pg_trigger g, pg_attribute a
       where g.tgrelid = c.oid and g.tgname = 'note_updated' and a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and not a.attnum = any(g.tgattr::int2[])
         and not encode(g.tgargs, 'escape') like '%' || a.attname || '%') as silent
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and (c.relname = 'businesses' or exists (
         select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped))`,
  );
  const kept = await t.db.sql<{ table: string; kind: string }>(
    `select tgrelid::regclass::text as table, split_part(encode(tgargs, 'escape'), '\\000', 1) as kind
     from pg_trigger where tgname in ('note_updated', 'note_deleted') group by 1, 2 having count(*) = 2`,
  );
  const tracked = new Set(kept.map(({ table }) => table));
  expect(columns.map(({ table }) => table).filter((table) => !tracked.has(table) && !without[table])).toEqual(
    [],
  );
  // A column that was added later: the migration has to call keep_history once more.
  expect(columns.filter(({ silent }) => silent !== null)).toEqual([]);
  expect(kept.map(({ kind }) => kind).sort()).toEqual([...changeKinds].sort());
});

it('says who did what, when, how and in which request', async () => {
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
  const [gone, changed, made] = await of(id);
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
  expect(made).toEqual({
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
  expect(changed).toEqual({
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
  expect(gone).toMatchObject({ action: 'DELETE', actor: 'USER', before: { name: 'Torch', slug: 'lamp' } });
  expect(gone).not.toHaveProperty('after');
});

interface Life {
  path: string;
  create: object;
  update: object;
  before: object;
  after: object;
  id?: string;
}

/** What each kind of record is called on the wire, and one change of it. */
const lives: Record<string, Life> = {
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

it.each(Object.keys(lives))('follows a %s from its beginning to its end', async (kind) => {
  const life = lives[kind] as Life;
  const made = await post(life.path, life.create);
  const id = life.id ?? made.id;
  expect((await put(`${life.path}/${id}`, life.update)).status).toBe(200);
  expect((await remove(`${life.path}/${id}`)).status).toBe(200);
  const seen = await of(id);
  expect(seen.map((one) => [one.kind, one.action, one.actor])).toEqual(
    ['DELETE', 'UPDATE', 'CREATE'].map((action) => [kind, action, 'USER']),
  );
  expect([seen[1]?.before, seen[1]?.after]).toEqual([life.before, life.after]);
});

describe('what is not kept', () => {
  it('is secret, about people, or long', async () => {
    const hook = await post('/webhooks', { url: 'https://hooks.example/s', events: ['*'] });
    await post(`/webhooks/${hook.id}/rotate-secret`, {});
    const list = await post('/collections', { name: 'Mails', type: 'NEWSLETTER' });
    const reader = { email: 'secret.reader@people.example', name: 'Secret Reader' };
    const guest = await t.guest();
    await post(`/collections/${list.id}/subscribe`, reader, guest);
    const long = await post('/products', { name: 'Long', description: 'x'.repeat(5000) });
    const [rotated, made] = await of(hook.id);
    expect(made?.after).toMatchObject({ secret: { omitted: 'SECRET' } });
    expect([rotated?.before, rotated?.after]).toEqual([
      { secret: { omitted: 'SECRET' } },
      { secret: { omitted: 'SECRET' } },
    ]);
    expect((await of(long.id))[0]?.after).toMatchObject({
      name: 'Long',
      description: { omitted: 'TOO_LONG' },
    });
    const [subscription] = (await changes('?kind=SUBSCRIPTION')).items;
    expect(subscription).toMatchObject({
      userId: guest.userId,
      voice: 'REST',
      after: { email: { omitted: 'PERSONAL' }, name: { omitted: 'PERSONAL' }, collectionId: list.id },
    });
    const whole = JSON.stringify(await t.db.sql('select * from changes'));
    expect(whole).not.toMatch(/secret.reader|whsec_/i);
  });

  it('is stock, which has its ledger; but the rest of a variant is kept', async () => {
    const variant = { name: 'One', sku: 'A-1', inventory: { tracked: true, quantity: 5 } };
    const made = (await post('/products', { name: 'Stocked', variants: [variant] })) as unknown as {
      id: string;
      variants: [{ id: string }];
    };
    const [{ id }] = made.variants;
    await post(`/products/${made.id}/stock`, { variantId: id, change: 3 });
    await put(`/products/${made.id}`, { variants: [{ ...variant, id, sku: 'A-2' }] });
    expect(await of(id)).toMatchObject([
      { kind: 'VARIANT', action: 'UPDATE', before: { sku: 'A-1' }, after: { sku: 'A-2' } },
    ]);
    expect((await of(made.id)).map(({ action }) => action)).toEqual(['CREATE']);
  });
});

it('is refused to everybody but the ADMIN of the business', async () => {
  const clerk = await t.hire(shop, await t.person(), 'MANAGER');
  const asked = async (as: Person | undefined, query = '') =>
    (await t.rest('GET', at(`/changes${query}`), { as })).status;
  expect(
    await Promise.all([asked(undefined), asked(clerk), asked(other.admin), asked(await t.guest())]),
  ).toEqual([401, 403, 403, 403]);
  for (const as of [clerk, other.admin]) expect(await asked(as, '?format=jsonl')).toBe(403);
  const theirs = await t.rest<{ items: Shown[] }>('GET', `/v1/businesses/${other.businessId}/changes`, {
    as: other.admin,
  });
  expect(new Set(theirs.body.items.map((one) => one.businessId))).toEqual(new Set([other.businessId]));
});

it('finds by kind, record, person, caller and time, and says what is wrong with a question', async () => {
  const person = await t.hire(shop, await t.person({ name: 'Ida' }), 'ADMIN');
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

it('takes the same statements for any page, and every change comes once', async () => {
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
  const far = await t.shop();
  await t.db.sql(
    `insert into markets (business_id, key, code, currency, tax_bps, created_at, updated_at)
     select $1::uuid, 'm' || n, 'M' || n, 'USD', 0, 0, 0 from generate_series(1, 250) n`,
    [far.businessId],
  );
  const response = await t.app.fetch(
    new Request(`http://duet.test/v1/businesses/${far.businessId}/changes?format=jsonl&kind=MARKET`, {
      headers: { authorization: `Bearer ${far.admin.token}` },
    }),
  );
  const records = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(new Set(records.map(({ recordId }) => recordId)).size).toBe(250);
  expect(records[0]).toMatchObject({ actor: 'SYSTEM', voice: 'JOB', action: 'CREATE' });
});

it('cannot be rewritten, and outlives who made it', async () => {
  const leaving = await t.hire(shop, await t.person({ name: 'Leaving Person' }), 'ADMIN');
  const role = await post('/roles', { name: 'Left', permissions: [] }, leaving);
  for (const statement of [
    `update changes set actor = 'SYSTEM'`,
    'delete from changes',
    'delete from changes where false',
    'truncate changes',
  ])
    await expect(t.db.sql(statement), statement).rejects.toThrow(/append-only/);
  expect((await t.graphql('mutation { deleteMe { id } }', {}, { as: leaving })).errors).toEqual([]);
  const [change] = await of(role.id);
  expect(change).toMatchObject({ actor: 'USER', userId: leaving.userId, action: 'CREATE' });
  expect(change).not.toHaveProperty('userName');
});

it('says nothing when nothing changed, or when the change was undone', async () => {
  const role = await post('/roles', { name: 'Same', permissions: [] });
  await put(`/roles/${role.id}`, { name: 'Same' });
  await t.db
    .transaction(async (tx) => {
      await tx.sql(`update roles set name = 'Undone' where id = $1::uuid`, [role.id]);
      throw new Error('undone');
    })
    .catch(() => {});
  expect((await of(role.id)).map(({ action }) => action)).toEqual(['CREATE']);
});
