/** Reconciliation with the provider: missed events are found and repaired once. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { reconcileCommand as command } from '../../src/cli/commands/reconcile-payments.ts';
import {
  type ReconcilePaymentsOptions,
  reconcilePayments,
} from '../../src/domains/payments/reconcile/reconcile-payments.ts';
import { retryRefund } from '../../src/domains/payments/retry-refund.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, createSellingShop } from '../support/shop-fixtures.ts';
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts';
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

const run = async (services = t.app.services, options: ReconcilePaymentsOptions = {}) => {
  const differences: string[] = [];
  const { differences: count, unanswered } = await reconcilePayments(services, {
    eventGraceSeconds: 0,
    paymentGraceSeconds: 0,
    onDifference: ({ about, ours, theirs }) => differences.push(`${about}: ${ours}, ${theirs}`),
    ...options,
  });
  expect(count).toBe(differences.length);
  return { differences, unanswered };
};

/** Changes the state of a session at the provider without an event. */
const setPage = (page: Page, state: string) =>
  t.db.write('update sandbox_payments set state = $2::"SandboxState" where id = $1', [
    sessionOf(page),
    state,
  ]);

describe('a missed event', () => {
  it('of a payment is reported by a dry run and repaired by the next run', async () => {
    const page = await buy();
    await setPage(page, 'PAID');
    const expected = { differences: [`session order:${page.orderId}: open, paid`], unanswered: 0 };
    expect(await run(t.app.services, { dryRun: true })).toEqual(expected);
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PENDING', captured: 0 });
    expect(await run(t.app.services, { eventGraceSeconds: 300 })).toEqual({ differences: [], unanswered: 0 });
    expect(await run()).toEqual(expected);
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PAID', captured: 1673 });
    expect(await run()).toEqual({ differences: [], unanswered: 0 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('of a session that was paid while it was closed leads to a refund', async () => {
    const page = await buy();
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] })).status).toBe(200);
    await setPage(page, 'PAID');
    await t.app.drainJobs();
    expect(await auditFindings(t.app.services)).toHaveLength(1);
    expect((await run()).differences).toEqual([
      `session order:${page.orderId}: closed, paid`,
      expect.stringMatching(/^refund .*: pending, succeeded$/),
    ]);
    await t.app.drainJobs();
    expect(await auditFindings(t.app.services)).toEqual([]);
    expect((await sandbox.findPayment(`pay_${sessionOf(page)}`))?.refunded).toBe(1673);
  });

  it('of a refund settles it; a failed refund is subtracted', async () => {
    const pages = [await buy(), await buy()];
    for (const page of pages) await actOnPage(page, 'pay');
    const { refund: originalRefund, findRefund } = sandbox;
    sandbox.refund = async (request) => ({ ...(await originalRefund(request)), status: 'pending' });
    sandbox.findRefund = async (id) => ({ id, status: 'pending' });
    const ids: string[] = [];
    for (const { orderId } of pages) ids.push((await refund(orderId, { amount: 100 })).body.id);
    await t.app.drainJobs();
    expect((await run()).differences).toEqual([]);
    Object.assign(sandbox, { refund: originalRefund, findRefund });
    await t.db.write(
      `update sandbox_payments set refunds = jsonb_build_object('failed:' || $2::text, 100) where id = $1`,
      [sessionOf(pages[1] ?? { checkoutUrl: '' }), ids[1]],
    );
    expect((await run()).differences).toEqual([
      `refund ${ids[0]}: pending, succeeded`,
      `refund ${ids[1]}: pending, failed`,
    ]);
    const states = await Promise.all(pages.map(({ orderId }) => stateOf(orderId)));
    expect(states.map(({ refunded }) => refunded)).toEqual([100, 0]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('of an external partial refund leaves the rest for the retry', async () => {
    const page = await buy();
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] })).status).toBe(200);
    await setPage(page, 'PAID');
    await t.db.write(`update sandbox_payments set refunds = '{"desk": 100}' where id = $1`, [
      sessionOf(page),
    ]);
    await run();
    const [failed] = (await stateOf(page.orderId)).refunds;
    expect(failed).toMatchObject({ amount: 1673, status: 'FAILED' });
    expect(await retryRefund(t.app.services, failed?.id ?? '')).toBe(true);
    await t.app.drainJobs();
    expect((await stateOf(page.orderId)).refunds).toMatchObject([{ amount: 1573, status: 'SUCCEEDED' }]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('of a refund that failed after it had succeeded is subtracted', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    // The payment is 90 days old; only its refunds are recent.
    await t.db.write(
      'update payment_attempts set created_at = created_at - $2, updated_at = updated_at - $2 where subject_id = $1',
      [page.orderId, 90 * 86_400],
    );
    const succeeded = await refund(page.orderId, { amount: 73 });
    const failed = await refund(page.orderId, { amount: 600 });
    await t.db.write(
      `update sandbox_payments set refunds = jsonb_build_object($2::text, 73, 'failed:' || $3::text, 600) where id = $1`,
      [sessionOf(page), succeeded.body.id, failed.body.id],
    );
    const differences = [`refund ${failed.body.id}: succeeded, failed`];
    expect((await run(t.app.services, { dryRun: true })).differences).toEqual(differences);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 673 });
    expect((await run()).differences).toEqual(differences);
    expect(await stateOf(page.orderId)).toMatchObject({
      refunded: 73,
      refunds: [{ status: 'SUCCEEDED' }, { status: 'FAILED', failure: 'The bank did not take the money.' }],
    });
    expect((await run()).differences).toEqual([]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('of a session that was closed during a bank transfer is queried until the transfer settles', async () => {
    const page = await buy();
    await setPage(page, 'PROCESSING');
    expect((await edit(page.orderId, { lines: [{ ...pot, quantity: 2 }] })).status).toBe(200);
    await t.app.drainJobs();
    for (let round = 0; round < 2; round += 1) expect((await run()).differences).toEqual([]);
    await setPage(page, 'PAID');
    expect((await run()).differences[0]).toBe(`session order:${page.orderId}: closed, paid`);
    await t.app.drainJobs();
    expect(await auditFindings(t.app.services)).toEqual([]);
    expect((await sandbox.findPayment(`pay_${sessionOf(page)}`))?.refunded).toBe(1673);
  });

  it('of an external refund is added, and of a failed external refund subtracted', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    await t.db.write(`update sandbox_payments set refunds = '{"desk": 400}' where id = $1`, [
      sessionOf(page),
    ]);
    expect((await run()).differences).toEqual([`payment pay_${sessionOf(page)}: 0 refunded, 400 refunded`]);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 400, captured: 1673 });
    expect(await auditFindings(t.app.services)).toEqual([]);
    await t.db.write(`update sandbox_payments set refunds = '{"desk": 100}' where id = $1`, [
      sessionOf(page),
    ]);
    const differences = [`payment pay_${sessionOf(page)}: 400 refunded externally, 100 refunded externally`];
    expect((await run(t.app.services, { dryRun: true })).differences).toEqual(differences);
    expect((await run()).differences).toEqual(differences);
    expect(await stateOf(page.orderId)).toMatchObject({ refunded: 100, captured: 1673 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });
});

