/** Account erasure: ends the subscriptions and renewals of an email address and overwrites the address. The rows stay, because payments reference them. */
import type { Services } from '../../../context.ts';
import { type ErasedPerson, registerPersonalDataEraser } from '../../shared/eraser-registry.ts';
import { applyRenewalEvent } from '../billing/renewals.ts';
import { lockSubscription, subscriptionsByEmailSql } from '../subscribe/subscription-store.ts';

const subscriptionIds = `select s.id from ${subscriptionsByEmailSql('$1')} where s.updated_at <= $2`;

async function erase(services: Services, { contacts, goneAt }: ErasedPerson): Promise<void> {
  for (const key of contacts.filter((contact) => contact.includes('@')))
    for (const { id } of await services.db.sql<{ id: string }>(subscriptionIds, [
      key,
      Math.floor(goneAt.getTime() / 1000),
    ]))
      await eraseSubscription(services, id);
}

async function eraseSubscription(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, id);
    if (!subscription) return;
    const erasedEmail = `${id}@erased.invalid`;
    await applyRenewalEvent(services, tx, subscription, { type: 'cancelled' }, () => ({
      status: 'UNSUBSCRIBED',
      email: erasedEmail,
      key: erasedEmail,
      name: '',
    }));
  });
}

registerPersonalDataEraser(erase);
