/** Time on the wire and in the database is Unix seconds. */
export const now = (): number => Math.floor(Date.now() / 1000);
