/** Reconciliation: what the provider's events did not tell is found and repaired, once, and nothing is made up. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { reconcileCommand as command } from '../../src/cli/commands/reconcile.ts';
import {
  type ReconcileOptions,
  reconcilePayments,
} from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { retryRefund } from '../../src/domains/payments/refunds.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { findingsOf } from '../support/audit.ts';
import { addProduct, sellingShop } from '../support/selling.ts';
import { type StripeServer, stripeServer } from '../support/stripe-server.ts';
import {
  actOnPage,
  buy,
  cancel,
  edit,
  type Page,
  pot,
  refund,
  sandbox,
  sessionOf,
  stateOf,
  t,
} from './setup.ts';

const run = async (services = t.app.services, options: ReconcileOptions = {}) => {
  const told: string[] = [];
  const { differences, unanswered } = await reconcilePayments(services, {
    eventGraceSeconds: 0,
    paymentGraceSeconds: 0,
    onDifference: ({ about, ours, theirs }) => told.push(`${about}: ${ours}, ${theirs}`),
    ...options,
  });
  expect(differences).toBe(told.length);
  return { told, unanswered };
};

/** Something happens at the provider and nobody is told. */
const setPage = (page: Page, state: string) =>
  t.db.sql('update sandbox_payments set state = $2::"SandboxState" where id = $1', [sessionOf(page), state]);

