/** A year of renewals on the sandbox, by an injected clock; the money adds up whatever happens. */
import { describe, expect, it, vi } from 'vitest';
import {
  cancelAtProvider,
  processProviderCancellations,
} from '../../src/domains/newsletter/billing/provider-cancellations.ts';
import { syncDueRenewals } from '../../src/domains/newsletter/billing/sync-renewals.ts';
import { receivePaymentEvent } from '../../src/domains/payments/receive-event.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { findingsOf } from '../support/audit.ts';
import {
  advanceClock,
  createSubscriber,
  day,
  isEndedAtProvider,
  leapYear,
  loadLedger,
  runAllJobs,
  sandbox,
  t,
} from './renewal-setup.ts';

type Reader = Awaited<ReturnType<typeof createSubscriber>>;

describe('a year', () => {
  it('has twelve renewals, one of which recovers within the grace; then it is cancelled at the end of its period', async () => {
    const one = await createSubscriber();
    expect(await one.shown()).toEqual({
      id: one.id,
      status: 'ACTIVE',
      planId: 'monthly',
      renewalState: 'ACTIVE',
      currentPeriodStart: now(),
      currentPeriodEnd: Date.parse(`${leapYear}-02-29T10:00:00Z`) / 1000,
      cancelAtPeriodEnd: false,
      graceUntil: null,
    });
    for (let month = 1; month <= 11; month += 1) await advanceClock(31 * day);
    expect(await loadLedger(one.id)).toEqual({ kept: 12 * 500, held: 12 * 500 });
    await t.db.sql('update sandbox_subscriptions set failing = true where session_id = $1', [one.page]);
    await advanceClock(Date.parse(`${leapYear + 1}-01-31T10:00:00Z`) - Date.now());
    expect(await one.shown()).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'PAST_DUE',
      graceUntil: now() + 7 * 86_400,
    });
    await advanceClock(2 * day);
    await one.press('mend-renewal');
    expect(await one.shown()).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'ACTIVE',
      currentPeriodEnd: Date.parse(`${leapYear + 1}-02-28T10:00:00Z`) / 1000,
      graceUntil: null,
    });
    const cancelled = await one.act('cancel');
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { cancelAtPeriodEnd: true }]);
    await advanceClock(Date.parse(`${leapYear + 1}-02-28T09:00:00Z`) - Date.now());
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE' });
    await advanceClock(2 * 3_600_000);
    expect(await one.shown()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
    expect(await loadLedger(one.id)).toEqual({ kept: 13 * 500, held: 13 * 500 });
    expect((await t.outbox(one.email)).map(({ subject }) => subject)).toEqual([
      'Your payment for Letter failed',
      'Your subscription to Letter has ended',
    ]);
  });

  it('ends after a grace in which nobody paid, also with the provider', async () => {
    const one = await createSubscriber('weekly');
    await one.press('fail-renewal');
    await advanceClock(6 * day);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE', renewalState: 'PAST_DUE' });
    await advanceClock(2 * day);
    expect(await one.shown()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
    expect(await isEndedAtProvider(one.page)).toBe(true);
    expect(await loadLedger(one.id)).toEqual({ kept: 100, held: 100 });
    expect((await one.subscribe()).checkoutUrl).toBeDefined();
  });

  it('is found out by asking when no event came', async () => {
    const one = await createSubscriber('weekly');
    const billed = vi.spyOn(t.app.services.jobs, 'enqueue').mockResolvedValue(undefined);
    vi.setSystemTime(Date.now() + 15 * day);
    await sandbox.billDue?.();
    billed.mockRestore();
    await syncDueRenewals(t.app.services);
    expect(await one.shown()).toMatchObject({
      renewalState: 'ACTIVE',
      currentPeriodEnd: now() + 6 * 86_400,
    });
    expect(await loadLedger(one.id)).toEqual({ kept: 300, held: 300 });
  });
});

