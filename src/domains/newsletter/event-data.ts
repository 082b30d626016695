/** What the events of newsletters carry. */
import { businessId, count, data, id, oneOf, text, time } from '../../lib/event-shapes.ts';

const facts = {
  id: id('Id of the subscription.'),
  businessId,
  collectionId: id('The newsletter.'),
  planId: text('Its plan, if it has one.', 'pro').optional(),
  status: oneOf(
    'SubscriptionStatus',
    'Where it stands: CANCELLED by its payment, UNSUBSCRIBED by the subscriber.',
    'ACTIVE',
  ),
};

const subscription = data('Subscription', 'A subscription, as it was after the change.', facts);

const renewal = data('SubscriptionRenewal', 'A subscription that renews, as it was after the change.', {
  ...facts,
  currentPeriodStart: time('When the period that is paid for began.').optional(),
  currentPeriodEnd: time('When it ends.').optional(),
  graceUntil: time('While a renewal is unpaid: how long the subscription goes on.').optional(),
});

export const eventData = {
  'subscription.created': subscription,
  'subscription.activated': subscription,
  'subscription.cancelled': subscription,
  'subscription.renewed': renewal,
  'subscription.past_due': renewal,
  'subscription.ended': renewal,
  'newsletter.sent': data(
    'NewsletterSent',
    'A newsletter of which every mail was handed over, or given up.',
    {
      sendId: id('Id of the send.'),
      businessId,
      collectionId: id('The newsletter.'),
      entryId: id('The entry that was sent.'),
      recipients: count('To how many.', 2),
      sent: count('Mails handed over.', 2),
      failed: count('Mails given up.', 0),
    },
  ),
};
