/** Whoever deletes their account is charged no more: what renews under their email ends. */
import { whenAccountGoes } from '../users/departures.ts';
import { moveRenewal } from './renewals.ts';
import { lockSubscription } from './store.ts';

whenAccountGoes(async (services, tx, { email }) => {
  const rows = await tx.sql<{ id: string }>(
    `select id from subscriptions where key = $1 and renewal_state in ('ACTIVE', 'PAST_DUE') order by id`,
    [email.toLowerCase()],
  );
  for (const { id } of rows) {
    const subscription = await lockSubscription(tx, id);
    if (subscription)
      await moveRenewal(services, tx, subscription, { type: 'closed' }, () => ({ status: 'UNSUBSCRIBED' }));
  }
});
