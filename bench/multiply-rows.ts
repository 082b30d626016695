/** Copies the rows of a small shop in SQL into a large one: same result as the triggers, many times faster. */
import type { Db } from '../src/db/handles.ts';
import { demoShopIdsAndLogins } from '../src/seed/shop-data.ts';

const tables = [
  ...['products', 'variants', 'stock_movements', 'product_listings', 'product_prices', 'product_attributes'],
  ...['product_stock', 'orders', 'payment_attempts'],
];

/** Non-unique indexes, which are dropped before and rebuilt after the inserts: updating them row by row would take longer. */
const rebuiltIndexes = `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
  join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relname in (${tables.map((name) => `'${name}'`).join(', ')}) and not i.indisunique`;

/** Runs statements in separate sessions, two at a time: each takes minutes for ten million products. */
async function runAll(db: Db, statements: readonly string[]): Promise<void> {
  const queue = [...statements];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await db.script(`set session_replication_role = replica; set maintenance_work_mem = '512MB'; ${next};
        set session_replication_role = default`);
  };
  await Promise.all([worker(), worker()]);
}

const idOf = (group: string, number: string) =>
  `('01900000-0000-7${group}-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** Copies the products 1 to `from` until there are `to`. In SQL, `i` is the number of the original and `n` that of the copy. */
export async function multiplyProducts(db: Db, from: number, to: number): Promise<void> {
  if (to <= from) return;
  const variantIds = (i: string, n: string, index: number) =>
    [idOf('101', `${i} * 3 + ${index}`), idOf('101', `${n} * 3 + ${index}`)].map((id) => `${id}::text`);
  const [first, second, third] = [0, 1, 2].map((index) => variantIds('c.i', 'c.n', index).join(', '));
  const pairs = `(select ((g - 1) % ${from} + 1)::bigint as i, g as n from generate_series(${from + 1}::bigint, ${to}::bigint) g) c`;
  const indexes = await db.sql<{ name: string; definition: string }>(rebuiltIndexes);
  for (const { name } of indexes) await db.script(`drop index "${name}"`);
  await runAll(db, [
    `insert into products (id, business_id, slug, name, category, statuses, document, version, created_at, updated_at)
          select ${idOf('100', 'c.n')}, p.business_id, 'sample-' || c.n, 'Sample ' || c.n, p.category, p.statuses,
            replace(replace(replace(replace(p.document::text, ${first}), ${second}), ${third}),
              'Number ' || c.i || ' of', 'Number ' || c.n || ' of')::jsonb,
            1, 1735689600 + c.n, 1735689600 + c.n
          from ${pairs} join products p on p.id = ${idOf('100', 'c.i')}`,
    `insert into variants (id, product_id, business_id, position, sku, tracked, quantity, low_stock_threshold)
          select ${idOf('101', 'c.n * 3 + v.position - 1')}, ${idOf('100', 'c.n')}, v.business_id, v.position,
            'SAMPLE-' || c.n || '-' || v.position, v.tracked, v.quantity, v.low_stock_threshold
          from ${pairs} join variants v on v.product_id = ${idOf('100', 'c.i')}`,
    `insert into product_prices (product_id, market, business_id, price)
          select ${idOf('100', 'c.n')}, x.market, x.business_id, x.price
          from ${pairs} join product_prices x on x.product_id = ${idOf('100', 'c.i')}`,
    `insert into product_attributes (product_id, name, value, business_id)
          select ${idOf('100', 'c.n')}, x.name, x.value, x.business_id
          from ${pairs} join product_attributes x on x.product_id = ${idOf('100', 'c.i')}`,
    `insert into product_stock (product_id, business_id, stock)
          select ${idOf('100', 'c.n')}, x.business_id, x.stock
          from ${pairs} join product_stock x on x.product_id = ${idOf('100', 'c.i')}`,
  ]);
  // Derived from the rows above. Search vectors take longest to compute, so each worker inserts half of them.
  await runAll(db, [
    ...[0, 1].map(
      (half) => `insert into product_listings (product_id, business_id, name, search, created_at, updated_at)
          select p.id, p.business_id, lower(p.name), product_words(p.name, p.category, p.document), p.created_at, p.updated_at
          from products p where p.created_at % 2 = ${half}
            and not exists (select 1 from product_listings l where l.product_id = p.id)`,
    ),
    `insert into stock_movements (id, business_id, product_id, variant_id, kind, change, balance, created_at)
          select v.id, v.business_id, v.product_id, v.id, 'EDIT', v.quantity, v.quantity, 1735689600
          from variants v where not exists (select 1 from stock_movements m where m.id = v.id)`,
  ]);
  await runAll(
    db,
    indexes.map(({ definition }) => definition),
  );
}

/** Inserts paid copies of the order `templateId`, of 50,000 customers; their numbers follow the existing ones. */
export async function fillOrders(db: Db, templateId: string, count: number): Promise<void> {
  const columns = [
    ...[
      'market',
      'currency',
      'lines',
      'blocks',
      'shipping_address',
      'subtotal',
      'tax',
      'tax_bps',
      'shipping',
    ],
    ...['discount', 'total', 'shipping_method_id', 'statuses'],
  ].join(', ');
  await db.script(`set session_replication_role = replica;
    insert into orders (id, business_id, number, customer_id, payment_statuses, captured, version, created_at, updated_at, ${columns})
      select ${idOf('104', 'g')}, business_id, n.last + g, md5('buyer' || g % 50000)::uuid,
        jsonb_build_array(jsonb_build_object('id', 'paid', 'status', 'PAID', 'changedBy', 'SYSTEM', 'timestamp', 1735689600)),
        total, 2, 1735689600 + g, 1735689600 + g, ${columns}
      from generate_series(1::bigint, ${count}::bigint) g, (select * from orders where id = '${templateId}') o,
        (select last from order_numbers where business_id = '${demoShopIdsAndLogins.businessId}') n;
    insert into payment_attempts
      (id, reference, kind, subject_id, number, amount, currency, state, expires_at, payment_id, captured, created_at, updated_at)
      select ${idOf('105', 'g')}, 'order:' || ${idOf('104', 'g')}, 'order', ${idOf('104', 'g')}, 1, 4162, 'USD', 'PAID',
        1735689600, 'paid-' || g, 4162, 1735689600, 1735689600
      from generate_series(1::bigint, ${count}::bigint) g;
    update order_numbers set last = last + ${count}, given = given + ${count} where business_id = '${demoShopIdsAndLogins.businessId}';
    set session_replication_role = default`);
}
