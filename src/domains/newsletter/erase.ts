/** Ends the subscriptions of an address and forgets the address. The row stays for the books: what was paid is for it. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { addEraser, type Gone } from '../shared/erasure.ts';
import { announce } from '../webhooks/announce.ts';
import { factColumns, type SubscriptionFacts, subscriptionEvents } from './events.ts';
import type { SubscriptionStatus } from './model.ts';
import { subscribed } from './subscribed.ts';

const ofAddress = `select s.id from ${subscribed('$1')} where s.updated_at <= $2`;

const eraseOne = `
  update subscriptions s set status = 'UNSUBSCRIBED', email = $2, key = $2, name = '', updated_at = $3
  from (select id, status from subscriptions where id = $1 for update) before
  where s.id = before.id
  returning ${factColumns}, before.status as previous`;

async function erase(services: Services, { contacts, goneAt }: Gone): Promise<void> {
  for (const key of contacts.filter((contact) => contact.includes('@')))
    for (const { id } of await services.db.sql<{ id: string }>(ofAddress, [
      key,
      Math.floor(goneAt.getTime() / 1000),
    ]))
      await forget(services, id);
}

async function forget(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const nobody = `${id}@erased.invalid`;
    const [ended] = await tx.sql<SubscriptionFacts & { previous: SubscriptionStatus }>(eraseOne, [
      id,
      nobody,
      now(),
    ]);
    if (ended) await announce(services, tx, ended.business_id, subscriptionEvents(ended.previous, ended));
  });
}

addEraser(erase);
