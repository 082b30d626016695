/** Uses of promo codes: claimed by the transaction that makes an order, released when the order is cancelled. */
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';

/** False when the code is gone. The row lock makes its limits hold for everybody. */
export async function lockPromoCode(tx: Queries, promoCodeId: string): Promise<boolean> {
  return (await tx.sql('select id from promo_codes where id = $1 for update', [promoCodeId])).length > 0;
}

/** For a code that is locked, by an earlier statement, so that this one counts the claims that the lock waited for. */
export async function claimPromoCode(
  tx: Queries,
  promoCodeId: string,
  orderId: string,
  customerId: string | undefined,
): Promise<boolean> {
  const claimed = await tx.sql(
    `update promo_codes c set uses = c.uses + 1
     where c.id = $1 and (c.max_uses is null or c.uses < c.max_uses) and (c.max_uses_per_customer is null
       or (select count(*) from promo_claims k where k.promo_code_id = $1 and k.customer_id = $2) < c.max_uses_per_customer)
     returning c.id`,
    [promoCodeId, customerId ?? null],
  );
  if (claimed.length === 0) return false;
  await tx.sql(
    'insert into promo_claims (order_id, promo_code_id, customer_id, created_at) values ($1, $2, $3, $4)',
    [orderId, promoCodeId, customerId ?? null, now()],
  );
  return true;
}

/** Locks the code an order has claimed, as everybody does who is about to release it. */
export async function lockClaimedPromoCode(tx: Queries, orderId: string): Promise<void> {
  await tx.sql(
    `select p.id from promo_codes p join promo_claims c on c.promo_code_id = p.id where c.order_id = $1 for update of p`,
    [orderId],
  );
}

/** Releasing what was released already, or never claimed, changes nothing. */
export async function releasePromoCode(tx: Queries, orderId: string): Promise<void> {
  await tx.sql(
    `with released as (delete from promo_claims where order_id = $1 returning promo_code_id)
     update promo_codes set uses = uses - 1 where id in (select promo_code_id from released)`,
    [orderId],
  );
}

/** Which of the orders hold a promo code. */
export async function findOrdersWithPromoClaim(
  queries: Queries,
  orderIds: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ order_id: string }>(
    'select order_id from promo_claims where order_id = any($1::uuid[])',
    [orderIds],
  );
  return new Set(rows.map((row) => row.order_id));
}
