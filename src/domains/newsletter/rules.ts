/** The states of a subscription that renews: what a payment, a failed one, a cancellation or the clock makes of it. Events come in any order. Pure. */
import type { RenewalState } from './model.ts';

export interface Renewal {
  state: RenewalState;
  /** Of the last period that was paid. */
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  /** While PAST_DUE: it ends then, unless it is paid. */
  graceUntil?: number | undefined;
}

export interface BillingPeriod {
  periodStart: number;
  periodEnd: number;
}

export type RenewalEvent =
  /** The bill of a period was paid, with the right amount. */
  | ({ type: 'paid' } & BillingPeriod)
  /** The provider could not charge for a period. */
  | ({ type: 'failed' } & BillingPeriod)
  /** What the provider says about the whole. */
  | {
      type: 'told';
      status?: 'active' | 'past_due' | 'ended' | undefined;
      cancelAtPeriodEnd?: boolean | undefined;
    }
  /** Time has passed, and the provider has nothing new. */
  | { type: 'clock' }
  /** We end it: unsubscribed, exchanged, refunded. */
  | { type: 'closed' };

/** `returnMoney`: it came for what has ended. `endAtProvider`: the provider is to bill no more, and to say what it has billed. */
export type RenewalEffect =
  | 'announceRenewed'
  | 'announcePastDue'
  | 'announceEnded'
  | 'mailFailed'
  | 'mailEnded'
  | 'endAtProvider'
  | 'returnMoney';

export interface RenewalTransition {
  renewal: Renewal;
  effects: readonly RenewalEffect[];
}

/** `time` is now, `grace` how many seconds an unpaid one goes on. */
export function transitionRenewal(
  renewal: Renewal,
  event: RenewalEvent,
  { time, grace }: { time: number; grace: number },
): RenewalTransition {
  const nothing: RenewalTransition = { renewal, effects: [] };
  if (renewal.state === 'ENDED')
    return event.type === 'paid' ? { renewal, effects: ['returnMoney', 'endAtProvider'] } : nothing;
  switch (event.type) {
    case 'paid':
      return event.periodEnd > renewal.periodEnd
        ? { renewal: renewed(renewal, event), effects: ['announceRenewed'] }
        : nothing;
    case 'failed':
      // A period that was paid in the meantime is no longer a worry.
      return event.periodEnd > renewal.periodEnd ? pastDue(renewal, time + grace) : nothing;
    case 'told':
      if (event.status === 'ended') return { renewal: ended(renewal), effects: toldEnded };
      return told(renewal, event, { time, grace });
    case 'clock':
      if (isOver(renewal, time)) return { renewal: ended(renewal), effects: toldEnded };
      return renewal.periodEnd + unpaidSeconds <= time ? pastDue(renewal, time + grace) : nothing;
    case 'closed':
      return { renewal: ended(renewal), effects: ['announceEnded', 'endAtProvider'] };
  }
}

const toldEnded: readonly RenewalEffect[] = ['announceEnded', 'mailEnded', 'endAtProvider'];

const renewed = (renewal: Renewal, { periodStart, periodEnd }: BillingPeriod): Renewal => ({
  ...renewal,
  state: 'ACTIVE',
  periodStart,
  periodEnd,
  graceUntil: undefined,
});

const ended = (renewal: Renewal): Renewal => ({ ...renewal, state: 'ENDED', graceUntil: undefined });

/** The time of grace begins with the first failure, and further ones do not prolong it. */
function pastDue(renewal: Renewal, graceUntil: number): RenewalTransition {
  if (renewal.state === 'PAST_DUE') return { renewal, effects: [] };
  return {
    renewal: { ...renewal, state: 'PAST_DUE', graceUntil },
    effects: ['announcePastDue', 'mailFailed'],
  };
}

function told(
  renewal: Renewal,
  { status, cancelAtPeriodEnd = renewal.cancelAtPeriodEnd }: RenewalEvent & { type: 'told' },
  { time, grace }: { time: number; grace: number },
): RenewalTransition {
  const known = cancelAtPeriodEnd === renewal.cancelAtPeriodEnd ? renewal : { ...renewal, cancelAtPeriodEnd };
  return status === 'past_due' && renewal.periodEnd <= time
    ? pastDue(known, time + grace)
    : { renewal: known, effects: [] };
}

/** After the time of grace, or after the last period of one that was cancelled. */
const isOver = ({ state, graceUntil = 0, cancelAtPeriodEnd, periodEnd }: Renewal, time: number): boolean =>
  state === 'PAST_DUE' ? graceUntil <= time : cancelAtPeriodEnd && periodEnd <= time;

/** Providers charge a little after a period has ended; one that says nothing for longer is asked. */
const lateSeconds = 2 * 3600;

/** What nobody has paid for by then, whatever the provider thinks of it, is not paid. */
const unpaidSeconds = 86_400;

/** When to ask the provider, if it tells nothing before. */
export function computeProviderCheckTime({
  state,
  graceUntil,
  periodEnd,
  cancelAtPeriodEnd,
}: Renewal): number | undefined {
  if (state === 'ENDED') return undefined;
  if (state === 'PAST_DUE') return graceUntil;
  return cancelAtPeriodEnd ? periodEnd : periodEnd + lateSeconds;
}
