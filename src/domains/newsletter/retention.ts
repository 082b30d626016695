/** What of newsletters grows old: who got a mail of a send that has long ended. The send keeps its counts. */
import type { Sweep } from '../../db/sweep.ts';

export const sweeps: readonly Sweep[] = [
  {
    kept: 'newsletterRecipients',
    table: 'newsletter_recipients',
    old: 'send_id in (select id from newsletter_sends where finished_at < $1)',
  },
];
