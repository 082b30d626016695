/** State of an existing subscription after subscribing again, confirming or resubscribing. Pure. */
import { toRenewal, toStoredRenewalFields } from '../billing/renewal-of-stored-subscription.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import type { Renewal } from '../renewal-state-machine.ts';

/**
 * Returns `before` itself when it is ACTIVE. A paid plan that was unsubscribed becomes active again until the end of its paid period.
 * `isConfirmed` is false when the email address must be confirmed first.
 */
export function reactivateOnSubscribe(
  before: StoredNewsletterSubscription,
  { planId, status: requestedStatus, name, market }: StoredNewsletterSubscription,
  { time, isConfirmed }: { time: number; isConfirmed: boolean },
): StoredNewsletterSubscription {
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
    ...(isFree ? { recurringId: undefined, ...toStoredRenewalFields(undefined) } : {}),
  };
}

/**
 * State after a request by a caller who does not own the email address of an ended subscription, or who requests a paid plan for a free
 * one. The status stays: only a payment, or for an ended subscription the link of a mail, puts the requested plan into effect.
 */
export const setRequestedPlan = (
  before: StoredNewsletterSubscription,
  planId: string | undefined,
): StoredNewsletterSubscription =>
  before.nextPlanId === planId ? before : { ...before, nextPlanId: planId };

/** Activates a subscription after confirmation of the email address, unless its paid period has ended. */
export function activateOnConfirmation(
  before: StoredNewsletterSubscription,
  time: number,
): StoredNewsletterSubscription {
  if (before.status !== 'PENDING_CONFIRMATION') return before;
  if (before.renewalState === undefined) return { ...before, status: 'ACTIVE' };
  return isPaidFor(before, time) ? reactivate(before) : { ...before, status: 'UNSUBSCRIBED' };
}

/**
 * Reactivates an ended subscription: a paid plan until the end of its paid period, otherwise the requested plan or the last one if it is
 * free. Undefined when it must be paid first.
 */
export function reactivateOnResubscribe(
  before: StoredNewsletterSubscription,
  { time, isFreePlan }: { time: number; isFreePlan: (planId: string | undefined) => boolean },
): StoredNewsletterSubscription | undefined {
  if (isPaidFor(before, time)) return reactivate(before);
  const requested = before.nextPlanId !== undefined && isFreePlan(before.nextPlanId);
  const planId = requested ? before.nextPlanId : before.planId;
  if (!isFreePlan(planId)) return undefined;
  return {
    ...before,
    planId,
    nextPlanId: undefined,
    status: 'ACTIVE',
    paymentId: planId === before.planId ? before.paymentId : undefined,
    recurringId: undefined,
    ...toStoredRenewalFields(undefined),
  };
}

const isPaidFor = (
  { status, paymentId, renewalState, currentPeriodEnd = 0 }: StoredNewsletterSubscription,
  time: number,
) =>
  (status === 'UNSUBSCRIBED' || status === 'PENDING_CONFIRMATION') &&
  paymentId !== undefined &&
  (renewalState === undefined || currentPeriodEnd > time);

/** The recurring payment was cancelled at the provider and its events are ignored from now on: the subscription ends with its paid period. */
function reactivate(before: StoredNewsletterSubscription): StoredNewsletterSubscription {
  const renewal = toRenewal(before);
  const active: StoredNewsletterSubscription = { ...before, nextPlanId: undefined, status: 'ACTIVE' };
  return renewal
    ? { ...active, recurringId: undefined, ...toStoredRenewalFields(endAtPeriodEnd(renewal)) }
    : active;
}

const endAtPeriodEnd = (renewal: Renewal): Renewal => ({
  ...renewal,
  state: 'ACTIVE',
  cancelAtPeriodEnd: true,
});
