/** Webhook endpoints, deliveries and events: shapes and tables. */
import type { Context } from '../../context.ts';
import { defineTable, type UntypedRow } from '../../db/index.ts';
import type { WebhookEndpoint as StoredEndpoint } from '../../generated/prisma/client.ts';
import {
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookEndpointStatus,
} from '../../generated/prisma/enums.ts';
import type { WebhookDeliveryModel, WebhookEventModel } from '../../generated/prisma/models.ts';
import { decryptWebhookSecret } from './encrypt-webhook-secrets.ts';
import { maskWebhookSecret } from './url-signature-and-retry-rules.ts';

export const webhookEndpointStatuses = Object.values(WebhookEndpointStatus);
export const webhookEndpointDisabledReasons = Object.values(WebhookDisabledReason);
export type WebhookEndpointDisabledReason = WebhookDisabledReason;

/** Its secret is masked, except in the response that creates or rotates it. */
export type WebhookEndpoint = StoredEndpoint;

/** Returns the endpoint with its secret in plain text. */
export const decryptSecretOfWebhookEndpoint = (
  ctx: Pick<Context, 'keys'>,
  endpoint: StoredEndpoint,
): WebhookEndpoint => ({ ...endpoint, secret: decryptWebhookSecret(ctx, endpoint.secret) });

export const maskSecretOfWebhookEndpoint = (
  ctx: Pick<Context, 'keys'>,
  endpoint: StoredEndpoint,
): WebhookEndpoint => ({
  ...endpoint,
  secret: maskWebhookSecret(decryptWebhookSecret(ctx, endpoint.secret)),
});

export const webhookDeliveryStatuses = Object.values(WebhookDeliveryStatus);
export type { WebhookDeliveryStatus };

/** A stored delivery. */
interface StoredDelivery {
  id: string;
  businessId: string;
  endpointId: string;
  eventId: string;
  status: WebhookDeliveryStatus;
  attempts: number;
  /** Attempts before the last replay. */
  attemptsBefore: number;
  nextAttemptAt: number;
  lastAttemptAt?: number | undefined;
  lastStatusCode?: number | undefined;
  lastError?: string | undefined;
  lastResponse?: string | undefined;
  lastDurationMs?: number | undefined;
  deliveredAt?: number | undefined;
  createdAt: number;
}

interface StoredEvent {
  id: string;
  businessId: string;
  type: string;
  data: unknown;
  createdAt: number;
}

/** A delivery with its event, as returned to clients. */
export interface WebhookDelivery
  extends Omit<StoredDelivery, 'businessId' | 'attemptsBefore' | 'nextAttemptAt'>,
    Pick<StoredEvent, 'type' | 'data'> {
  /** Set while PENDING, in seconds. */
  nextAttemptAt?: number | undefined;
}

const webhookDeliveryTable = defineTable<StoredDelivery, WebhookDeliveryModel>('webhook_deliveries', 'd', {
  id: 'fixed',
  businessId: 'fixed',
  eventId: 'fixed',
  endpointId: 'fixed',
  status: 'column',
  attempts: 'column',
  attemptsBefore: 'column',
  nextAttemptAt: 'column',
  lastAttemptAt: 'column',
  lastStatusCode: 'column',
  lastError: 'column',
  lastResponse: 'column',
  lastDurationMs: 'column',
  deliveredAt: 'column',
  createdAt: 'fixed',
});

// Not written by `insert` of this table: `data` is `json`, which preserves the key order, and `insert` would cast it to `jsonb`.
const webhookEventTable = defineTable<StoredEvent, WebhookEventModel>('webhook_events', 'e', {
  id: 'fixed',
  businessId: 'fixed',
  type: 'fixed',
  data: 'json',
  createdAt: 'fixed',
});

const eventColumns = webhookEventTable.selectFields('type', 'data');

/** Columns of `webhookDeliveryTablesSql`, joined by `webhookDeliveryEventJoinSql`. */
export const webhookDeliveryColumnsSql = `${webhookDeliveryTable.columns}, ${eventColumns.columns}`;
export const webhookDeliveryTablesSql = `${webhookEventTable.from}, ${webhookDeliveryTable.from}`;
export const webhookDeliveryEventJoinSql = 'e.id = d.event_id';

export function toWebhookDelivery(row: UntypedRow): WebhookDelivery {
  const {
    businessId: _business,
    attemptsBefore: _before,
    nextAttemptAt,
    ...delivery
  } = webhookDeliveryTable.read(row);
  const isPending = delivery.status === 'PENDING';
  return { ...delivery, ...eventColumns.read(row), nextAttemptAt: isPending ? nextAttemptAt : undefined };
}
