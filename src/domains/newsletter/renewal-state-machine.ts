/** State machine of renewals: transitions by payment, failed payment, cancellation and clock, for events in any order. Pure. */
import type { RenewalState } from './model.ts';

export interface Renewal {
  state: RenewalState;
  /** Start of the last paid period, in seconds. */
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  /** Set while PAST_DUE: the renewal ends at this time unless it is paid before, in seconds. */
  graceUntil?: number | undefined;
}

interface BillingPeriod {
  periodStart: number;
  periodEnd: number;
}

export type RenewalEvent =
  /** The invoice of a period was paid with the correct amount. */
  | ({ type: 'paid' } & BillingPeriod)
  /** The provider could not charge a period. */
  | ({ type: 'failed' } & BillingPeriod)
  /** Status of the recurring payment, as reported by the provider. */
  | {
      type: 'status';
      status?: 'active' | 'past_due' | 'ended' | undefined;
      cancelAtPeriodEnd?: boolean | undefined;
    }
  /** Time has passed without news from the provider. */
  | { type: 'clock' }
  /** The gateway ends it: unsubscribed, plan changed, refunded. */
  | { type: 'cancelled' };

/** `refund`: the payment is for an ended renewal. `queueProviderCancellation`: stop billing at the provider and read the invoices it has issued. */
export type RenewalEffect =
  | 'emitRenewed'
  | 'emitPastDue'
  | 'emitEnded'
  | 'mailFailed'
  | 'mailEnded'
  | 'cancelAtProvider'
  | 'refund';

interface RenewalTransition {
  renewal: Renewal;
  effects: readonly RenewalEffect[];
}

/** `time` is the current time and `grace` the grace period of an unpaid renewal, both in seconds. */
export function transitionRenewal(
  renewal: Renewal,
  event: RenewalEvent,
  { time, grace }: { time: number; grace: number },
): RenewalTransition {
  const unchanged: RenewalTransition = { renewal, effects: [] };
  if (renewal.state === 'ENDED')
    return event.type === 'paid' ? { renewal, effects: ['refund', 'cancelAtProvider'] } : unchanged;
  switch (event.type) {
    case 'paid':
      return event.periodEnd > renewal.periodEnd
        ? { renewal: renewed(renewal, event), effects: ['emitRenewed'] }
        : unchanged;
    case 'failed':
      // A failure for a period that was paid in the meantime is stale.
      return event.periodEnd > renewal.periodEnd ? pastDue(renewal, time + grace) : unchanged;
    case 'status':
      if (event.status === 'ended') return { renewal: ended(renewal), effects: endedEffects };
      return applyStatus(renewal, event, { time, grace });
    case 'clock':
      if (isOver(renewal, time)) return { renewal: ended(renewal), effects: endedEffects };
      return renewal.periodEnd + unpaidSeconds <= time ? pastDue(renewal, time + grace) : unchanged;
    case 'cancelled':
      return { renewal: ended(renewal), effects: ['emitEnded', 'cancelAtProvider'] };
  }
}

const endedEffects: readonly RenewalEffect[] = ['emitEnded', 'mailEnded', 'cancelAtProvider'];

const renewed = (renewal: Renewal, { periodStart, periodEnd }: BillingPeriod): Renewal => ({
  ...renewal,
  state: 'ACTIVE',
  periodStart,
  periodEnd,
  graceUntil: undefined,
});

const ended = (renewal: Renewal): Renewal => ({ ...renewal, state: 'ENDED', graceUntil: undefined });

/** The grace period starts with the first failure; further failures do not extend it. */
function pastDue(renewal: Renewal, graceUntil: number): RenewalTransition {
  if (renewal.state === 'PAST_DUE') return { renewal, effects: [] };
  return { renewal: { ...renewal, state: 'PAST_DUE', graceUntil }, effects: ['emitPastDue', 'mailFailed'] };
}

function applyStatus(
  renewal: Renewal,
  { status, cancelAtPeriodEnd = renewal.cancelAtPeriodEnd }: RenewalEvent & { type: 'status' },
  { time, grace }: { time: number; grace: number },
): RenewalTransition {
  const updated =
    cancelAtPeriodEnd === renewal.cancelAtPeriodEnd ? renewal : { ...renewal, cancelAtPeriodEnd };
  return status === 'past_due' && renewal.periodEnd <= time
    ? pastDue(updated, time + grace)
    : { renewal: updated, effects: [] };
}

/** True after the grace period, or after the last period of a cancelled renewal. */
const isOver = ({ state, graceUntil = 0, cancelAtPeriodEnd, periodEnd }: Renewal, time: number): boolean =>
  state === 'PAST_DUE' ? graceUntil <= time : cancelAtPeriodEnd && periodEnd <= time;

/** Providers charge shortly after the end of a period; after this many seconds without an event the gateway queries the provider. */
const providerDelaySeconds = 2 * 3600;

/** A period that is unpaid this many seconds after it ended becomes PAST_DUE, even if the provider reports it as active. */
const unpaidSeconds = 86_400;

/** Time of the next query to the provider when no event arrives before, in seconds; undefined once ended. */
export function computeNextRenewalCheckTime({
  state,
  graceUntil,
  periodEnd,
  cancelAtPeriodEnd,
}: Renewal): number | undefined {
  if (state === 'ENDED') return undefined;
  if (state === 'PAST_DUE') return graceUntil;
  return cancelAtPeriodEnd ? periodEnd : periodEnd + providerDelaySeconds;
}
