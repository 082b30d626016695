/** What of newsletters grows old: who got a mail of a send that has long ended, and addresses that nobody has confirmed. */
import type { Sweep } from '../../db/sweep.ts';
import { everBilled } from '../payments/attempts.ts';

export const sweeps: readonly Sweep[] = [
  // The send keeps its counts.
  {
    kept: 'newsletterRecipients',
    table: 'newsletter_recipients',
    old: 'send_id in (select id from newsletter_sends where finished_at < $1)',
  },
  // What was ever paid for stays for the books.
  {
    kept: 'unconfirmedSubscriptions',
    table: 'subscriptions',
    old: `status = 'PENDING_CONFIRMATION' and updated_at < $1 and not ${everBilled('subscription', 'subscriptions.id')}`,
  },
];
