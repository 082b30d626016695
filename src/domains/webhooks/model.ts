/** Endpoints and deliveries as callers see them, and how they are read from their rows. */
import { maskSecret } from './rules.ts';

export const endpointStatuses = ['ACTIVE', 'DISABLED'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

export const disabledReasons = ['MANUAL', 'GONE', 'FAILING'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export interface WebhookEndpoint {
  id: string;
  businessId: string;
  url: string;
  description: string;
  events: string[];
  /** Masked, but for the one answer that hands it over. */
  secret: string;
  status: EndpointStatus;
  disabledReason?: DisabledReason | undefined;
  failingSince?: number | undefined;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export interface EndpointRow {
  id: string;
  business_id: string;
  url: string;
  description: string;
  events: string[];
  secret: string;
  status: EndpointStatus;
  disabled_reason: DisabledReason | null;
  failing_since: number | null;
  version: number;
  created_at: number;
  updated_at: number;
}

export const endpointColumns = `w.id, w.business_id, w.url, w.description, w.events, w.secret, w.status, w.disabled_reason,
  w.failing_since, w.version, w.created_at, w.updated_at`;

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  businessId: row.business_id,
  url: row.url,
  description: row.description,
  events: row.events,
  secret: maskSecret(row.secret),
  status: row.status,
  disabledReason: row.disabled_reason ?? undefined,
  failingSince: row.failing_since ?? undefined,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** For who has just made the secret. */
export const withSecret = (row: EndpointRow): WebhookEndpoint => ({
  ...toEndpoint(row),
  secret: row.secret,
});

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

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
