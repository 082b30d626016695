/**
 * Bare reference server: node:http and pg, one prepared statement per request, JSON created by PostgreSQL and sent unchanged. With
 * `PIPELINE=on` all statements are pipelined on one connection.
 */
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, PORT, BUSINESS_ID, CREATE_IN, PIPELINE } = process.env;
const pipelined =
  PIPELINE === 'on' ? new pg.Client({ connectionString: DATABASE_URL, pipeline: true }) : undefined;
await pipelined?.connect();
const db = pipelined ?? new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const product = `json_build_object('id', p.id, 'businessId', p.business_id, 'slug', p.slug, 'name', p.name, 'category', p.category,
  'statuses', p.statuses, 'document', p.document, 'version', p.version, 'createdAt', p.created_at, 'updatedAt', p.updated_at,
  'stock', (select json_agg(json_build_array(v.id, v.sku, v.tracked, v.quantity, v.low_stock_threshold)) from variants v where v.product_id = p.id))`;

const page = (start: string) => `select json_build_object('items', json_agg(j))::text as body
  from (select ${product} as j from products p where p.business_id = $1 ${start} and p.status = 'ACTIVE'
    order by p.id desc limit 20) page`;

const list = { name: 'list', text: page('') };
const after = { name: 'after', text: page('and p.id < $2') };
const get = {
  name: 'get',
  text: `select ${product}::text as body from products p where p.business_id = $1 and p.id = $2 and p.status = 'ACTIVE'`,
};
const create = {
  name: 'create',
  text: `with product as (
      insert into products (id, business_id, slug, name, statuses, document, created_at, updated_at)
      select gen_random_uuid(), $1, b->>'slug', b->>'name', '[{"status":"ACTIVE"}]', b, 1, 1 from (select $2::jsonb as b) body returning *
    ), stock as (
      insert into variants (id, product_id, business_id, position, sku, tracked, quantity)
      select gen_random_uuid(), product.id, $1, n, v->>'sku', true, (v->'inventory'->>'quantity')::int
      from product, jsonb_array_elements(product.document->'variants') with ordinality as list(v, n)
    )
    select row_to_json(product)::text as body from product`,
};

/** Tables of the bare checkout: without audit log, stock ledger and search index. */
await db.query(`create schema if not exists bare;
  create table if not exists bare.stock (variant_id uuid primary key, price bigint not null, quantity int not null);
  create table if not exists bare.numbers (business_id uuid primary key, last int not null);
  create table if not exists bare.orders (id uuid primary key, business_id uuid not null, number int not null, lines json not null,
    total bigint not null, created_at timestamptz not null default now(), unique (business_id, number));
  create table if not exists bare.keys (key text primary key, order_id uuid not null);
  create table if not exists bare.outbox (id uuid primary key default gen_random_uuid(), data json not null);
  insert into bare.stock select id, 1000, 1000000 from variants on conflict do nothing;
  insert into bare.numbers values ('${BUSINESS_ID}', 0) on conflict do nothing`);

/**
 * The shortest checkout with the guarantees of the gateway, in one statement that fails as a whole: a key is used once, stock never
 * becomes negative, two orders that lock the same variants do not deadlock, order numbers have no gaps.
 */
const checkout = {
  name: 'checkout',
  text: `with lines as (
      select * from json_to_recordset($2) as l("variantId" uuid, quantity int)
    ), claimed as (
      insert into bare.keys values ($3, gen_random_uuid()) on conflict do nothing returning order_id
    ), locked as materialized (
      select variant_id, price from bare.stock, claimed where variant_id in (select "variantId" from lines)
      order by variant_id for update of stock
    ), taken as (
      update bare.stock s set quantity = s.quantity - l.quantity from lines l, locked k
      where k.variant_id = l."variantId" and s.variant_id = k.variant_id and s.quantity >= l.quantity
      returning s.price * l.quantity as price
    ), sum as (
      select count(*) as count, sum(price) as total from taken
    ), numbered as (
      update bare.numbers n set last = n.last + 1 from sum where n.business_id = $1 and sum.count = (select count(*) from lines)
      returning n.last, sum.total
    ), placed as (
      insert into bare.orders (id, business_id, number, lines, total) select order_id, $1, last, $2, total from claimed, numbered
      returning id, number, total
    ), event as (
      insert into bare.outbox (data) select json_build_object('type', 'order.created', 'order', row_to_json(placed)) from placed
    )
    select json_build_object('orderId', (select id from placed), 'orderNumber', (select number from placed),
      'one', 1 / (select count(*) from placed))::text as body`,
};

createServer(async (req, res) => {
  const [path = '', cursor] = req.url?.split('?after=') ?? [];
  const id = path.split('/')[2];
  const query =
    path === '/checkout'
      ? await checkoutQuery(req)
      : req.method === 'POST'
        ? { ...create, values: [CREATE_IN, await read(req)] }
        : id
          ? { ...get, values: [BUSINESS_ID, id] }
          : cursor
            ? { ...after, values: [BUSINESS_ID, cursor] }
            : { ...list, values: [BUSINESS_ID] };
  const body: string = (await db.query(query)).rows[0]?.body ?? '';
  res
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'));

async function checkoutQuery(req: IncomingMessage) {
  const { items } = JSON.parse(await read(req)) as { items: unknown };
  return { ...checkout, values: [BUSINESS_ID, JSON.stringify(items), req.headers['idempotency-key']] };
}

async function read(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
