/** State of an existing subscription after subscribing again, confirming or resubscribing. Pure. */

import { toRenewal, toRenewalFields } from '../billing/renewals.ts';
import type { StoredSubscription } from '../model.ts';
import type { Renewal } from '../rules.ts';

/**
 * Returns `before` itself when it is ACTIVE. A paid plan that was unsubscribed becomes active again until the end of its paid period.
 * `isConfirmed` is false when the email address must be confirmed first.
 */
export function reactivateOnSubscribe(
  before: StoredSubscription,
  { planId, status: requestedStatus, name, market }: StoredSubscription,
  { time, isConfirmed }: { time: number; isConfirmed: boolean },
): StoredSubscription {
  if (before.status === 'ACTIVE') return before;
  const isSame = before.planId === planId;
  const isFree = requestedStatus !== 'PENDING';
  const isPaid = !isFree && isSame && isPaidFor(before, time);
  const contact = { name: name === '' ? before.name : name, market: market ?? before.market };
  if (isPaid)
    return isConfirmed
      ? { ...reactivate(before), ...contact }
      : { ...before, ...contact, status: 'PENDING_CONFIRMATION' };
  return {
    ...before,
    ...contact,
    planId,
    nextPlanId: undefined,
    status: requestedStatus,
    paymentId: isSame ? before.paymentId : undefined,
    // A free plan does not renew.
    ...(isFree ? { recurringId: undefined, ...toRenewalFields(undefined) } : {}),
  };
}

/** Activates a subscription after confirmation of the email address, unless its paid period has ended. */
export function activateOnConfirmation(before: StoredSubscription, time: number): StoredSubscription {
  if (before.status !== 'PENDING_CONFIRMATION') return before;
  if (before.renewalState === undefined) return { ...before, status: 'ACTIVE' };
  return isPaidFor(before, time) ? reactivate(before) : { ...before, status: 'UNSUBSCRIBED' };
}

/** Reactivates an unsubscribed subscription: a free plan always, a paid one until the end of its paid period. Undefined when it must be paid first. */
export function reactivateOnResubscribe(
  before: StoredSubscription,
  { time, isFree }: { time: number; isFree: boolean },
): StoredSubscription | undefined {
  if (isPaidFor(before, time)) return reactivate(before);
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

/** The recurring payment was cancelled at the provider and its events are ignored from now on: the subscription ends with its paid period. */
function reactivate(before: StoredSubscription): StoredSubscription {
  const renewal = toRenewal(before);
  const active: StoredSubscription = { ...before, nextPlanId: undefined, status: 'ACTIVE' };
  return renewal
    ? { ...active, recurringId: undefined, ...toRenewalFields(endAtPeriodEnd(renewal)) }
    : active;
}

const endAtPeriodEnd = (renewal: Renewal): Renewal => ({
  ...renewal,
  state: 'ACTIVE',
  cancelAtPeriodEnd: true,
});
