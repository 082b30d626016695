/** Seed for bounded random tests: the date in UTC as a number, so that all machines use the same seed on one day. */
export const dailySeed = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
