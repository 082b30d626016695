/**
 * Bare reference server: node:http and pg, one prepared statement per request, JSON created by PostgreSQL and sent unchanged. With
 * `PIPELINE=on` all statements are pipelined on one connection.
 */
import { createServer } from 'node:http';
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
  from (select ${product} as j from products p where p.business_id >= $1 and ${start} and p.status = 'ACTIVE'
    order by p.business_id desc, p.id desc limit 20) page`;

const list = { name: 'list', text: page('p.business_id <= $1') };
const after = { name: 'after', text: page('(p.business_id, p.id) < ($1, $2)') };
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

createServer(async (req, res) => {
  const [path = '', cursor] = req.url?.split('?after=') ?? [];
  const id = path.split('/')[2];
  const query =
    req.method === 'POST'
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

async function read(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
