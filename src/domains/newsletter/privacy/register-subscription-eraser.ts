/**
 * Account erasure: ends the subscriptions and renewals of an email address and overwrites the address, in the transaction that deletes the
 * account. The rows stay, because payments reference them.
 */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { registerAccountDeletionHook } from '../../shared/personal-data/account-deletion-hook-registry.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../../shared/personal-data/personal-data-eraser-registry.ts';
import { applyRenewalEvent } from '../billing/apply-renewal-event.ts';
import { buildErasedSubscriberEmail } from '../model.ts';
import {
  buildSubscriptionsByEmailFromClause,
  lockSubscription,
} from '../subscriptions/find-and-lock-subscriptions.ts';

const emailsOf = ({ contacts }: Pick<ErasedPerson, 'contacts'>) =>
  contacts.filter((contact) => contact.includes('@'));

const allIds = `select s.id from ${buildSubscriptionsByEmailFromClause('$1')} order by s.id`;
// By creation: a renewal or another change between the deletion and this job must not exempt the subscription.
const idsAtDeletion = `select s.id from ${buildSubscriptionsByEmailFromClause('$1')} where s.created_at <= $2`;

registerAccountDeletionHook(async (services, tx, person) => {
  for (const key of emailsOf(person))
    for (const { id } of await tx.sql<{ id: string }>(allIds, [key]))
      await eraseSubscription(services, tx, id);
});

/** Erases subscriptions whose creation was committed only after the deletion. */
registerPersonalDataEraser(async (services, person) => {
  const goneAt = Math.floor(person.goneAt.getTime() / 1000);
  for (const key of emailsOf(person))
    for (const { id } of await services.db.sql<{ id: string }>(idsAtDeletion, [key, goneAt]))
      await services.db.transaction((tx) => eraseSubscription(services, tx, id));
});

async function eraseSubscription(services: Services, tx: QueryHandle, id: string): Promise<void> {
  const subscription = await lockSubscription(tx, id);
  if (!subscription) return;
  const email = buildErasedSubscriberEmail(id);
  await applyRenewalEvent(services, tx, subscription, { type: 'cancelled' }, () => ({
    status: 'UNSUBSCRIBED',
    email,
    key: email,
    name: '',
  }));
}
