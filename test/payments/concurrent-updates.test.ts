/** Concurrent updates of a payment by webhook, reconciliation, expiry and staff lead to one consistent outcome. */
import { expect, it } from 'vitest';
import { expireOrders } from '../../src/domains/orders/payment/expire-orders.ts';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { submitRefundToProvider } from '../../src/domains/payments/schedule-submit-and-load-refunds.ts';
import type { PaymentEvent } from '../../src/ports/payments.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { onPostgres } from '../support/database.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import { addProduct, loadStock, type SoldProduct } from '../support/shop-fixtures.ts';
import {
  backdateOrderExpiry,
  balanceAtProvider,
  buy,
  cancel,
  type Page,
  refund,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

/** Needs PostgreSQL: the embedded database has one connection. */
const inParallel = it.runIf(onPostgres);

const rounds = 4;
const orders = 3;

const reconcile = () => reconcilePayments(t.app.services, { eventGraceSeconds: 0, paymentGraceSeconds: 0 });
const expire = () => expireOrders(t.app.services);

/** Provider event of the payment. */
const paidEvent = (page: Page): PaymentEvent =>
  createPaymentEvent(page.orderId, {
    paymentId: `pay_${sessionOf(page)}`,
    sessionId: sessionOf(page),
    amount: 1673,
  });

type Party = (page: Page) => Promise<unknown>;
const parties = {
  webhook: (page: Page) => deliverPaymentEvent(t, paidEvent(page)),
  reconciliation: reconcile,
  expiry: expire,
  staff: (page: Page) => cancel(page.orderId),
} satisfies Record<string, Party>;

/** Status, amounts and status history counts of an order. */
async function outcomeOf(page: Page) {
  const { status, currentPaymentStatus, captured, refunded, refunds } = await stateOf(page.orderId);
  const [history] = await t.db.sql<{ paid: number; cancelled: number }>(
    `select (select count(*)::int from jsonb_array_elements(payment_statuses) e where e->>'status' = 'PAID') as paid,
       (select count(*)::int from jsonb_array_elements(statuses) e where e->>'status' = 'CANCELLED') as cancelled
     from orders where id = $1`,
    [page.orderId],
  );
  const atProvider = await balanceAtProvider(page);
  return {
    status,
    currentPaymentStatus,
    captured,
    refunded,
    refunds: refunds.length,
    atProvider,
    ...history,
  };
}

const kept = {
  status: 'PROCESSING',
  currentPaymentStatus: 'PAID',
  captured: 1673,
  refunded: 0,
  refunds: 0,
  atProvider: 1673,
  paid: 1,
  cancelled: 0,
};
const returned = {
  status: 'CANCELLED',
  currentPaymentStatus: 'REFUNDED',
  captured: 1673,
  refunded: 1673,
  refunds: 1,
  atProvider: 0,
  paid: 1,
  cancelled: 1,
};
const unpaid = {
  status: 'CANCELLED',
  currentPaymentStatus: 'FAILED',
  captured: 0,
  refunded: 0,
  refunds: 0,
  atProvider: 0,
  paid: 0,
  cancelled: 1,
};

/** Runs all parties concurrently and twice, in random order; then drains the jobs. */
async function race(pages: readonly Page[], actors: readonly Party[]): Promise<void> {
  const calls = pages.flatMap((page) =>
    [...actors, ...actors].map((party) => ({ party, page, at: Math.random() })),
  );
  await Promise.all(calls.sort((a, b) => a.at - b.at).map(({ party, page }) => party(page)));
  await t.app.drainJobs();
  await reconcile();
  await t.app.drainJobs();
}

async function addStockedProduct(): Promise<SoldProduct> {
  return addProduct(t, shop, { price: 1000, stock: 100 });
}

async function buyOverdueOrders(sold: SoldProduct): Promise<Page[]> {
  const pages = await Promise.all(Array.from({ length: orders }, () => buy(1, sold)));
  for (const { orderId } of pages) await backdateOrderExpiry(orderId);
  return pages;
}

inParallel('a paid session is either kept or cancelled and refunded', async () => {
  const { webhook, reconciliation, expiry, staff } = parties;
  for (let round = 0; round < rounds; round += 1) {
    const sold = await addStockedProduct();
    const pages = await buyOverdueOrders(sold);
    for (const page of pages)
      await t.db.write(`update sandbox_payments set state = 'PAID' where id = $1`, [sessionOf(page)]);
    // In every second round staff do not cancel: the payment must be kept.
    const isCancelled = round % 2 === 1;
    await race(pages, [webhook, reconciliation, expiry, ...(isCancelled ? [staff] : [])]);
    for (const page of pages) expect(await outcomeOf(page)).toEqual(isCancelled ? returned : kept);
    expect(await loadStock(t, sold)).toBe(isCancelled ? 100 : 100 - orders);
  }
  expect(await auditFindings(t.app.services)).toEqual([]);
});

inParallel(
  'a session that is paid while it is closed is paid and kept, paid and refunded, or unpaid',
  async () => {
    const pay = (page: Page) => sandbox.applyAction(sessionOf(page), 'pay');
    for (let round = 0; round < rounds; round += 1) {
      const sold = await addStockedProduct();
      const pages = await buyOverdueOrders(sold);
      await race(pages, [pay, parties.reconciliation, parties.expiry, ...(round % 2 ? [parties.staff] : [])]);
      let keptOrders = 0;
      for (const page of pages) {
        const outcome = await outcomeOf(page);
        expect([kept, returned, unpaid]).toContainEqual(outcome);
        if (outcome.status !== 'CANCELLED') keptOrders += 1;
      }
      expect(await loadStock(t, sold)).toBe(100 - keptOrders);
    }
    expect(await auditFindings(t.app.services)).toEqual([]);
  },
);

inParallel('a refund succeeds once and fails once', async () => {
  const { refund: originalRefund } = sandbox;
  const page = await buy();
  await sandbox.applyAction(sessionOf(page), 'pay');
  await t.app.drainJobs();
  // The provider makes the refund, but its answer is lost.
  sandbox.refund = async (request) => {
    await originalRefund(request);
    throw new Error('timeout');
  };
  const { body } = await refund(page.orderId, { amount: 600 });
  Object.assign(sandbox, { refund: originalRefund });
  const refundEvent = (status: 'succeeded' | 'failed') => () =>
    deliverPaymentEvent(
      t,
      createPaymentEvent(page.orderId, {
        type: 'refund',
        reference: undefined,
        paymentId: `pay_${sessionOf(page)}`,
        amount: 600,
        refund: { id: `re_${body.id}`, key: body.id, status },
      }),
    );
  const settle = () => submitRefundToProvider(t.app.services, body.id);
  await race([page], [refundEvent('succeeded'), settle, reconcile]);
  expect(await stateOf(page.orderId)).toMatchObject({ refunded: 600, refunds: [{ status: 'SUCCEEDED' }] });
  expect(await balanceAtProvider(page)).toBe(1073);
  await t.db.write(
    `update sandbox_payments set refunds = jsonb_build_object('failed:' || $2::text, 600) where id = $1`,
    [sessionOf(page), body.id],
  );
  await race([page], [refundEvent('failed'), settle, reconcile]);
  expect(await stateOf(page.orderId)).toMatchObject({ refunded: 0, refunds: [{ status: 'FAILED' }] });
  expect(await auditFindings(t.app.services)).toEqual([]);
});
