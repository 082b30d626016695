/** Seed and parts of long tests by the date in UTC. */

/** Seed for bounded random tests: the date in UTC as a number, so that all machines use the same seed on one day. */
export const dailySeed = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));

/** `SUITE=full` runs all parts of long tests that run one part a day. */
export const isFullSuite = process.env.SUITE === 'full';

/** Whether part `index` of a long test runs today: each part does on one day in `days`. */
export const isInSampleOfDay = (index: number, days: number): boolean =>
  isFullSuite || (index + Math.floor(Date.now() / 86_400_000)) % days === 0;
