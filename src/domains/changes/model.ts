/** Audit log entries: public shape and table. Database triggers write them (`enable_audit_log` in prisma/migrations); the gateway only reads them. */
import { defineTable } from '../../db/index.ts';
import type { ChangeModel } from '../../generated/prisma/models.ts';

export const changeKinds = [
  'BUSINESS',
  'MARKET',
  'SHIPPING_METHOD',
  'PROMO_CODE',
  'ROLE',
  'MEMBERSHIP',
  'CUSTOMER_GROUP',
  'CUSTOMER_GROUP_MEMBER',
  'PRODUCT',
  'VARIANT',
  'MEDIA_FILE',
  'ORDER',
  'COLLECTION',
  'ENTRY',
  'SUBSCRIPTION',
  'NEWSLETTER_SEND',
  'WEBHOOK_ENDPOINT',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeActions = ['CREATE', 'UPDATE', 'DELETE'] as const;
export const changeActors = ['USER', 'API_KEY', 'ANONYMOUS', 'SYSTEM'] as const;
export const changeProtocols = ['REST', 'GRAPHQL', 'JOB'] as const;

type Fields = Readonly<Record<string, unknown>>;

export interface Change {
  id: string;
  businessId: string;
  kind: ChangeKind;
  recordId: string;
  action: (typeof changeActions)[number];
  actor: (typeof changeActors)[number];
  userId?: string | undefined;
  /** Current name of the user; undefined once the account is deleted. */
  userName?: string | undefined;
  keyId?: string | undefined;
  keyName?: string | undefined;
  requestId?: string | undefined;
  voice: (typeof changeProtocols)[number];
  before?: Fields | undefined;
  after?: Fields | undefined;
  createdAt: number;
}

export const changeTable = defineTable<Omit<Change, 'userName' | 'keyName'>, ChangeModel>('changes', 'c', {
  id: 'fixed',
  businessId: 'fixed',
  kind: 'fixed',
  recordId: 'fixed',
  action: 'fixed',
  actor: 'fixed',
  userId: 'fixed',
  keyId: 'fixed',
  requestId: 'fixed',
  voice: 'fixed',
  before: 'json',
  after: 'json',
  createdAt: 'fixed',
});

/** Renames columns to the field names of the API. */
export const toApiFields = (fields: Fields | undefined): Fields | undefined =>
  fields && Object.fromEntries(Object.entries(fields).map(([column, value]) => [toApiName(column), value]));

const toApiName = (column: string): string =>
  column === 'payment_statuses'
    ? 'paymentStatus'
    : column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
