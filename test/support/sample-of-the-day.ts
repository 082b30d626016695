/** Samples of long tests, whose other parts run on other days. `SUITE=full` runs all parts at once. */

export const isFullSuite = process.env.SUITE === 'full';

/** Whether part `index` of a long test runs today: each part does on one day in `days`. */
export const isInSampleOfDay = (index: number, days: number): boolean =>
  isFullSuite || (index + Math.floor(Date.now() / 86_400_000)) % days === 0;
