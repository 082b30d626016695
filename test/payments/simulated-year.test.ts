/** A simulated year of a shop with a fake clock: orders that are paid, expired, refunded and cancelled, and renewing subscriptions. The audit has no findings in any quarter. */
import { expect, it } from 'vitest';
import type { SandboxPaymentAction } from '../../src/adapters/payments/sandbox-transitions.ts';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import {
  advanceClock,
  caller,
  createSubscriber,
  day,
  loadLedger,
  runAllJobs,
  sandbox,
  sessionOf,
  t,
} from '../newsletter/renewal-setup.ts';
import type { Person } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, createSellingShop, loadStock, type SoldProduct } from '../support/shop-fixtures.ts';

interface Page {
  orderId: string;
  checkoutUrl: string;
}

const total = 1673;
let staff: Person;
let path: string;
let pot: SoldProduct;

async function order(): Promise<Page> {
  const { body, status } = await t.rest<Page>('POST', `${path}/checkout`, {
    as: caller,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
  });
  expect(status).toBe(200);
  return body;
}

async function actOnPage(page: Page, action: SandboxPaymentAction): Promise<void> {
  expect(await sandbox.applyAction(sessionOf(page), action)).toBeDefined();
  await runAllJobs();
}

const request = async (method: string, { orderId }: Page, action: string, body: object) =>
  expect((await t.rest(method, `${path}/${orderId}/${action}`, { as: staff, body })).status).toBe(200);

/** Advances the clock and runs the scheduled jobs. */
async function advance(milliseconds: number): Promise<void> {
  await advanceClock(milliseconds);
  await expireOrders(t.app.services);
  await reconcilePayments(t.app.services);
  await runAllJobs();
}

/** One month: two orders that stay paid, one of them partially refunded, and four that are refunded, cancelled or expired. */
async function simulateMonth(): Promise<void> {
  const [paid, partiallyRefunded, slow, failing, cancelled, unpaid] = [
    await order(),
    await order(),
    await order(),
    await order(),
    await order(),
    await order(),
  ];
  for (const page of [paid, partiallyRefunded, cancelled]) await actOnPage(page, 'pay');
  for (const page of [slow, failing]) await actOnPage(page, 'transfer');
  await request('POST', partiallyRefunded, 'refunds', { amount: 100 });
  await request('PUT', cancelled, 'status', { status: 'CANCELLED' });
  await advance(day / 24);
  expect(await sandbox.applyAction(sessionOf(unpaid), 'pay')).toBeUndefined();
  await advance(9 * day);
  await actOnPage(failing, 'fail');
  await actOnPage(slow, 'settle');
  await request('POST', slow, 'refunds', {});
  await advance(22 * day);
}

it('has no audit findings in any quarter, and the expected totals', async () => {
  const shop = await createSellingShop(t);
  staff = await t.withApiKey(shop.admin);
  path = shop.orders;
  pot = await addProduct(t, { ...shop, admin: staff }, { price: 1000, stock: 100 });
  const [monthly, yearly] = [await createSubscriber('monthly'), await createSubscriber('yearly')];
  for (let count = 0; count < 12; count += 1) {
    await simulateMonth();
    if (count % 3 === 2) expect(await auditFindings(t.app.services)).toEqual([]);
  }
  const [sums] = await t.db.sql(
    `select sum(captured)::int as captured, sum(refunded)::int as refunded, count(*)::int as orders,
       (count(*) filter (where status = 'CANCELLED'))::int as cancelled from orders where business_id = $1`,
    [shop.businessId],
  );
  expect(sums).toEqual({
    captured: 12 * 4 * total,
    refunded: 12 * (100 + 2 * total),
    orders: 12 * 6,
    cancelled: 12 * 3,
  });
  // The slow orders were refunded without restocking.
  expect(await loadStock(t, pot)).toBe(100 - 12 * 3);
  // The simulated year has 384 days: twelve monthly renewals and one yearly renewal.
  expect(await loadLedger(monthly.id)).toEqual({ recorded: 13 * 500, atProvider: 13 * 500 });
  expect(await loadLedger(yearly.id)).toEqual({ recorded: 2 * 5000, atProvider: 2 * 5000 });
});
