/** Truncates texts that are stored: PostgreSQL rejects half a surrogate pair in JSON. */

/** The first `max` UTF-16 code units, or one less if the last were the first half of a pair. */
export const truncateText = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
