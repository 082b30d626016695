/** Payload schemas of subscription and newsletter webhook events. */
import {
  businessIdField,
  countField,
  enumField,
  eventDataSchema,
  idField,
  textField,
  timeField,
} from '../../lib/validation/event-fields.ts';

const subscriptionFields = {
  id: idField('Id of the subscription.'),
  businessId: businessIdField,
  collectionId: idField('Id of the newsletter (collection).'),
  planId: textField('Id of the plan; absent for a newsletter without plans.', 'pro').optional(),
  status: enumField(
    'SubscriptionStatus',
    'Status after the change. CANCELLED: ended by its payment. UNSUBSCRIBED: ended by the subscriber.',
    'ACTIVE',
  ),
};

const subscription = eventDataSchema('Subscription', 'A subscription after the change.', subscriptionFields);

const renewal = eventDataSchema('SubscriptionRenewal', 'A renewing subscription after the change.', {
  ...subscriptionFields,
  currentPeriodStart: timeField('Start of the paid period.').optional(),
  currentPeriodEnd: timeField('End of the paid period.').optional(),
  graceUntil: timeField('While a renewal is unpaid: end of the grace period.').optional(),
});

export const eventData = {
  'subscription.created': subscription,
  'subscription.activated': subscription,
  'subscription.cancelled': subscription,
  'subscription.renewed': renewal,
  'subscription.past_due': renewal,
  'subscription.ended': renewal,
  'newsletter.sent': eventDataSchema(
    'NewsletterSent',
    'A newsletter send whose mails are all delivered to the mail server or failed.',
    {
      sendId: idField('Id of the send.'),
      businessId: businessIdField,
      collectionId: idField('Id of the newsletter (collection).'),
      entryId: idField('Id of the entry that was sent.'),
      recipients: countField('Number of recipients.', 2),
      sent: countField('Mails accepted by the mail server.', 2),
      failed: countField('Mails that failed permanently.', 0),
    },
  ),
};
