/** Subscriptions and sends as callers see them, and their tables. */
import { defineTable, type TableRow } from '../../db/records/table.ts';
import type { NewsletterSendModel, SubscriptionModel } from '../../generated/prisma/models.ts';

export const subscriptionStatuses = [
  'PENDING',
  'PENDING_CONFIRMATION',
  'ACTIVE',
  'CANCELLED',
  'UNSUBSCRIBED',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** PAST_DUE: a bill was not paid, and the time of grace runs. */
export const renewalStates = ['ACTIVE', 'PAST_DUE', 'ENDED'] as const;
export type RenewalState = (typeof renewalStates)[number];

/** How something that renews stands; absent for plans that do not renew. */
export interface RenewalInfo {
  renewalState?: RenewalState | undefined;
  currentPeriodStart?: number | undefined;
  currentPeriodEnd?: number | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
  graceUntil?: number | undefined;
}

export interface Subscription extends RenewalInfo {
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

/** A subscription as it is stored. */
export interface StoredSubscription extends Omit<Subscription, 'entity'> {
  businessId: string;
  collectionId: string;
  /** The email as it is compared. */
  key: string;
  market?: string | undefined;
  /** The payment that keeps it active. */
  paymentId?: string | undefined;
  /** The plan that takes the place of the other one when it is paid. */
  nextPlanId?: string | undefined;
  /** What the provider renews it by. */
  recurringId?: string | undefined;
  /** When the provider is asked about it, should it have told nothing by then. */
  checkAt?: number | undefined;
}

export const subscriptions = defineTable<StoredSubscription, SubscriptionModel>('subscriptions', 's', {
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
  createdAt: 'fixed',
  updatedAt: 'column',
});

export const toSubscription = (row: TableRow): Subscription => toPublicSubscription(subscriptions.read(row));

/** What callers see of it. */
export function toPublicSubscription({
  businessId: _business,
  collectionId,
  key: _key,
  market: _market,
  paymentId: _payment,
  nextPlanId: _next,
  recurringId: _recurring,
  checkAt: _check,
  ...subscription
}: StoredSubscription): Subscription {
  return { ...subscription, entity: `collection:${collectionId}` };
}

export const recipientStatuses = ['WAITING', 'SENT', 'FAILED', 'SKIPPED'] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];

export const sendStatuses = ['SCHEDULED', 'SENDING', 'SENT'] as const;
export type SendStatus = (typeof sendStatuses)[number];

export interface NewsletterSend {
  id: string;
  status: SendStatus;
  scheduledAt: number;
  recipients: number;
  sent: number;
  failed: number;
}

/** What every recipient gets, with placeholders for what differs between them. */
export interface MailContent {
  subject: string;
  html: string;
  text: string;
}

/** A send as it is stored. Its numbers are written when it begins and when it is over. */
export interface StoredSend extends NewsletterSend {
  businessId: string;
  collectionId: string;
  entryId: string;
  /** Absent until it begins. */
  content?: MailContent | undefined;
  createdAt: number;
  /** Since when the list of recipients is complete. */
  startedAt?: number | undefined;
  finishedAt?: number | undefined;
}

export const newsletterSends = defineTable<StoredSend, NewsletterSendModel>('newsletter_sends', 'n', {
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
});
