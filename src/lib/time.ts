/** Time on the wire and in the database is Unix seconds. */

export const now = (): number => Math.floor(Date.now() / 1000);

/** How often something renews, and when. Pure. */
export const billingIntervals = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type BillingInterval = (typeof billingIntervals)[number];
/** How callers name the lack of one. */
export const oneTimePayment = 'ONCE';
/** How often a plan may be paid. */
export const planIntervals = [...billingIntervals, oneTimePayment] as const;

/** Undefined for what is paid once. */
export const parseBillingInterval = (word: string | undefined): BillingInterval | undefined =>
  billingIntervals.find((interval) => interval === word);

/** The moment `count` intervals after `start`, in seconds. Months without that day end on their last one, and the day comes back after. */
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
