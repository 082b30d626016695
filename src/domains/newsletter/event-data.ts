/** What the events of newsletters carry. */
import {
  businessIdField,
  countField,
  enumField,
  eventDataSchema,
  idField,
  textField,
  timeField,
} from '../../lib/validation/event-fields.ts';

const facts = {
  id: idField('Id of the subscription.'),
  businessId: businessIdField,
  collectionId: idField('The newsletter.'),
  planId: textField('Its plan, if it has one.', 'pro').optional(),
  status: enumField(
    'SubscriptionStatus',
    'Where it stands: CANCELLED by its payment, UNSUBSCRIBED by the subscriber.',
    'ACTIVE',
  ),
};

const subscription = eventDataSchema('Subscription', 'A subscription, as it was after the change.', facts);

const renewal = eventDataSchema(
  'SubscriptionRenewal',
  'A subscription that renews, as it was after the change.',
  {
    ...facts,
    currentPeriodStart: timeField('When the period that is paid for began.').optional(),
    currentPeriodEnd: timeField('When it ends.').optional(),
    graceUntil: timeField('While a renewal is unpaid: how long the subscription goes on.').optional(),
  },
);

export const eventData = {
  'subscription.created': subscription,
  'subscription.activated': subscription,
  'subscription.cancelled': subscription,
  'subscription.renewed': renewal,
  'subscription.past_due': renewal,
  'subscription.ended': renewal,
  'newsletter.sent': eventDataSchema(
    'NewsletterSent',
    'A newsletter of which every mail was handed over, or given up.',
    {
      sendId: idField('Id of the send.'),
      businessId: businessIdField,
      collectionId: idField('The newsletter.'),
      entryId: idField('The entry that was sent.'),
      recipients: countField('To how many.', 2),
      sent: countField('Mails handed over.', 2),
      failed: countField('Mails given up.', 0),
    },
  ),
};
