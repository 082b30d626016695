/** Orders that have ended (refunded, business or account deleted) close their payment pages, and money that still arrives is refunded. */
import { describe, expect, it } from 'vitest';
import { reconcilePayments } from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { createAccount } from '../support/accounts.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import { addProduct, createSellingShop, detailErrors } from '../support/shop-fixtures.ts';
import {
  actOnPage,
  balanceAtProvider,
  buy,
  edit,
  type Page,
  pot,
  refund,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './setup.ts';

const stateAtProvider = async (page: Page) => (await sandbox.findSession(sessionOf(page)))?.state;

const reconcile = async (): Promise<string[]> => {
  const found: string[] = [];
  await reconcilePayments(t.app.services, {
    eventGraceSeconds: 0,
    paymentGraceSeconds: 0,
    onDifference: ({ about, ours, theirs }) => found.push(`${about}: ${ours}, ${theirs}`),
  });
  return found;
};

/** A paid order that became 500 more expensive, and the open page for that amount. */
async function buyWithOpenPage(): Promise<{ paid: Page; link: Page }> {
  const paid = await buy();
  await actOnPage(paid, 'pay');
  await edit(paid.orderId, { shipping: 1090 });
  return { paid, link: (await requestPaymentLink(paid.orderId)).body };
}

const refundAll: [string, (paid: Page) => Promise<unknown>][] = [
  ['by a full refund', (paid) => refund(paid.orderId, {})],
  [
    'by a full refund in the dashboard of the provider',
    async (paid) => {
      const paymentId = `pay_${sessionOf(paid)}`;
      await sandbox.refund({ paymentId, amount: 1673, currency: 'USD', key: `all-${paymentId}`, since: 0 });
      const event = { type: 'refunded' as const, paymentId, amount: 1673 };
      await deliverPaymentEvent(t, createPaymentEvent(paid.orderId, event));
    },
  ],
  [
    'by staff',
    (paid) =>
      t.rest('PUT', `${shop.orders}/${paid.orderId}/status`, {
        as: shop.admin,
        body: { status: 'REFUNDED' },
      }),
  ],
];

describe('an order that becomes REFUNDED', () => {
  it.each(refundAll)('%s closes its payment page', async (_name, act) => {
    const { paid, link } = await buyWithOpenPage();
    await act(paid);
    await t.app.drainJobs();
    expect(await stateOf(paid.orderId)).toMatchObject({ status: 'REFUNDED', amountDue: 0 });
    expect(await stateAtProvider(link)).toBe('expired');
    expect(detailErrors((await requestPaymentLink(paid.orderId, shop.admin)).body)).toEqual([
      'id NOTHING_DUE',
    ]);
  });

  it.each(refundAll)('%s returns a payment that still arrives', async (_name, act) => {
    const { paid, link } = await buyWithOpenPage();
    // Paid at the provider; the event arrives after the refund.
    await sandbox.applyAction(sessionOf(link), 'pay');
    const { captured } = await stateOf(paid.orderId);
    await act(paid);
    await t.app.drainJobs();
    expect(await stateOf(paid.orderId)).toMatchObject({ status: 'REFUNDED', captured });
    expect(await balanceAtProvider(link)).toBe(0);
  });

  it('before pages were closed returns the payment of a page that is still open', async () => {
    const { paid, link } = await buyWithOpenPage();
    const attempts = await t.db.sql<{ id: string }>(
      `select id from payment_attempts where subject_id = $1 and state = 'OPEN'`,
      [paid.orderId],
    );
    await refund(paid.orderId, {});
    await t.db.write(`update payment_attempts set state = 'OPEN' where id = $1`, [attempts[0]?.id]);
    await t.db.write(`delete from pgboss.job where name = 'close-payment-session'`);
    const { orderId } = paid;
    expect(await auditFindings(t.app.services)).toEqual([
      `order:${orderId}: owes 0, but its payment page order:${orderId}:2 asks for 500`,
    ]);
    await actOnPage(link, 'pay');
    expect(await stateOf(paid.orderId)).toMatchObject({ status: 'REFUNDED', captured: 1673, refunded: 1673 });
    expect(await balanceAtProvider(link)).toBe(0);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });
});

describe('an order of a deleted business', () => {
  async function buyAtNewShop(): Promise<Page & { businessId: string; remove(): Promise<unknown> }> {
    const seller = await createSellingShop(t);
    const sold = await addProduct(t, seller, { price: 1000, stock: 10 });
    const { body } = await t.rest<Page>('POST', `${seller.orders}/checkout`, {
      as: await t.guest(),
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity: 1 }] },
    });
    const { businessId } = seller;
    const remove = () => t.rest('DELETE', `/v1/businesses/${businessId}`, { as: seller.admin });
    return { ...body, businessId, remove };
  }

  it('has its payment page closed at the provider', async () => {
    const page = await buyAtNewShop();
    expect(await page.remove()).toMatchObject({ status: 200 });
    await t.app.drainJobs();
    expect(await stateAtProvider(page)).toBe('expired');
    expect(await reconcile()).toEqual([]);
  });

  it('returns a payment that still arrives', async () => {
    const page = await buyAtNewShop();
    await sandbox.applyAction(sessionOf(page), 'pay');
    await page.remove();
    await t.app.drainJobs();
    expect(await balanceAtProvider(page)).toBe(0);
    expect(await reconcile()).toEqual([]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it.each([
    ['EXPIRED', 'expired', 0],
    ['PAID', 'paid', 0],
  ])('deleted with an open page, which is %s, is repaired by one reconciliation', async (state, theirs) => {
    const page = await buyAtNewShop();
    // As the previous version left it.
    await t.db.write('delete from businesses where id = $1', [page.businessId]);
    await t.db.write('update sandbox_payments set state = $2::"SandboxState" where id = $1', [
      sessionOf(page),
      state,
    ]);
    expect(await reconcile()).toContain(`session order:${page.orderId}: open, ${theirs}`);
    await t.app.drainJobs();
    expect(await reconcile()).toEqual([]);
    expect(await balanceAtProvider(page)).toBe(0);
  });
});

it('an unpaid order of a deleted account has its payment page closed, and returns a payment', async () => {
  const account = await createAccount(t);
  const pages: Page[] = [];
  for (let index = 0; index < 2; index += 1) {
    const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
      as: account,
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
    });
    pages.push(body);
  }
  const [open, paid] = pages as [Page, Page];
  await sandbox.applyAction(sessionOf(paid), 'transfer');
  await t.app.drainJobs();
  const { data } = await t.graphql(
    'mutation($p: String) { deleteMe(password: $p) { deleted } }',
    { p: account.password },
    { as: account },
  );
  expect(data).toEqual({ deleteMe: { deleted: true } });
  await t.app.drainJobs();
  expect(await stateAtProvider(open)).toBe('expired');
  await actOnPage(paid, 'settle');
  expect(await balanceAtProvider(paid)).toBe(0);
});

it('an order of a deleted account returns a payment that arrives before the erasure has run', async () => {
  const account = await createAccount(t);
  const { body: paid } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: account,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] },
  });
  await actOnPage(paid, 'pay');
  await edit(paid.orderId, { shipping: 1090 });
  const { body: link } = await requestPaymentLink(paid.orderId, account);
  await t.graphql(
    'mutation($p: String) { deleteMe(password: $p) { deleted } }',
    { p: account.password },
    { as: account },
  );
  const event = await sandbox.applyAction(sessionOf(link), 'pay');
  if (!event) throw new Error('The page could not be paid.');
  expect(await deliverPaymentEvent(t, event)).toBe(200);
  expect(await stateOf(paid.orderId)).toMatchObject({ captured: 1673, status: 'PROCESSING' });
  await t.app.drainJobs();
  expect(await balanceAtProvider(link)).toBe(0);
  expect(await balanceAtProvider(paid)).toBe(1673);
  expect(await auditFindings(t.app.services)).toEqual([]);
});
