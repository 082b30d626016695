/** Deleting a newsletter closes the payment pages of its subscribers; a trigger cancels their recurring payments. */
import { registerCollectionDependent } from '../../collections/write/dependent-domain-registry.ts';
import { prepareClosingOfPaymentAttempts } from '../../payments/close-attempts-of-deleted-subjects.ts';

registerCollectionDependent({
  name: 'subscribers',
  existsSql: (collection) => `exists (select 1 from subscriptions where collection_id = ${collection})`,
  onCollectionDelete: (services, tx, { id }) =>
    prepareClosingOfPaymentAttempts(services, tx, 'subscription', {
      table: 'subscriptions',
      column: 'collection_id',
      id,
    }),
});
