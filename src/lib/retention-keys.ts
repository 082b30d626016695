/** Everything that is kept for a while only; the configuration says for how long. */
export type RetentionKey =
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
  | 'bulk'
  | 'media'
  | 'jobs';
