/** The subscriptions of an address, in all newsletters. */
import { valuesOf } from '../../db/values-of.ts';

/** SQL, to be used in `from`: the subscriptions of the address `key`, in lower case, as `s`. */
export const subscribed = (key: string): string =>
  `${valuesOf('subscriptions', 'collection_id')} c join subscriptions s on s.collection_id = c.id and s.key = ${key}`;
