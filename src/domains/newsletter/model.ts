/** Subscriptions and newsletter sends: public shapes, stored shapes and tables. */
import { defineTable, type UntypedRow } from '../../db/index.ts';
import type { NewsletterSendModel, SubscriptionModel } from '../../generated/prisma/models.ts';

export const subscriptionStatuses = [
  'PENDING',
  'PENDING_CONFIRMATION',
  'ACTIVE',
  'CANCELLED',
  'UNSUBSCRIBED',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** PAST_DUE: an invoice is unpaid and the grace period is running. */
export const renewalStates = ['ACTIVE', 'PAST_DUE', 'ENDED'] as const;
export type RenewalState = (typeof renewalStates)[number];

/** Renewal of a subscription; all fields are undefined for plans that do not renew. Times in seconds. */
export interface RenewalInfo {
  renewalState?: RenewalState | undefined;
  currentPeriodStart?: number | undefined;
  currentPeriodEnd?: number | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
  graceUntil?: number | undefined;
}

export interface NewsletterSubscription extends RenewalInfo {
  id: string;
  /** `collection:<id>`. */
  entity: string;
  email: string;
  name: string;
  planId?: string | undefined;
  status: SubscriptionStatus;
  createdAt: number;
  updatedAt: number;
}

/** A stored subscription. */
export interface StoredNewsletterSubscription extends Omit<NewsletterSubscription, 'entity'> {
  businessId: string;
  collectionId: string;
  /** Email in lower case; unique per collection. */
  key: string;
  market?: string | undefined;
  /** Payment of the current plan. */
  paymentId?: string | undefined;
  /** Plan that replaces `planId` once it is paid. */
  nextPlanId?: string | undefined;
  /** Id of the recurring payment at the provider. */
  recurringId?: string | undefined;
  /** Time of the next query to the provider when no event arrives before, in seconds. */
  checkAt?: number | undefined;
  /** MAC over the caller that created the subscription. Absent in records of before, and after an import. */
  creatorHash?: string | undefined;
}

type SubscriptionState = Pick<StoredNewsletterSubscription, 'status' | 'planId' | 'nextPlanId'>;

/** True when it was ended by the subscriber or by its payment. Subscribing again starts it again. */
export const hasSubscriptionEnded = ({ status }: Pick<StoredNewsletterSubscription, 'status'>): boolean =>
  status === 'CANCELLED' || status === 'UNSUBSCRIBED';

/** True when a payment for the plan activates it: as the first plan, as the replacement of the active one, or as the return to an ended one. */
export const isPlanPending = (
  { status, planId, nextPlanId }: SubscriptionState,
  item: string | undefined,
): boolean => item !== undefined && item === (status === 'PENDING' ? planId : nextPlanId);

/** Replaces the email address of a deleted account. */
export const buildErasedSubscriberEmail = (subscriptionId: string): string =>
  `${subscriptionId}@erased.invalid`;

export const subscriptionTable = defineTable<StoredNewsletterSubscription, SubscriptionModel>(
  'subscriptions',
  's',
  {
    id: 'fixed',
    businessId: 'fixed',
    collectionId: 'fixed',
    email: 'column',
    key: 'column',
    name: 'column',
    planId: 'column',
    market: 'column',
    status: 'column',
    paymentId: 'column',
    nextPlanId: 'column',
    recurringId: 'column',
    renewalState: 'column',
    currentPeriodStart: 'column',
    currentPeriodEnd: 'column',
    cancelAtPeriodEnd: 'column',
    graceUntil: 'column',
    checkAt: 'column',
    creatorHash: 'fixed',
    createdAt: 'fixed',
    updatedAt: 'column',
  },
);

export const toSubscription = (row: UntypedRow): NewsletterSubscription =>
  toPublicSubscription(subscriptionTable.read(row));

/** Removes the internal fields. */
export function toPublicSubscription({
  businessId: _business,
  collectionId,
  key: _key,
  market: _market,
  paymentId: _payment,
  nextPlanId: _next,
  recurringId: _recurring,
  checkAt: _check,
  creatorHash: _creator,
  ...subscription
}: StoredNewsletterSubscription): NewsletterSubscription {
  return { ...subscription, entity: `collection:${collectionId}` };
}

export const newsletterRecipientStatuses = ['WAITING', 'SENT', 'FAILED', 'SKIPPED'] as const;
export type NewsletterRecipientStatus = (typeof newsletterRecipientStatuses)[number];

export const newsletterSendStatuses = ['SCHEDULED', 'SENDING', 'SENT'] as const;
export type NewsletterSendStatus = (typeof newsletterSendStatuses)[number];

export interface NewsletterSend {
  id: string;
  status: NewsletterSendStatus;
  scheduledAt: number;
  recipients: number;
  sent: number;
  failed: number;
}

/** Mail shared by all recipients, with placeholders for personal values. */
export interface NewsletterMailContent {
  subject: string;
  html: string;
  text: string;
}

/** A stored send. Its counts are written at the start and at the end of the send. */
export interface StoredNewsletterSend extends NewsletterSend {
  businessId: string;
  collectionId: string;
  entryId: string;
  /** Undefined until the send starts. */
  content?: NewsletterMailContent | undefined;
  createdAt: number;
  /** Time at which the recipient list was complete, in seconds. */
  startedAt?: number | undefined;
  finishedAt?: number | undefined;
}

export const newsletterSendTable = defineTable<StoredNewsletterSend, NewsletterSendModel>(
  'newsletter_sends',
  'n',
  {
    id: 'fixed',
    businessId: 'fixed',
    collectionId: 'fixed',
    entryId: 'fixed',
    status: 'column',
    scheduledAt: 'fixed',
    content: 'json',
    recipients: 'column',
    sent: 'column',
    failed: 'column',
    createdAt: 'fixed',
    startedAt: 'column',
    finishedAt: 'column',
    turnAt: 'apart',
    pausedUntil: 'apart',
  },
);
