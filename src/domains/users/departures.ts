/** What goes with an account. Other domains say so here, because accounts know nothing about them. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';

/** Called in the transaction that deletes the account of a confirmed email. */
export type Departure = (services: Services, tx: Queries, person: { email: string }) => Promise<void>;

export const departures: Departure[] = [];

export const whenAccountGoes = (departure: Departure): void => {
  departures.push(departure);
};
