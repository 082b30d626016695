/** What becomes of a subscription when its email is put on the list again. Pure. */
import type { StoredSubscription } from './model.ts';
import { renewalFields, renewalOf } from './renewals.ts';

/** An active one stays as it is. What was paid for and left comes back for as long as it was paid. */
export function rejoined(
  before: StoredSubscription,
  { planId, status: wanted, name, market }: StoredSubscription,
  time: number,
): StoredSubscription {
  if (before.status === 'ACTIVE') return before;
  const isSame = before.planId === planId;
  const comesBack = wanted !== 'ACTIVE' && isSame && isPaidFor(before, time);
  return {
    ...before,
    planId,
    nextPlanId: undefined,
    status: comesBack ? 'ACTIVE' : wanted,
    paymentId: isSame ? before.paymentId : undefined,
    name: name === '' ? before.name : name,
    market: market ?? before.market,
    ...renewal(before, wanted === 'ACTIVE', comesBack),
  };
}

const isPaidFor = (
  { status, paymentId, renewalState, currentPeriodEnd = 0 }: StoredSubscription,
  time: number,
) =>
  status === 'UNSUBSCRIBED' &&
  paymentId !== undefined &&
  (renewalState === undefined || currentPeriodEnd > time);

/** A free plan does not renew; what comes back was ended with the provider, whose word on it counts no more, and lasts as long as it was paid. */
function renewal(
  before: StoredSubscription,
  isFree: boolean,
  comesBack: boolean,
): Partial<StoredSubscription> {
  if (isFree) return { recurringId: undefined, ...renewalFields(undefined) };
  const ended = renewalOf(before);
  return ended && comesBack
    ? { recurringId: undefined, ...renewalFields({ ...ended, state: 'ACTIVE', cancelAtPeriodEnd: true }) }
    : {};
}
