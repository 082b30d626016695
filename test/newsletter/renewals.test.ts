/** A year of renewals on the sandbox provider with a fake clock; recorded and provider amounts agree throughout. */
import { describe, expect, it, vi } from 'vitest';
import {
  processProviderCancellations,
  queueProviderCancellation,
} from '../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { syncDueRenewals } from '../../src/domains/newsletter/billing/sync-renewals.ts';
import { receivePaymentEvent } from '../../src/domains/payments/receive-payment-event.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { auditFindings } from '../support/consistency-audit.ts';
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

type Subscriber = Awaited<ReturnType<typeof createSubscriber>>;

describe('a year of renewals', () => {
  it('renews twelve times, recovers within the grace period, and ends at the period end after a cancellation', async () => {
    const subscriber = await createSubscriber();
    expect(await subscriber.read()).toEqual({
      id: subscriber.id,
      status: 'ACTIVE',
      planId: 'monthly',
      renewalState: 'ACTIVE',
      currentPeriodStart: now(),
      currentPeriodEnd: Date.parse(`${leapYear}-02-29T10:00:00Z`) / 1000,
      cancelAtPeriodEnd: false,
      graceUntil: null,
    });
    for (let month = 1; month <= 11; month += 1) await advanceClock(31 * day);
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 12 * 500, atProvider: 12 * 500 });
    await t.db.write('update sandbox_subscriptions set failing = true where session_id = $1', [
      subscriber.page,
    ]);
    await advanceClock(Date.parse(`${leapYear + 1}-01-31T10:00:00Z`) - Date.now());
    expect(await subscriber.read()).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'PAST_DUE',
      graceUntil: now() + 7 * 86_400,
    });
    await advanceClock(2 * day);
    await subscriber.applyAction('mend-renewal');
    expect(await subscriber.read()).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'ACTIVE',
      currentPeriodEnd: Date.parse(`${leapYear + 1}-02-28T10:00:00Z`) / 1000,
      graceUntil: null,
    });
    const cancelled = await subscriber.post('cancel');
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { cancelAtPeriodEnd: true }]);
    await advanceClock(Date.parse(`${leapYear + 1}-02-28T09:00:00Z`) - Date.now());
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE' });
    await advanceClock(2 * 3_600_000);
    expect(await subscriber.read()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 13 * 500, atProvider: 13 * 500 });
    expect((await t.outbox(subscriber.email)).map(({ subject }) => subject)).toEqual([
      'Your payment for Letter failed',
      'Your subscription to Letter has ended',
    ]);
  });

  it('ends after an unpaid grace period, also at the provider', async () => {
    const subscriber = await createSubscriber('weekly');
    await subscriber.applyAction('fail-renewal');
    await advanceClock(6 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE', renewalState: 'PAST_DUE' });
    await advanceClock(2 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 100, atProvider: 100 });
    expect((await subscriber.subscribe()).checkoutUrl).toBeDefined();
  });

  it('syncs renewals from the provider when no event arrives', async () => {
    const subscriber = await createSubscriber('weekly');
    const enqueueSpy = vi.spyOn(t.app.services.jobs, 'enqueue').mockResolvedValue(undefined);
    vi.setSystemTime(Date.now() + 15 * day);
    await sandbox.createDueInvoices?.();
    enqueueSpy.mockRestore();
    await syncDueRenewals(t.app.services);
    expect(await subscriber.read()).toMatchObject({
      renewalState: 'ACTIVE',
      currentPeriodEnd: now() + 6 * 86_400,
    });
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 300, atProvider: 300 });
  });
});

