/** The Citus script for sharding by business: it fits the schema and Citus's rules for keys, and the shop runs on the resulting tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { distributedTables, unscopedTables } from '../support/business-scope-check.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

const textOf = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

/** Stubs of the Citus functions, which only record their arguments. */
const citusStubs = `create table placed (name text, how text);
  create function create_reference_table(name text) returns void language sql
    as $$ insert into placed values (name, 'everywhere') $$;
  create function create_distributed_table(name text, by text, colocate_with text default 'default') returns void
    language sql as $$ insert into placed values (name, by) $$`;

const keysWithout = `select c.relname as table, x.relname as key from pg_index i join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid join placed d on d.name = c.relname
  where i.indisunique and d.how <> 'everywhere'
    and not exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = d.how and a.attnum = any(i.indkey::int2[]))`;

/** Foreign keys of distributed tables must stay within the business or reference a reference table. */
const linksAcross = `select f.conrelid::regclass::text as "from", f.confrelid::regclass::text as "to" from pg_constraint f
  join placed there on there.name = f.confrelid::regclass::text left join placed here on here.name = f.conrelid::regclass::text
  where f.contype = 'f' and there.how <> 'everywhere' and (here.how is null or here.how = 'everywhere' or not exists (
    select 1 from unnest(f.conkey, f.confkey) as k(own, other)
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own and a.attname = here.how
    join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.other and b.attname = there.how))
  union all
  select f.conrelid::regclass::text, f.confrelid::regclass::text from pg_constraint f
  join placed here on here.name = f.conrelid::regclass::text left join placed there on there.name = f.confrelid::regclass::text
  where f.contype = 'f' and here.how <> 'everywhere' and there.how is null`;

let t: TestApp;
let shop: SellingShop;
let guest: Person;
let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp();
  await t.db.script(citusStubs);
  await t.db.script(textOf('ops/citus.sql'));
  shop = await createSellingShop(t);
  guest = await t.guest();
});

it('every unique key of a distributed table contains the business id, and no foreign key leaves the business', async () => {
  expect(await t.db.sql(keysWithout)).toEqual([]);
  expect(await t.db.sql(linksAcross)).toEqual([]);
  const placed = await t.db.sql<{ name: string }>(
    `select name from placed where how = 'business_id' order by name`,
  );
  expect(placed.map(({ name }) => name)).toEqual([...distributedTables].sort());
});

it.each([
  ['select 1 from orders where id = $1', ['orders']],
  ['select 1 from orders where business_id = $1 and id = $2', []],
  ['select 1 from products p join variants v on v.product_id = p.id where p.business_id = $1', ['variants']],
  ['select 1 from products p where p.business_id >= $1 and (p.business_id, p.id) < ($1, $2)', []],
  ['update carts as c set note = $1 where c.id = $2', ['carts']],
  ['insert into orders (id, number) values ($1, $2)', ['orders']],
])('finds the tables that a statement does not restrict to a business: %s', (statement, stray) => {
  expect(unscopedTables(statement)).toEqual(stray);
});

it('the documentation contains the calls of the script', () => {
  const calls = textOf('ops/citus.sql').match(/^SELECT create_\w+_table.*$/gm) ?? [];
  const documentation = textOf('docs/scaling.md');
  expect(calls.filter((call) => !documentation.includes(call))).toEqual([]);
});

it('the shop runs in both protocols, and every statement of its frequent routes filters by business', async () => {
  pot = await addProduct(t, shop, { stock: 5 });
  t.statements.length = 0;
  const products = `/v1/businesses/${shop.businessId}/products`;
  const carts = `/v1/businesses/${shop.businessId}/carts`;
  const as = shop.admin;
  const created = await t.rest<{ id: string }>('POST', products, {
    as,
    body: { name: 'Lamp', status: 'ACTIVE' },
  });
  const variants = [{ name: 'Red', sku: 'LAMP', inventory: { tracked: true, quantity: 2 } }];
  const lamp = `${products}/${created.body.id}`;
  const items = [{ ...pot, quantity: 1 }];
  const order = { businessId: shop.businessId, market: 'US', shippingMethodId: 'standard', items };
  const checkout = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: { ...order, paymentMethod: 'CREDIT_CARD' },
  });
  const calls: [method: string, path: string, as: Person, body?: object][] = [
    ['PUT', lamp, as, { name: 'Old lamp', variants }],
    ['PUT', lamp, as, { variants: [{ name: 'Blue' }] }],
    ['GET', lamp, guest],
    ['GET', `${products}?limit=5`, guest],
    ['GET', `${products}?query=lamp`, guest],
    ['GET', `${products}?query=lamp&sort=RELEVANCE`, guest],
    ['GET', `${products}?inStock=true&sort=NAME`, guest],
    ['GET', `${lamp}/stock`, as],
    ['POST', '/v1/payments/quote', guest, { ...order, lines: items }],
    ['GET', shop.orders, as],
    ['GET', `${shop.orders}?sort=OLDEST`, as],
    ['GET', `${shop.orders}/${checkout.body.orderId}`, guest],
    ['POST', carts, guest, { market: 'US' }],
    ['POST', `${carts}/me/lines`, guest, { ...pot, quantity: 1 }],
    ['GET', `${carts}/me`, guest],
    ['DELETE', lamp, as],
  ];
  const statuses = [created.status, checkout.status];
  for (const [method, path, viewer, body] of calls)
    statuses.push((await t.rest(method, path, { as: viewer, body })).status);
  expect(statuses.map((status) => Math.floor(status / 100))).toEqual(statuses.map(() => 2));
  const listed = await t.graphql(
    'query ($b: ID!) { products(businessId: $b) { totalCount nodes { name } facets { inStock } } orders(businessId: $b) { nodes { number } } }',
    { b: shop.businessId },
    { as },
  );
  expect(listed).toMatchObject({
    errors: [],
    data: { products: { totalCount: 1, nodes: [{ name: 'Teapot' }] } },
  });
  expect(t.statements.filter((text) => unscopedTables(text).length > 0)).toEqual([]);
});
