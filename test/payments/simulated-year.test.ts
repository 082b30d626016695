/** A year of a whole shop by an injected clock: orders that are paid, forgotten, refunded and cancelled, readers who renew. It balances every quarter. */
import { expect, it } from 'vitest';
import type { SandboxAction } from '../../src/adapters/payments/sandbox.ts';
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
import { findingsOf } from '../support/audit.ts';
import { addProduct, type SoldProduct, sellingShop, stockOf } from '../support/selling.ts';

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

async function happen(page: Page, action: SandboxAction): Promise<void> {
  expect(await sandbox.applyAction(sessionOf(page), action)).toBeDefined();
  await runAllJobs();
}

const ask = async (method: string, { orderId }: Page, what: string, body: object) =>
  expect((await t.rest(method, `${path}/${orderId}/${what}`, { as: staff, body })).status).toBe(200);

/** Time passes, and the jobs that go by the clock run. */
async function wait(milliseconds: number): Promise<void> {
  await advanceClock(milliseconds);
  await expireOrders(t.app.services);
  await reconcilePayments(t.app.services);
  await runAllJobs();
}

/** What a month leaves: two orders whose money stays, one of which gives a part back, and four that are over. */
async function month(): Promise<void> {
  const [kept, partly, slow, failing, gone, forgotten] = [
    await order(),
    await order(),
    await order(),
    await order(),
    await order(),
    await order(),
  ];
  for (const page of [kept, partly, gone]) await happen(page, 'pay');
  for (const page of [slow, failing]) await happen(page, 'transfer');
  await ask('POST', partly, 'refunds', { amount: 100 });
  await ask('PUT', gone, 'status', { status: 'CANCELLED' });
  await wait(day / 24);
  expect(await sandbox.applyAction(sessionOf(forgotten), 'pay')).toBeUndefined();
  await wait(9 * day);
  await happen(failing, 'fail');
  await happen(slow, 'settle');
  await ask('POST', slow, 'refunds', {});
  await wait(22 * day);
}

it('balances every quarter, and in the end', async () => {
  const shop = await sellingShop(t);
  staff = await t.withApiKey(shop.admin);
  path = shop.orders;
  pot = await addProduct(t, { ...shop, admin: staff }, { price: 1000, stock: 100 });
  const [monthly, yearly] = [await createSubscriber('monthly'), await createSubscriber('yearly')];
  for (let count = 0; count < 12; count += 1) {
    await month();
    if (count % 3 === 2) expect(await findingsOf(t.app.services)).toEqual([]);
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
  // Money went back for the slow ones, not their goods.
  expect(await stockOf(t, pot)).toBe(100 - 12 * 3);
  // The year has 384 days: twelve months have passed since the first payment, and one year.
  expect(await loadLedger(monthly.id)).toEqual({ kept: 13 * 500, held: 13 * 500 });
  expect(await loadLedger(yearly.id)).toEqual({ kept: 2 * 5000, held: 2 * 5000 });
});
