/** Payload schemas of subscription and newsletter webhook events. */
import {
  businessIdEventField,
  defineCountEventField,
  defineEnumEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineTextEventField,
  defineTimeEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

const subscriptionFields = {
  id: defineIdEventField('Id of the subscription.'),
  businessId: businessIdEventField,
  collectionId: defineIdEventField('Id of the newsletter (collection).'),
  planId: defineTextEventField('Id of the plan; absent for a newsletter without plans.', 'pro').optional(),
  status: defineEnumEventField(
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
  currentPeriodStart: defineTimeEventField('Start of the paid period.').optional(),
  currentPeriodEnd: defineTimeEventField('End of the paid period.').optional(),
  graceUntil: defineTimeEventField('While a renewal is unpaid: end of the grace period.').optional(),
});

export const eventDataSchemas = {
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
      sendId: defineIdEventField('Id of the send.'),
      businessId: businessIdEventField,
      collectionId: defineIdEventField('Id of the newsletter (collection).'),
      entryId: defineIdEventField('Id of the entry that was sent.'),
      recipients: defineCountEventField('Number of recipients.', 2),
      sent: defineCountEventField('Mails accepted by the mail server.', 2),
      failed: defineCountEventField('Mails that failed permanently.', 0),
    },
  ),
};
