/** Renewal state of a stored subscription, and the fields that store it. Pure. */
import type { RenewalInfo, StoredNewsletterSubscription } from '../model.ts';
import { computeNextRenewalCheckTime, type Renewal } from '../renewal-state-machine.ts';

/** Undefined for a subscription that does not renew. */
export function toRenewal({
  renewalState: state,
  currentPeriodStart: periodStart,
  currentPeriodEnd: periodEnd,
  cancelAtPeriodEnd = false,
  graceUntil,
}: RenewalInfo): Renewal | undefined {
  if (state === undefined || periodStart === undefined || periodEnd === undefined) return undefined;
  return { state, periodStart, periodEnd, cancelAtPeriodEnd, graceUntil };
}

type RenewalFields = Required<Pick<StoredNewsletterSubscription, keyof RenewalInfo | 'checkAt'>>;

/** Renewal fields of a stored subscription; all undefined when it does not renew. */
export const toStoredRenewalFields = (renewal: Renewal | undefined): RenewalFields => ({
  renewalState: renewal?.state,
  currentPeriodStart: renewal?.periodStart,
  currentPeriodEnd: renewal?.periodEnd,
  cancelAtPeriodEnd: renewal?.cancelAtPeriodEnd,
  graceUntil: renewal?.graceUntil,
  checkAt: renewal && computeNextRenewalCheckTime(renewal),
});

export const isSubscriptionRenewing = ({ renewalState }: RenewalInfo): boolean =>
  renewalState === 'ACTIVE' || renewalState === 'PAST_DUE';
