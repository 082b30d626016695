/** Names of the retention periods; the configuration sets the seconds of each. */
export type RetentionPeriodName =
  | 'expired'
  | 'idempotencyKeys'
  | 'guests'
  | 'securityEvents'
  | 'paymentEvents'
  | 'webhooks'
  | 'newsletterRecipients'
  | 'unconfirmedSubscriptions'
  | 'changes'
  | 'carts'
  | 'usage'
  | 'requestLog'
  | 'bulk'
  | 'media'
  | 'jobs';
