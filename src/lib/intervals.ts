/** How often something renews, and when. Pure. */
export const intervals = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Interval = (typeof intervals)[number];
/** How callers name the lack of one. */
export const paidOnce = 'ONCE';
/** How often a plan may be paid. */
export const planIntervals = [...intervals, paidOnce] as const;

/** Undefined for what is paid once. */
export const intervalOf = (word: string | undefined): Interval | undefined =>
  intervals.find((interval) => interval === word);

/** The moment `count` intervals after `start`, in seconds. Months without that day end on their last one, and the day comes back after. */
export function momentAfter(start: number, interval: Interval, count: number): number {
  if (interval === 'WEEKLY') return start + count * 7 * 86_400;
  const from = new Date(start * 1000);
  const months = from.getUTCMonth() + count * (interval === 'YEARLY' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  return start + (Date.UTC(from.getUTCFullYear(), months, day) - midnightOf(from)) / 1000;
}

const midnightOf = (date: Date): number =>
  Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
