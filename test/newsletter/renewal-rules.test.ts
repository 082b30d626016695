/** State machine of renewals: every state with every event, and billing intervals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renewalStates } from '../../src/domains/newsletter/model.ts';
import {
  computeNextRenewalCheckTime,
  type Renewal,
  type RenewalEvent,
  transitionRenewal,
} from '../../src/domains/newsletter/renewal-state-machine.ts';
import { addBillingIntervals, billingIntervals } from '../../src/lib/commerce/billing-intervals.ts';

const day = 86_400;
const [start, end] = [1000 * day, 1030 * day];
const next = { periodStart: end, periodEnd: 1060 * day };
const renewal = (state: Renewal['state'], more: Partial<Renewal> = {}): Renewal => ({
  state,
  periodStart: start,
  periodEnd: end,
  cancelAtPeriodEnd: false,
  graceUntil: state === 'PAST_DUE' ? end + 7 * day : undefined,
  ...more,
});

/** Events with their time. */
const events = {
  paid: [{ type: 'paid', ...next }, end],
  'paid for the current period': [{ type: 'paid', periodStart: start, periodEnd: end }, end],
  failed: [{ type: 'failed', ...next }, end],
  'failed for the current period': [{ type: 'failed', periodStart: start, periodEnd: end }, end],
  'status active': [{ type: 'status', status: 'active', cancelAtPeriodEnd: false }, end],
  'status past due': [{ type: 'status', status: 'past_due' }, end],
  'status past due before the period end': [{ type: 'status', status: 'past_due' }, end - 1],
  'status cancel at period end': [{ type: 'status', cancelAtPeriodEnd: true }, start],
  'status ended': [{ type: 'status', status: 'ended' }, start],
  'clock one hour after the period': [{ type: 'clock' }, end + 3600],
  'clock one day after the period': [{ type: 'clock' }, end + day],
  'clock after the grace period': [{ type: 'clock' }, end + 7 * day],
  cancelled: [{ type: 'cancelled' }, start],
} satisfies Record<string, [RenewalEvent, number]>;

const renewed = 'ACTIVE emitRenewed';
const pastDue = 'PAST_DUE emitPastDue mailFailed';
const ended = 'ENDED emitEnded mailEnded cancelAtProvider';
const cancelledByGateway = 'ENDED emitEnded cancelAtProvider';

/** `STATE effects` for each event, in the order above. */
const table: Record<Renewal['state'], string[]> = {
  ACTIVE: [
    renewed,
    'ACTIVE',
    pastDue,
    'ACTIVE',
    'ACTIVE',
    pastDue,
    'ACTIVE',
    'ACTIVE',
    ended,
    'ACTIVE',
    pastDue,
    pastDue,
    cancelledByGateway,
  ],
  PAST_DUE: [
    renewed,
    'PAST_DUE',
    'PAST_DUE',
    'PAST_DUE',
    'PAST_DUE',
    'PAST_DUE',
    'PAST_DUE',
    'PAST_DUE',
    ended,
    'PAST_DUE',
    'PAST_DUE',
    ended,
    cancelledByGateway,
  ],
  ENDED: [
    'ENDED refund cancelAtProvider',
    'ENDED refund cancelAtProvider',
    ...Array.from({ length: 11 }, () => 'ENDED'),
  ],
};

describe.each(renewalStates)('%s', (state) => {
  it.each(Object.entries(events).map(([name, [event, time]], index) => ({ name, event, time, index })))(
    'when $name',
    ({ event, time, index }) => {
      const transition = transitionRenewal(renewal(state), event, { time, grace: 7 * day });
      expect([transition.renewal.state, ...transition.effects].join(' ')).toBe(table[state][index]);
    },
  );
});

it('starts one grace period at the first failure and clears it with the payment', () => {
  const at = (time: number) => ({ time, grace: 7 * day });
  const late = transitionRenewal(renewal('ACTIVE'), { type: 'failed', ...next }, at(end)).renewal;
  expect(late).toEqual(renewal('PAST_DUE'));
  expect(transitionRenewal(late, { type: 'failed', ...next }, at(end + day)).renewal).toEqual(late);
  const paid = transitionRenewal(late, { type: 'paid', ...next }, at(end + day)).renewal;
  expect(paid).toEqual(renewal('ACTIVE', next));
});

it('ends a cancelled renewal with its period and computes the next provider check', () => {
  const cancelled = renewal('ACTIVE', { cancelAtPeriodEnd: true });
  const transition = transitionRenewal(cancelled, { type: 'clock' }, { time: end, grace: 0 });
  expect(transition.effects).toEqual(['emitEnded', 'mailEnded', 'cancelAtProvider']);
  expect(
    [cancelled, renewal('ACTIVE'), renewal('PAST_DUE'), renewal('ENDED')].map(computeNextRenewalCheckTime),
  ).toEqual([end, end + 7200, end + 7 * day, undefined]);
});

it('reaches the same state for any order of the events of a year', () => {
  const invoices = Array.from({ length: 12 }, (_item, index): RenewalEvent & { type: 'paid' | 'failed' } => ({
    type: index === 11 ? 'paid' : index % 3 === 0 ? 'failed' : 'paid',
    periodStart: end + index * 30 * day,
    periodEnd: end + (index + 1) * 30 * day,
  }));
  fc.assert(
    fc.property(fc.shuffledSubarray([...invoices, ...invoices], { minLength: 24 }), (shuffled) => {
      const last = shuffled.reduce(
        (current, event) => transitionRenewal(current, event, { time: end, grace: 7 * day }).renewal,
        renewal('ACTIVE'),
      );
      expect([last.state, last.periodEnd]).toEqual(['ACTIVE', end + 360 * day]);
    }),
  );
});

describe('billing intervals', () => {
  const seconds = (date: string) => Date.parse(`${date}T12:30:00Z`) / 1000;
  it.each([
    ['WEEKLY', '2024-02-26', 1, '2024-03-04'],
    ['MONTHLY', '2024-01-31', 1, '2024-02-29'],
    ['MONTHLY', '2024-01-31', 2, '2024-03-31'],
    ['MONTHLY', '2024-12-15', 1, '2025-01-15'],
    ['YEARLY', '2024-02-29', 1, '2025-02-28'],
    ['YEARLY', '2024-02-29', 4, '2028-02-29'],
  ] as const)('%s from %s, %i later, is %s', (interval, from, count, to) => {
    expect(addBillingIntervals(seconds(from), interval, count)).toBe(seconds(to));
  });

  it('always advances', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.constantFrom(...billingIntervals),
        fc.integer({ min: 0, max: 600 }),
        (from, interval, count) => {
          expect(addBillingIntervals(from, interval, count + 1)).toBeGreaterThan(
            addBillingIntervals(from, interval, count),
          );
        },
      ),
    );
  });
});
