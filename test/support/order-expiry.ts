/** Counts overdue unpaid orders and open payment pages, for tests of order expiry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../src/lib/time.ts';
import type { Person, TestApp } from './app.ts';
import type { SellingShop } from './shop-fixtures.ts';

/** Polls every 50 ms until the condition is true: a second gateway runs the same jobs and may have claimed part of the work. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
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
