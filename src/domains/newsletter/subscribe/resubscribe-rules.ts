/** What becomes of a subscription when its email is put on the list again. Pure. */

import { toRenewal, toRenewalFields } from '../billing/renewals.ts';
import type { StoredSubscription } from '../model.ts';
import type { Renewal } from '../rules.ts';

/**
 * An active one stays as it is. What was paid for and left comes back for as long as it was paid; `isProven` is false for who has to
 * confirm first that the address is theirs.
 */
export function reactivateOnSubscribe(
  before: StoredSubscription,
  { planId, status: wanted, name, market }: StoredSubscription,
  { time, isProven }: { time: number; isProven: boolean },
): StoredSubscription {
  if (before.status === 'ACTIVE') return before;
  const isSame = before.planId === planId;
  const isFree = wanted !== 'PENDING';
  const isPaid = !isFree && isSame && isPaidFor(before, time);
  const named = { name: name === '' ? before.name : name, market: market ?? before.market };
  if (isPaid)
    return isProven ? { ...back(before), ...named } : { ...before, ...named, status: 'PENDING_CONFIRMATION' };
  return {
    ...before,
    ...named,
    planId,
    nextPlanId: undefined,
    status: wanted,
    paymentId: isSame ? before.paymentId : undefined,
    // A free plan does not renew.
    ...(isFree ? { recurringId: undefined, ...toRenewalFields(undefined) } : {}),
  };
}

/** Its owner has confirmed the address: it is active, unless the time that was paid for is over by now. */
export function activateOnConfirmation(before: StoredSubscription, time: number): StoredSubscription {
  if (before.status !== 'PENDING_CONFIRMATION') return before;
  if (before.renewalState === undefined) return { ...before, status: 'ACTIVE' };
  return isPaidFor(before, time) ? back(before) : { ...before, status: 'UNSUBSCRIBED' };
}

/** Whoever has left wants it back: what costs nothing is active again, what was paid for as long as it was. Undefined: to be paid first. */
export function reactivateOnResubscribe(
  before: StoredSubscription,
  { time, isFree }: { time: number; isFree: boolean },
): StoredSubscription | undefined {
  if (isPaidFor(before, time)) return back(before);
  return isFree
    ? { ...before, status: 'ACTIVE', recurringId: undefined, ...toRenewalFields(undefined) }
    : undefined;
}

const isPaidFor = (
  { status, paymentId, renewalState, currentPeriodEnd = 0 }: StoredSubscription,
  time: number,
) =>
  (status === 'UNSUBSCRIBED' || status === 'PENDING_CONFIRMATION') &&
  paymentId !== undefined &&
  (renewalState === undefined || currentPeriodEnd > time);

/** It was ended with the provider, whose word on it counts no more, and lasts as long as it was paid. */
function back(before: StoredSubscription): StoredSubscription {
  const ended = toRenewal(before);
  const left: StoredSubscription = { ...before, nextPlanId: undefined, status: 'ACTIVE' };
  return ended ? { ...left, recurringId: undefined, ...toRenewalFields(untilItsEnd(ended)) } : left;
}

const untilItsEnd = (ended: Renewal): Renewal => ({ ...ended, state: 'ACTIVE', cancelAtPeriodEnd: true });