describe('a paid invoice without an event', () => {
  it.each([
    ['is refunded after an unsubscribe', (subscriber: Subscriber) => subscriber.unsubscribe()],
    [
      'is refunded when the provider ended the renewal',
      (subscriber: Subscriber) => subscriber.applyAction('end-renewal'),
    ],
    [
      'is refunded after a plan change',
      (subscriber: Subscriber) => subscriber.post('plan', { token: subscriber.token, planId: 'free' }),
    ],
  ])('%s', async (_name, end) => {
    const subscriber = await createSubscriber('weekly');
    const enqueueSpy = vi.spyOn(t.app.services.jobs, 'enqueue').mockResolvedValue(undefined);
    await sandbox.applyRecurringAction(subscriber.page, 'renew');
    enqueueSpy.mockRestore();
    expect(await auditFindings(t.app.services)).toEqual([
      expect.stringMatching(
        /^subscription:.*: 100 paid at the provider for a renewal, no payment attempt recorded here \(pay_sbx_/,
      ),
    ]);
    await end(subscriber);
    await processProviderCancellations(t.app.services);
    await runAllJobs();
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 100, atProvider: 100 });
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('is queried again when the provider does not answer', async () => {
    const subscriber = await createSubscriber('weekly');
    await subscriber.unsubscribe();
    await t.db.write(`update sandbox_subscriptions set state = 'ACTIVE' where session_id = $1`, [
      subscriber.page,
    ]);
    expect(await auditFindings(t.app.services)).toEqual([
      expect.stringMatching(
        /^subscription:.*: subscription has ended here, but the provider still bills it \(sub_sbx_/,
      ),
    ]);
    await queueProviderCancellation(t.app.services, t.db, `sub_${subscriber.page}`);
    const down = vi
      .spyOn(t.app.services.payments, 'listRecurringEvents')
      .mockRejectedValue(new Error('down'));
    await runAllJobs();
    down.mockRestore();
    expect(await t.db.sql('select tries from renewal_endings')).toEqual([{ tries: 1 }]);
    await advanceClock(day);
    expect(await t.db.sql('select tries from renewal_endings')).toEqual([]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });
});

describe('recurring events', () => {
  it('apply once each, duplicated and in any order', async () => {
    const subscriber = await createSubscriber('weekly');
    const { services } = t.app;
    const [first, second, failed] = [
      await sandbox.applyRecurringAction(subscriber.page, 'renew'),
      await sandbox.applyRecurringAction(subscriber.page, 'renew'),
      await sandbox.applyRecurringAction(subscriber.page, 'fail-renewal'),
    ];
    const last = await sandbox.applyRecurringAction(subscriber.page, 'mend-renewal');
    for (const event of [last, failed, second, last, first, failed])
      if (event) await receivePaymentEvent(services, { ...event, id: newId() });
    await runAllJobs();
    expect(await subscriber.read()).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'ACTIVE',
      currentPeriodEnd: now() + 4 * 7 * 86_400,
    });
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 400, atProvider: 400 });
    expect(
      await t.db.prisma.paymentAttempt.count({ where: { subjectId: subscriber.id, state: 'PAID' } }),
    ).toBe(4);
  });

  it('refund an invoice with a wrong amount', async () => {
    const subscriber = await createSubscriber('weekly');
    await t.db.write(
      `update sandbox_payments set request = jsonb_set(request, '{amount}', '1') where id = $1`,
      [subscriber.page],
    );
    await subscriber.applyAction('renew');
    const [attempt] = await t.db.prisma.paymentAttempt.findMany({
      where: { subjectId: subscriber.id, number: 2 },
      include: { refunds: true },
    });
    expect(attempt).toMatchObject({ state: 'RETURNED', refunds: [{ amount: 1n, status: 'SUCCEEDED' }] });
    expect(await subscriber.read()).toMatchObject({ currentPeriodEnd: now() + 7 * 86_400 });
  });

  it('do not end a resubscribed subscription when they report the end that the gateway caused', async () => {
    const subscriber = await createSubscriber('weekly');
    await subscriber.unsubscribe();
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    const resubscribed = await subscriber.resubscribe();
    expect(resubscribed).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
    const [status] = (await sandbox.listRecurringEvents(`sub_${subscriber.page}`)).slice(-1);
    if (status) await receivePaymentEvent(t.app.services, status);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE', renewalState: 'ACTIVE' });
    await advanceClock(6 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE' });
    await advanceClock(2 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
  });

  it('end the subscription on a full refund of the last payment, not of an earlier payment or a part', async () => {
    const subscriber = await createSubscriber('weekly');
    await subscriber.applyAction('renew');
    const payments = await t.db.prisma.paymentAttempt.findMany({
      where: { subjectId: subscriber.id },
      orderBy: { number: 'asc' },
    });
    const refund = async (index: number, amount: number) => {
      const refunded = { paymentId: payments[index]?.paymentId ?? '', amount, currency: 'USD' };
      await sandbox.refund({ ...refunded, key: newId(), since: 0 });
      await receivePaymentEvent(t.app.services, { id: newId(), type: 'refunded', ...refunded });
    };
    await refund(0, 100);
    await refund(1, 99);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE' });
    await refund(1, 1);
    await runAllJobs();
    expect(await subscriber.read()).toMatchObject({ status: 'CANCELLED', renewalState: 'ENDED' });
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
  });
});
