/** Billing intervals of subscriptions and the dates at which they renew. */

/** Intervals at which a subscription renews. */
export const billingIntervals = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type BillingInterval = (typeof billingIntervals)[number];
/** API value of a plan that is paid once and does not renew. */
export const oneTimeInterval = 'ONCE';
/** All payment intervals of a plan. */
export const planIntervals = [...billingIntervals, oneTimeInterval] as const;

/** Undefined for a one-time payment. */
export const parseBillingInterval = (value: string | undefined): BillingInterval | undefined =>
  billingIntervals.find((interval) => interval === value);

/**
 * Time `count` intervals after `start`, in Unix seconds. In a month without the day of `start` it is the last day; later months use the
 * original day again.
 */
export function addBillingIntervals(start: number, interval: BillingInterval, count: number): number {
  if (interval === 'WEEKLY') return start + count * 7 * 86_400;
  const from = new Date(start * 1000);
  const months = from.getUTCMonth() + count * (interval === 'YEARLY' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  return start + (Date.UTC(from.getUTCFullYear(), months, day) - midnightOf(from)) / 1000;
}

const midnightOf = (date: Date): number =>
  Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