describe('an unavailable provider', () => {
  it('changes nothing and is queried again', async () => {
    const [page, cancelled] = [await buy(), await buy()];
    await setPage(page, 'PAID');
    await actOnPage(cancelled, 'pay');
    const { findSession, findPayment, refund: originalRefund } = sandbox;
    const unavailable = async () => Promise.reject(new Error('connect ECONNREFUSED'));
    Object.assign(sandbox, { findSession: unavailable, findPayment: unavailable, refund: unavailable });
    await cancel(cancelled.orderId).catch(() => undefined);
    const { differences, unanswered } = await run();
    expect(differences).toEqual([]);
    expect(unanswered).toBeGreaterThanOrEqual(2);
    expect(await stateOf(page.orderId)).toMatchObject({ currentPaymentStatus: 'PENDING' });
    Object.assign(sandbox, { findSession, findPayment, refund: originalRefund });
    expect((await run()).differences).toContain(`session order:${page.orderId}: open, paid`);
    await t.app.drainJobs();
    expect(await auditFindings(t.app.services)).toEqual([]);
  });
});

it('prints the differences as a command', async () => {
  const page = await buy();
  await setPage(page, 'PAID');
  const runCommand = async (...args: string[]) => {
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    await command({ config: t.app.services.config, db: t.db, cwd: '.', write }, args);
    return written;
  };
  const line = `session order:${page.orderId}: open here, paid at the provider\n`;
  expect(await runCommand('--dry-run')).toMatch(
    new RegExp(`^${line}\\d+ checked, 1 differed \\(nothing was changed\\)`),
  );
  expect(await runCommand()).toMatch(
    new RegExp(`^${line}\\d+ checked, 1 differed \\(repaired\\), 0 without a response`),
  );
  expect(await runCommand()).toMatch(/^\d+ checked, 0 differed/);
});

