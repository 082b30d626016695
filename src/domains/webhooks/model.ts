/** Endpoints and deliveries as callers see them, and the tables of deliveries and their events. */
import type { Context } from '../../context.ts';
import { defineTable, type TableRow } from '../../db/records/table.ts';
import type { WebhookEndpoint as StoredEndpoint } from '../../generated/prisma/client.ts';
import {
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookEndpointStatus,
} from '../../generated/prisma/enums.ts';
import type { WebhookDeliveryModel, WebhookEventModel } from '../../generated/prisma/models.ts';
import { maskWebhookSecret } from './rules.ts';
import { decryptWebhookSecret } from './secret-encryption.ts';

export const endpointStatuses = Object.values(WebhookEndpointStatus);
export const disabledReasons = Object.values(WebhookDisabledReason);
export type DisabledReason = WebhookDisabledReason;

/** Its secret is masked, but for the one answer that hands it over. */
export type WebhookEndpoint = StoredEndpoint;

/** With its secret in the open. */
export const revealEndpointSecret = (
  ctx: Pick<Context, 'keys'>,
  endpoint: StoredEndpoint,
): WebhookEndpoint => ({
  ...endpoint,
  secret: decryptWebhookSecret(ctx, endpoint.secret),
});

export const maskEndpointSecret = (
  ctx: Pick<Context, 'keys'>,
  endpoint: StoredEndpoint,
): WebhookEndpoint => ({
  ...endpoint,
  secret: maskWebhookSecret(decryptWebhookSecret(ctx, endpoint.secret)),
});

export const deliveryStatuses = Object.values(WebhookDeliveryStatus);
export type DeliveryStatus = WebhookDeliveryStatus;

/** A delivery as it is stored. */
interface StoredDelivery {
  id: string;
  businessId: string;
  endpointId: string;
  eventId: string;
  status: DeliveryStatus;
  attempts: number;
  /** Of these, the ones before it was last replayed. */
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

/** With its event, as callers see it. */
export interface WebhookDelivery
  extends Omit<StoredDelivery, 'businessId' | 'attemptsBefore' | 'nextAttemptAt'>,
    Pick<StoredEvent, 'type' | 'data'> {
  /** While it waits for an attempt. */
  nextAttemptAt?: number | undefined;
}

export const webhookDeliveries = defineTable<StoredDelivery, WebhookDeliveryModel>(
  'webhook_deliveries',
  'd',
  {
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
  },
);

// Written by statements of their own: `data` is `json`, which keeps the order of keys, and `insert` would make `jsonb` of it.
export const webhookEventTable = defineTable<StoredEvent, WebhookEventModel>('webhook_events', 'e', {
  id: 'fixed',
  businessId: 'fixed',
  type: 'fixed',
  data: 'json',
  createdAt: 'fixed',
});

const told = webhookEventTable.selectFields('type', 'data');

/** Of the tables in `deliveryTables`, joined by `isItsEvent`. */
export const deliveryColumns = `${webhookDeliveries.columns}, ${told.columns}`;
export const deliveryTables = `${webhookEventTable.from}, ${webhookDeliveries.from}`;
export const deliveryEventJoin = 'e.id = d.event_id';

export function toWebhookDelivery(row: TableRow): WebhookDelivery {
  const {
    businessId: _business,
    attemptsBefore: _before,
    nextAttemptAt,
    ...delivery
  } = webhookDeliveries.read(row);
  const waits = delivery.status === 'PENDING';
  return { ...delivery, ...told.read(row), nextAttemptAt: waits ? nextAttemptAt : undefined };
}
