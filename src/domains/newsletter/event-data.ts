/** Payload schemas of subscription and newsletter webhook events. */
import {
  businessIdEventField,
  countEventField,
  defineEventDataSchema,
  enumEventField,
  idEventField,
  textEventField,
  timeEventField,
} from '../../lib/validation/event-fields.ts';

const subscriptionFields = {
  id: idEventField('Id of the subscription.'),
  businessId: businessIdEventField,
  collectionId: idEventField('Id of the newsletter (collection).'),
  planId: textEventField('Id of the plan; absent for a newsletter without plans.', 'pro').optional(),
  status: enumEventField(
    'SubscriptionStatus',
    'Status after the change. CANCELLED: ended by its payment. UNSUBSCRIBED: ended by the subscriber.',
    'ACTIVE',
  ),
};

const subscription = defineEventDataSchema(
  'Subscription',
  'A subscription after the change.',
  subscriptionFields,
);

const renewal = defineEventDataSchema('SubscriptionRenewal', 'A renewing subscription after the change.', {
  ...subscriptionFields,
  currentPeriodStart: timeEventField('Start of the paid period.').optional(),
  currentPeriodEnd: timeEventField('End of the paid period.').optional(),
  graceUntil: timeEventField('While a renewal is unpaid: end of the grace period.').optional(),
});

export const eventData = {
  'subscription.created': subscription,
  'subscription.activated': subscription,
  'subscription.cancelled': subscription,
  'subscription.renewed': renewal,
  'subscription.past_due': renewal,
  'subscription.ended': renewal,
  'newsletter.sent': defineEventDataSchema(
    'NewsletterSent',
    'A newsletter send whose mails are all delivered to the mail server or failed.',
    {
      sendId: idEventField('Id of the send.'),
      businessId: businessIdEventField,
      collectionId: idEventField('Id of the newsletter (collection).'),
      entryId: idEventField('Id of the entry that was sent.'),
      recipients: countEventField('Number of recipients.', 2),
      sent: countEventField('Mails accepted by the mail server.', 2),
      failed: countEventField('Mails that failed permanently.', 0),
    },
  ),
};
