/** What is left to end: orders whose time to pay is over, and pages on which somebody could still pay. */
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../src/lib/time.ts';
import type { Person, TestApp } from './app.ts';
import type { SellingShop } from './shop-fixtures.ts';

/** Waits for what others do in the background: a gateway beside the test runs the same jobs and may hold a part of the work. */
export async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50);
}

export async function countOverdueOrders(t: TestApp, shop: SellingShop): Promise<number> {
  return count(
    t,
    `select count(*)::int as count from orders where status = 'PENDING' and expires_at <= ${now()} and business_id = $1`,
    shop.businessId,
  );
}

export async function countOpenPaymentPages(t: TestApp, buyer: Person): Promise<number> {
  return count(
    t,
    `select count(*)::int as count from sandbox_payments s join orders o on s.reference = 'order:' || o.id
     where o.customer_id = $1 and s.state = 'OPEN'`,
    buyer.userId,
  );
}

async function count(t: TestApp, statement: string, of: string): Promise<number> {
  const [row] = await t.db.sql<{ count: number }>(statement, [of]);
  return row?.count ?? 0;
}
