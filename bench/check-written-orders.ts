/** Checks what the checkouts of a run have written, of the gateway and of the bare server. */
import pg from 'pg';

export interface Books {
  orders: number;
  /** Variants with negative stock. */
  oversold: number;
  /** Variants whose stock is not the initial stock minus the units sold. */
  wrongStock: number;
  /** Order numbers that are missing or used twice. */
  wrongNumbers: number;
  /** Orders whose total is not the sum of its parts. */
  wrongTotals: number;
  /** Idempotency keys without their order. */
  lostOrders: number;
}

const gateway = `select (select count(*)::int from orders) as orders,
  (select count(*)::int from variants where quantity < 0) as oversold,
  (select count(*)::int from (select variant_id, sum(-change) as units, max(balance - change) as initial
    from stock_movements where kind = 'ORDER' group by variant_id) m join variants v on v.id = m.variant_id
    where v.quantity <> m.initial - m.units) as "wrongStock",
  (select coalesce(sum(max - min + 1 + total - 2 * distinct_numbers), 0)::int from (select max(number), min(number), count(*) as total,
    count(distinct number) as distinct_numbers from orders group by business_id) n) as "wrongNumbers",
  (select count(*)::int from orders where total <> subtotal - discount + tax + shipping
    or subtotal <> (select sum((line->>'totalPrice')::bigint) from jsonb_array_elements(lines) line)) as "wrongTotals",
  (select count(*)::int from idempotency_keys k where k.result ? 'orderId'
    and not exists (select from orders o where o.id = (k.result->>'orderId')::uuid)) as "lostOrders"`;

const bare = `select (select count(*)::int from bare.orders) as orders,
  (select count(*)::int from bare.stock where quantity < 0) as oversold,
  (select count(*)::int from bare.stock s join (select l."variantId" as id, sum(l.quantity) as units from bare.orders,
    json_to_recordset(lines) as l("variantId" uuid, quantity int) group by 1) sold on sold.id = s.variant_id
    where s.quantity <> 1000000 - sold.units) as "wrongStock",
  (select coalesce(max(number) - count(distinct number), 0)::int from bare.orders) as "wrongNumbers",
  (select count(*)::int from bare.orders o where total <> (select sum(1000 * l.quantity) from json_to_recordset(o.lines)
    as l(quantity int))) as "wrongTotals",
  (select count(*)::int from bare.keys k where not exists (select from bare.orders o where o.id = k.order_id)) as "lostOrders"`;

export async function readBooks(url: string): Promise<Record<'gateway' | 'bare', Books>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const read = async (text: string) => (await client.query<Books>(text)).rows[0] as Books;
    return { gateway: await read(gateway), bare: await read(bare) };
  } finally {
    await client.end();
  }
}
