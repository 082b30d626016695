/** A seed for bounded runs that is another every day, and the same on all machines that day. */
export const dailySeed = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