describe('a dropped event', () => {
  it('of a payment is told by a dry run, and repaired by the next', async () => {
    const page = await buy();
    await setPage(page, 'PAID');
    const said = { told: [`page order:${page.orderId}: open, paid`], unanswered: 0 };
    expect(await run(t.app.services, { dryRun: true })).toEqual(said);
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PENDING', captured: 0 });
    expect(await run(t.app.services, { eventGraceSeconds: 300 })).toEqual({ told: [], unanswered: 0 });
    expect(await run()).toEqual(said);
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1673 });
    expect(await run()).toEqual({ told: [], unanswered: 0 });
    expect(await findingsOf(t.app.services)).toEqual([]);
  });

  it('of a page that was paid in the moment it was closed sends the money back', async () => {
    const page = await buy();
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] })).status).toBe(200);
    await setPage(page, 'PAID');
    await t.app.drainJobs();
    expect(await findingsOf(t.app.services)).toHaveLength(1);
    expect((await run()).told).toEqual([
      `page order:${page.orderId}: closed, paid`,
      expect.stringMatching(/^refund .*: pending, succeeded$/),
    ]);
    await t.app.drainJobs();
    expect(await findingsOf(t.app.services)).toEqual([]);
    expect((await sandbox.findPayment(`pay_${sessionOf(page)}`))?.refunded).toBe(1673);
  });

  it('of a refund settles it, and one that failed gives the amount back', async () => {
    const pages = [await buy(), await buy()];
    for (const page of pages) await actOnPage(page, 'pay');
    const { refund: ask, findRefund } = sandbox;
    sandbox.refund = async (request) => ({ ...(await ask(request)), status: 'pending' });
    sandbox.findRefund = async (id) => ({ id, status: 'pending' });
    const ids: string[] = [];
    for (const { orderId } of pages) ids.push((await refund(orderId, { amount: 100 })).body.id);
    await t.app.drainJobs();
    expect((await run()).told).toEqual([]);
    Object.assign(sandbox, { refund: ask, findRefund });
    await t.db.sql(
      `update sandbox_payments set refunds = jsonb_build_object('failed:' || $2::text, 100) where id = $1`,
      [sessionOf(pages[1] ?? { checkoutUrl: '' }), ids[1]],
    );
    expect((await run()).told).toEqual([
      `refund ${ids[0]}: pending, succeeded`,
      `refund ${ids[1]}: pending, failed`,
    ]);
    const states = await Promise.all(pages.map(({ orderId }) => stateOf(orderId)));
    expect(states.map(({ refunded }) => refunded)).toEqual([100, 0]);
    expect(await findingsOf(t.app.services)).toEqual([]);
  });

  it('of a part that went back by other hands leaves the rest to the next try', async () => {
    const page = await buy();
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] })).status).toBe(200);
    await setPage(page, 'PAID');
    await t.db.sql(`update sandbox_payments set refunds = '{"desk": 100}' where id = $1`, [sessionOf(page)]);
    await run();
    const [failed] = (await stateOf(page.orderId)).refunds;
    expect(failed).toMatchObject({ amount: 1673, status: 'FAILED' });
    expect(await retryRefund(t.app.services, failed?.id ?? '')).toBe(true);
    await t.app.drainJobs();
    expect((await stateOf(page.orderId)).refunds).toMatchObject([{ amount: 1573, status: 'SUCCEEDED' }]);
    expect(await findingsOf(t.app.services)).toEqual([]);
  });

  it('of a refund that failed after it had succeeded gives the amount back', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    // However long ago it was paid: the refunds are of today.
    await t.db.sql(
      'update payment_attempts set created_at = created_at - $2, updated_at = updated_at - $2 where subject_id = $1',
      [page.orderId, 90 * 86_400],
    );
    const kept = await refund(page.orderId, { amount: 73 });
    const lost = await refund(page.orderId, { amount: 600 });
    await t.db.sql(
      `update sandbox_payments set refunds = jsonb_build_object($2::text, 73, 'failed:' || $3::text, 600) where id = $1`,
      [sessionOf(page), kept.body.id, lost.body.id],
    );
    const said = [`refund ${lost.body.id}: succeeded, failed`];
    expect((await run(t.app.services, { dryRun: true })).told).toEqual(said);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 673 });
    expect((await run()).told).toEqual(said);
    expect(await stateOf(page.orderId)).toMatchObject({
      refunded: 73,
      refunds: [{ status: 'SUCCEEDED' }, { status: 'FAILED', failure: 'The bank did not take the money.' }],
    });
    expect((await run()).told).toEqual([]);
    expect(await findingsOf(t.app.services)).toEqual([]);
  });

  it('of a page that was closed while a transfer was on its way is asked for until that is settled', async () => {
    const page = await buy();
    await setPage(page, 'PROCESSING');
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] })).status).toBe(200);
    await t.app.drainJobs();
    for (let round = 0; round < 2; round += 1) expect((await run()).told).toEqual([]);
    await setPage(page, 'PAID');
    expect((await run()).told[0]).toBe(`page order:${page.orderId}: closed, paid`);
    await t.app.drainJobs();
    expect(await findingsOf(t.app.services)).toEqual([]);
    expect((await sandbox.findPayment(`pay_${sessionOf(page)}`))?.refunded).toBe(1673);
  });

  it('of a refund made at the provider counts it, and of one that failed there takes it back', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    await t.db.sql(`update sandbox_payments set refunds = '{"desk": 400}' where id = $1`, [sessionOf(page)]);
    expect((await run()).told).toEqual([`payment pay_${sessionOf(page)}: 0 back, 400 back`]);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 400, captured: 1673 });
    expect(await findingsOf(t.app.services)).toEqual([]);
    await t.db.sql(`update sandbox_payments set refunds = '{"desk": 100}' where id = $1`, [sessionOf(page)]);
    const told = [`payment pay_${sessionOf(page)}: 400 back elsewhere, 100 back elsewhere`];
    expect((await run(t.app.services, { dryRun: true })).told).toEqual(told);
    expect((await run()).told).toEqual(told);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 100, captured: 1673 });
    expect(await findingsOf(t.app.services)).toEqual([]);
  });
});

describe('a provider that is away', () => {
  it('changes nothing, and is asked again', async () => {
    const [page, returning] = [await buy(), await buy()];
    await setPage(page, 'PAID');
    await actOnPage(returning, 'pay');
    const { findSession, findPayment, refund: ask } = sandbox;
    const away = async () => Promise.reject(new Error('connect ECONNREFUSED'));
    Object.assign(sandbox, { findSession: away, findPayment: away, refund: away });
    await cancel(returning.orderId).catch(() => undefined);
    const { told, unanswered } = await run();
    expect(told).toEqual([]);
    expect(unanswered).toBeGreaterThanOrEqual(2);
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PENDING' });
    Object.assign(sandbox, { findSession, findPayment, refund: ask });
    expect((await run()).told).toContain(`page order:${page.orderId}: open, paid`);
    await t.app.drainJobs();
    expect(await findingsOf(t.app.services)).toEqual([]);
  });
});

