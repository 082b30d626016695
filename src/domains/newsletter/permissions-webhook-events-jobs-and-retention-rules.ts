/** Permissions, webhook events, jobs and retention rules of newsletters. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';
import { buildPaymentAttemptExistsSql } from '../payments/stored-payment-attempts.ts';
import { providerCancellationsJob } from './billing/queue-and-run-provider-cancellations.ts';
import { syncDueRenewalsJob, syncRenewalJob } from './billing/sync-renewals.ts';
import { sendNewsletterJob } from './sending/deliver-newsletter.ts';
import { resumeNewsletterSendsJob } from './sending/resume-sends.ts';

export const permissions = {
  NEWSLETTER_SEND: 'Send entries to the subscribers of a newsletter.',
  SUBSCRIBERS_READ: 'Read the subscribers of a newsletter, with their email addresses.',
};

export const webhookEvents = {
  'subscription.created':
    'A subscription was created; PENDING until a paid plan is paid, PENDING_CONFIRMATION until the email address is confirmed.',
  'subscription.activated':
    'A subscription became active by payment, by confirmation or by subscribing again.',
  'subscription.cancelled': 'A subscription was ended by the subscriber or by its payment.',
  'subscription.renewed': 'A renewal was paid for another period.',
  'subscription.past_due':
    'A renewal payment failed; the subscription stays active until the end of the grace period.',
  'subscription.ended': 'The renewal of a subscription ended, for any reason.',
  'newsletter.sent': 'All mails of a newsletter send were accepted by the mail server or failed.',
};

export const jobs = [
  sendNewsletterJob,
  resumeNewsletterSendsJob,
  providerCancellationsJob,
  syncDueRenewalsJob,
  syncRenewalJob,
];

export const retentionRules: readonly RetentionRule[] = [
  // The counts stay in newsletter_sends.
  {
    retentionKey: 'newsletterRecipients',
    table: 'newsletter_recipients',
    expiredCondition: 'send_id in (select id from newsletter_sends where finished_at < $1)',
  },
  // A subscription with a payment attempt stays: accounting needs it.
  {
    retentionKey: 'unconfirmedSubscriptions',
    table: 'subscriptions',
    expiredCondition: `status = 'PENDING_CONFIRMATION' and updated_at < $1 and not ${buildPaymentAttemptExistsSql('subscription', 'subscriptions.id')}`,
  },
];
