/** The words that newsletters add to the lists of the gateway. */
export const permissions = {
  NEWSLETTER_SEND: 'Send entries to the subscribers of a newsletter.',
  SUBSCRIBERS_READ: 'See who has subscribed, with their addresses.',
};

export const webhookEvents = {
  'subscription.created':
    'Somebody subscribed to a newsletter; PENDING until a paid plan is paid, PENDING_CONFIRMATION until the address is confirmed.',
  'subscription.activated':
    'A subscription became active by a payment, a confirmation or by subscribing again.',
  'subscription.cancelled': 'A subscription ended, by the subscriber or by its payment.',
  'subscription.renewed': 'A subscription was paid for another period.',
  'subscription.past_due':
    'A renewal was not paid; the subscription goes on until the time of grace is over.',
  'subscription.ended': 'A subscription that renewed does so no more, whoever ended it.',
  'newsletter.sent': 'The last mail of a newsletter was handed over.',
};