it('is a command that says what it found', async () => {
  const page = await buy();
  await setPage(page, 'PAID');
  const say = async (...args: string[]) => {
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    await command({ config: t.app.services.config, db: t.db, cwd: '.', write }, args);
    return written;
  };
  const line = `page order:${page.orderId}: open here, paid at the provider\n`;
  expect(await say('--dry-run')).toMatch(
    new RegExp(`^${line}\\d+ asked, 1 differed \\(nothing was changed\\)`),
  );
  expect(await say()).toMatch(
    new RegExp(`^${line}\\d+ asked, 1 differed \\(repaired\\), 0 without an answer`),
  );
  expect(await say()).toMatch(/^\d+ asked, 0 differed/);
});

describe('at Stripe', () => {
  let server: StripeServer;
  let s: TestApp;
  beforeAll(async () => {
    server = await stripeServer();
    s = await testApp({
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_test',
      STRIPE_API_BASE: server.url,
    });
  });
  afterEach(() => vi.useRealTimers());

  /** An order that was paid without a word, and is known to be by now; and how a part of it is given back. */
  async function paidOrder() {
    const shop = await sellingShop(s);
    const sold = await addProduct(s, shop, { price: 1000, stock: 10 });
    const { body } = await s.rest<Page>('POST', `${shop.orders}/checkout`, {
      as: await s.guest(),
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity: 1 }] },
    });
    const page = [...server.sessions.values()].at(-1) ?? {};
    Object.assign(page, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${page.id}` });
    expect((await run(s.app.services)).told).toEqual([`page order:${body.orderId}: open, paid`]);
    return async (amount: number) => {
      const path = `${shop.orders}/${body.orderId}/refunds`;
      return (await s.rest<{ id: string }>('POST', path, { as: shop.admin, body: { amount } })).body.id;
    };
  }

  it('does the same', async () => {
    const giveBack = await paidOrder();
    server.refundStatus = 'pending';
    const id = await giveBack(73);
    await s.app.drainJobs();
    expect((await run(s.app.services)).told).toEqual([]);
    for (const one of server.refunds.values()) one.status = 'succeeded';
    expect((await run(s.app.services)).told).toEqual([`refund ${id}: pending, succeeded`]);
    expect(await findingsOf(s.app.services)).toEqual([]);
  });

  // Stripe forgets keys after a day.
  it.each([1, 19, 30, 200])('makes one refund of an answer that was lost %d hours ago', async (hours) => {
    const giveBack = await paidOrder();
    server.refundStatus = 'succeeded';
    const before = server.refunds.size;
    server.trouble = () => 'lost';
    const id = await giveBack(73);
    server.trouble = undefined;
    expect(server.refunds.size).toBe(before + 1);
    await s.db.sql(`delete from pgboss.job where name = 'settle-refund'`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    expect((await run(s.app.services)).told).toEqual([`refund ${id}: pending, succeeded`]);
    expect(server.refunds.size).toBe(before + 1);
    expect(await findingsOf(s.app.services)).toEqual([]);
  });

  it('makes one that was never asked for, however late', async () => {
    const giveBack = await paidOrder();
    const before = server.refunds.size;
    server.trouble = () => 'down';
    const id = await giveBack(73);
    server.trouble = undefined;
    await s.db.sql(`delete from pgboss.job where name = 'settle-refund'`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 3_600_000 });
    expect((await run(s.app.services)).told).toEqual([`refund ${id}: pending, succeeded`]);
    expect(server.refunds.size).toBe(before + 1);
    expect(await findingsOf(s.app.services)).toEqual([]);
  });
});
