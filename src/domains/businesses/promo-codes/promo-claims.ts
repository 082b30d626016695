/** Promo code claims: the transaction that creates an order claims one use; cancelling the order releases it. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';

/** Locks the promo code, which serialises concurrent claims so that its limits hold. Returns false when the code is deleted. */
export async function lockPromoCode(tx: QueryHandle, promoCodeId: string): Promise<boolean> {
  return (await tx.sql('select id from promo_codes where id = $1 for update', [promoCodeId])).length > 0;
}

/**
 * Claims one use; false when a limit is reached. The caller must have locked the code in an earlier statement of the transaction, so that
 * this statement sees the claims that were committed while it waited for the lock.
 */
export async function claimPromoCode(
  tx: QueryHandle,
  promoCodeId: string,
  orderId: string,
  customerId: string | undefined,
): Promise<boolean> {
  const claimed = await tx.write(
    `update promo_codes c set uses = c.uses + 1
     where c.id = $1 and (c.max_uses is null or c.uses < c.max_uses) and (c.max_uses_per_customer is null
       or (select count(*) from promo_claims k where k.promo_code_id = $1 and k.customer_id = $2) < c.max_uses_per_customer)
     returning c.id`,
    [promoCodeId, customerId ?? null],
  );
  if (claimed.length === 0) return false;
  await tx.write(
    'insert into promo_claims (order_id, promo_code_id, customer_id, created_at) values ($1, $2, $3, $4)',
    [orderId, promoCodeId, customerId ?? null, now()],
  );
  return true;
}

/** Locks the promo code that an order has claimed. Required before `releasePromoClaim`. */
export async function lockClaimedPromoCode(tx: QueryHandle, orderId: string): Promise<void> {
  await tx.sql(
    `select p.id from promo_codes p join promo_claims c on c.promo_code_id = p.id where c.order_id = $1 for update of p`,
    [orderId],
  );
}

/** Idempotent: does nothing when the order has no claim. */
export async function releasePromoClaim(tx: QueryHandle, orderId: string): Promise<void> {
  await tx.write(
    `with released as (delete from promo_claims where order_id = $1 returning promo_code_id)
     update promo_codes set uses = uses - 1 where id in (select promo_code_id from released)`,
    [orderId],
  );
}

/** Ids of the orders that hold a promo code claim. */
export async function findOrderIdsWithPromoClaim(
  queries: QueryHandle,
  orderIds: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.sql<{ order_id: string }>(
    'select order_id from promo_claims where order_id = any($1::uuid[])',
    [orderIds],
  );
  return new Set(rows.map((row) => row.order_id));
}