describe('a bill that nobody told of', () => {
  it.each([
    ['goes back when its reader has left', (one: Reader) => one.unsubscribe()],
    ['goes back when the provider ended it', (one: Reader) => one.press('end-renewal')],
    [
      'goes back when its plan was exchanged',
      (one: Reader) => one.act('plan', { token: one.token, planId: 'free' }),
    ],
  ])('%s', async (_name, end) => {
    const one = await createSubscriber('weekly');
    const lost = vi.spyOn(t.app.services.jobs, 'enqueue').mockResolvedValue(undefined);
    await sandbox.applyRecurringAction(one.page, 'renew');
    lost.mockRestore();
    expect(await findingsOf(t.app.services)).toEqual([
      expect.stringMatching(/^subscription:.*: 100 paid at the provider for a renewal, not here \(pay_sbx_/),
    ]);
    await end(one);
    await processProviderCancellations(t.app.services);
    await runAllJobs();
    expect(await loadLedger(one.id)).toEqual({ kept: 100, held: 100 });
    expect(await findingsOf(t.app.services)).toEqual([]);
  });

  it('is asked for again when the provider does not answer', async () => {
    const one = await createSubscriber('weekly');
    await one.unsubscribe();
    await t.db.sql(`update sandbox_subscriptions set state = 'ACTIVE' where session_id = $1`, [one.page]);
    expect(await findingsOf(t.app.services)).toEqual([
      expect.stringMatching(/^subscription:.*: has ended here, and the provider goes on billing \(sub_sbx_/),
    ]);
    await cancelAtProvider(t.app.services, t.db, `sub_${one.page}`);
    const down = vi.spyOn(t.app.services.payments, 'askRecurring').mockRejectedValue(new Error('down'));
    await runAllJobs();
    down.mockRestore();
    expect(await t.db.sql('select tries from renewal_endings')).toEqual([{ tries: 1 }]);
    await advanceClock(day);
    expect(await t.db.sql('select tries from renewal_endings')).toEqual([]);
    expect(await findingsOf(t.app.services)).toEqual([]);
  });
});

describe('events', () => {
  it('count once however often and in whatever order they come', async () => {
    const one = await createSubscriber('weekly');
    const { services } = t.app;
    const [first, second, failed] = [
      await sandbox.applyRecurringAction(one.page, 'renew'),
      await sandbox.applyRecurringAction(one.page, 'renew'),
      await sandbox.applyRecurringAction(one.page, 'fail-renewal'),
    ];
    const last = await sandbox.applyRecurringAction(one.page, 'mend-renewal');
    for (const event of [last, failed, second, last, first, failed])
      if (event) await receivePaymentEvent(services, { ...event, id: newId() });
    await runAllJobs();
    expect(await one.shown()).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'ACTIVE',
      currentPeriodEnd: now() + 4 * 7 * 86_400,
    });
    expect(await loadLedger(one.id)).toEqual({ kept: 400, held: 400 });
    expect(await t.db.prisma.paymentAttempt.count({ where: { subjectId: one.id, state: 'PAID' } })).toBe(4);
  });

  it('of a bill with another amount send the money back', async () => {
    const one = await createSubscriber('weekly');
    await t.db.sql(
      `update sandbox_payments set request = jsonb_set(request, '{amount}', '1') where id = $1`,
      [one.page],
    );
    await one.press('renew');
    const [attempt] = await t.db.prisma.paymentAttempt.findMany({
      where: { subjectId: one.id, number: 2 },
      include: { refunds: true },
    });
    expect(attempt).toMatchObject({ state: 'RETURNED', refunds: [{ amount: 1n, status: 'SUCCEEDED' }] });
    expect(await one.shown()).toMatchObject({ currentPeriodEnd: now() + 7 * 86_400 });
  });

  it('of an end that we caused leave who has come back alone', async () => {
    const one = await createSubscriber('weekly');
    await one.unsubscribe();
    expect(await isEndedAtProvider(one.page)).toBe(true);
    const back = await one.subscribe();
    expect(back).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
    const [status] = (await sandbox.askRecurring(`sub_${one.page}`)).slice(-1);
    if (status) await receivePaymentEvent(t.app.services, status);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE', renewalState: 'ACTIVE' });
    await advanceClock(6 * day);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE' });
    await advanceClock(2 * day);
    expect(await one.shown()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
  });

  it('end it with a refund of the whole last payment, not of an earlier one or a part', async () => {
    const one = await createSubscriber('weekly');
    await one.press('renew');
    const payments = await t.db.prisma.paymentAttempt.findMany({
      where: { subjectId: one.id },
      orderBy: { number: 'asc' },
    });
    const refund = async (index: number, amount: number) => {
      const back = { paymentId: payments[index]?.paymentId ?? '', amount, currency: 'USD' };
      await sandbox.refund({ ...back, key: newId(), since: 0 });
      await receivePaymentEvent(t.app.services, { id: newId(), type: 'refunded', ...back });
    };
    await refund(0, 100);
    await refund(1, 99);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE' });
    await refund(1, 1);
    await runAllJobs();
    expect(await one.shown()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
    expect(await isEndedAtProvider(one.page)).toBe(true);
  });
});
