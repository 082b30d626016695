/** Subscriptions and sends as callers see them, and their tables. */
import { defineTable, type Row } from '../../db/table.ts';
import type { SubscriptionModel } from '../../generated/prisma/models.ts';

export const subscriptionStatuses = ['PENDING', 'ACTIVE', 'CANCELLED', 'UNSUBSCRIBED'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export interface Subscription {
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
  // What keeps it active: payments.ts sees to it.
  paymentId: 'apart',
  createdAt: 'fixed',
  updatedAt: 'column',
});

export const subscriptionColumns = subscriptions.columns;

/** A row with the columns that its events are made of. */
export type SubscriptionRow = Row & {
  readonly collection_id: string;
  readonly plan_id: string | null;
  readonly status: SubscriptionStatus;
};

export function toSubscription(row: Row): Subscription {
  const {
    businessId: _business,
    collectionId,
    key: _key,
    market: _market,
    ...subscription
  } = subscriptions.read(row);
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
