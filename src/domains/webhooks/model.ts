/** Endpoints and deliveries as callers see them, and how deliveries are read from their rows. */
import type { Context } from '../../context.ts';
import type { WebhookEndpoint as StoredEndpoint } from '../../generated/prisma/client.ts';
import {
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookEndpointStatus,
} from '../../generated/prisma/enums.ts';
import { maskSecret } from './rules.ts';
import { openedSecret } from './sealed.ts';

export const endpointStatuses = Object.values(WebhookEndpointStatus);
export const disabledReasons = Object.values(WebhookDisabledReason);
export type DisabledReason = WebhookDisabledReason;

/** Its secret is masked, but for the one answer that hands it over. */
export type WebhookEndpoint = StoredEndpoint;

/** With its secret in the open. */
export const opened = (ctx: Pick<Context, 'keys'>, endpoint: StoredEndpoint): WebhookEndpoint => ({
  ...endpoint,
  secret: openedSecret(ctx, endpoint.secret),
});

export const masked = (ctx: Pick<Context, 'keys'>, endpoint: StoredEndpoint): WebhookEndpoint => ({
  ...endpoint,
  secret: maskSecret(openedSecret(ctx, endpoint.secret)),
});

export const deliveryStatuses = Object.values(WebhookDeliveryStatus);
export type DeliveryStatus = WebhookDeliveryStatus;

export interface WebhookDelivery {
  id: string;
  endpointId: string;
  eventId: string;
  type: string;
  data: unknown;
  status: DeliveryStatus;
  attempts: number;
  lastAttemptAt: number | null;
  lastStatusCode: number | null;
  lastError: string | null;
  lastResponse: string | null;
  lastDurationMs: number | null;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  createdAt: number;
}

/** Of the tables in `deliveryTables`, joined by `isItsEvent`. */
export const deliveryColumns = `d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type, e.data, d.status, d.attempts,
  d.last_attempt_at as "lastAttemptAt", d.last_status_code as "lastStatusCode", d.last_error as "lastError",
  d.last_response as "lastResponse", d.last_duration_ms as "lastDurationMs",
  case when d.status = 'PENDING' then d.next_attempt_at end as "nextAttemptAt", d.delivered_at as "deliveredAt", d.created_at as "createdAt"`;
export const deliveryTables = 'webhook_events e, webhook_deliveries d';
export const isItsEvent = 'e.id = d.event_id';
