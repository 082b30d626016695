/** What of newsletters grows old: who got a mail of a send that has long ended, and addresses that nobody has confirmed. */
import type { RetentionRule } from '../../db/delete-expired-rows.ts';
import { hasPaymentAttemptSql } from '../payments/payment-attempts.ts';

export const sweeps: readonly RetentionRule[] = [
  // The send keeps its counts.
  {
    retentionKey: 'newsletterRecipients',
    table: 'newsletter_recipients',
    expiredCondition: 'send_id in (select id from newsletter_sends where finished_at < $1)',
  },
  // What was ever paid for stays for the books.
  {
    retentionKey: 'unconfirmedSubscriptions',
    table: 'subscriptions',
    expiredCondition: `status = 'PENDING_CONFIRMATION' and updated_at < $1 and not ${hasPaymentAttemptSql('subscription', 'subscriptions.id')}`,
  },
];