describe('with Stripe', () => {
  let server: StripeServer;
  let s: TestApp;
  beforeAll(async () => {
    server = await startStripeServer();
    s = await testApp({
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_test',
      STRIPE_API_BASE: server.url,
    });
  });
  afterEach(() => vi.useRealTimers());

  /** Creates an order that was paid without an event and reconciled. Returns a function that refunds a part of it. */
  async function paidOrder() {
    const shop = await createSellingShop(s);
    const sold = await addProduct(s, shop, { price: 1000, stock: 10 });
    const { body } = await s.rest<Page>('POST', `${shop.orders}/checkout`, {
      as: await s.guest(),
      body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity: 1 }] },
    });
    const page = [...server.sessions.values()].at(-1) ?? {};
    Object.assign(page, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${page.id}` });
    expect((await run(s.app.services)).differences).toEqual([`session order:${body.orderId}: open, paid`]);
    return async (amount: number) => {
      const path = `${shop.orders}/${body.orderId}/refunds`;
      return (await s.rest<{ id: string }>('POST', path, { as: shop.admin, body: { amount } })).body.id;
    };
  }

  it('settles a pending refund', async () => {
    const refundPart = await paidOrder();
    server.refundStatus = 'pending';
    const id = await refundPart(73);
    await s.app.drainJobs();
    expect((await run(s.app.services)).differences).toEqual([]);
    for (const stripeRefund of server.refunds.values()) stripeRefund.status = 'succeeded';
    expect((await run(s.app.services)).differences).toEqual([`refund ${id}: pending, succeeded`]);
    expect(await auditFindings(s.app.services)).toEqual([]);
  });

  // Stripe forgets idempotency keys after 24 hours.
  it.each([1, 19, 30, 200])('makes one refund when the answer was lost %d hours ago', async (hours) => {
    const refundPart = await paidOrder();
    server.refundStatus = 'succeeded';
    const before = server.refunds.size;
    server.failure = () => 'lost';
    const id = await refundPart(73);
    server.failure = undefined;
    expect(server.refunds.size).toBe(before + 1);
    await s.db.write(`delete from pgboss.job where name = 'settle-refund'`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    expect((await run(s.app.services)).differences).toEqual([`refund ${id}: pending, succeeded`]);
    expect(server.refunds.size).toBe(before + 1);
    expect(await auditFindings(s.app.services)).toEqual([]);
  });

  it('makes a refund that never reached the provider, even 30 hours later', async () => {
    const refundPart = await paidOrder();
    const before = server.refunds.size;
    server.failure = () => 'down';
    const id = await refundPart(73);
    server.failure = undefined;
    await s.db.write(`delete from pgboss.job where name = 'settle-refund'`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 3_600_000 });
    expect((await run(s.app.services)).differences).toEqual([`refund ${id}: pending, succeeded`]);
    expect(server.refunds.size).toBe(before + 1);
    expect(await auditFindings(s.app.services)).toEqual([]);
  });
});
