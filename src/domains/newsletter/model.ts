/** Subscriptions and sends as callers see them, and how they are read from their rows. */
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

export interface SubscriptionRow {
  id: string;
  collection_id: string;
  email: string;
  name: string;
  plan_id: string | null;
  status: SubscriptionStatus;
  created_at: number;
  updated_at: number;
}

export const subscriptionColumns =
  's.id, s.collection_id, s.email, s.name, s.plan_id, s.status, s.created_at, s.updated_at';

export const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  entity: `collection:${row.collection_id}`,
  email: row.email,
  name: row.name,
  planId: row.plan_id ?? undefined,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

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
