/** Request log: record, table, and the limits of what is stored. */
import { defineTable } from '../../db/index.ts';
import type { RequestLogEntryModel } from '../../generated/prisma/models.ts';

export const loggedProtocols = ['REST', 'GRAPHQL'] as const;
export const loggedCallerKinds = ['API_KEY', 'USER', 'GUEST', 'ANONYMOUS'] as const;

/** Path of a field, a stable code and a message. */
export interface LoggedErrorDetail {
  field: string;
  error: string;
  message: string;
}

/** A row of the log. */
export interface StoredRequest {
  id: string;
  businessId: string;
  requestId: string;
  protocol: (typeof loggedProtocols)[number];
  method: string;
  operation: string;
  path: string;
  isWrite: boolean;
  status: number;
  code?: string | undefined;
  message?: string | undefined;
  details?: readonly LoggedErrorDetail[] | undefined;
  durationMs: number;
  caller: (typeof loggedCallerKinds)[number];
  userId?: string | undefined;
  keyId?: string | undefined;
  clientName?: string | undefined;
  apiVersion?: string | undefined;
  isMember: boolean;
  body?: unknown;
  createdAt: number;
}

export interface LoggedRequest extends Omit<StoredRequest, 'isMember'> {
  keyName?: string | undefined;
  userName?: string | undefined;
  advice?: string | undefined;
}

export const requestLogTable = defineTable<StoredRequest, RequestLogEntryModel>('request_log', 'l', {
  id: 'fixed',
  businessId: 'fixed',
  requestId: 'fixed',
  protocol: 'fixed',
  method: 'fixed',
  operation: 'fixed',
  path: 'fixed',
  isWrite: 'fixed',
  status: 'fixed',
  code: 'fixed',
  message: 'fixed',
  details: 'json',
  durationMs: 'fixed',
  caller: 'fixed',
  userId: 'fixed',
  keyId: 'fixed',
  clientName: 'fixed',
  apiVersion: 'fixed',
  isMember: 'fixed',
  body: 'json',
  createdAt: 'fixed',
});

/** Rows per business after a run of the retention job, for members and for other callers each. */
export const maxLoggedRequestsPerBusiness = 10_000;

/** Recording of bodies ends by itself after this time. */
export const bodyRecordingDurationSeconds = 86_400;
