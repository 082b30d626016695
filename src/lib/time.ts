/** Unix time in seconds, the unit of the API and of the database. */

export const now = (): number => Math.floor(Date.now() / 1000);
