/** Ends the subscriptions of an address, their renewals too, and forgets the address. The row stays for the books: what was paid is for it. */
import type { Services } from '../../../context.ts';
import { type ErasedPerson, registerEraser } from '../../shared/erasure.ts';
import { applyRenewalEvent } from '../billing/renewals.ts';
import { lockSubscription, subscriptionsByEmailSql } from '../subscribe/subscription-store.ts';

const ofAddress = `select s.id from ${subscriptionsByEmailSql('$1')} where s.updated_at <= $2`;

async function erase(services: Services, { contacts, goneAt }: ErasedPerson): Promise<void> {
  for (const key of contacts.filter((contact) => contact.includes('@')))
    for (const { id } of await services.db.sql<{ id: string }>(ofAddress, [
      key,
      Math.floor(goneAt.getTime() / 1000),
    ]))
      await forget(services, id);
}

async function forget(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, id);
    if (!subscription) return;
    const nobody = `${id}@erased.invalid`;
    await applyRenewalEvent(services, tx, subscription, { type: 'closed' }, () => ({
      status: 'UNSUBSCRIBED',
      email: nobody,
      key: nobody,
      name: '',
    }));
  });
}

registerEraser(erase);
