/** Audit log entries: public shape and table. Database triggers write them (`enable_audit_log` in prisma/migrations); the gateway only reads them. */
import { defineTable } from '../../db/index.ts';
import type { ChangeModel } from '../../generated/prisma/models.ts';

export const auditedRecordKinds = [
  'BUSINESS',
  'MARKET',
  'SHIPPING_METHOD',
  'PROMO_CODE',
  'ROLE',
  'MEMBERSHIP',
  'INVITATION',
  'BRANDING',
  'MAIL_TEMPLATE',
  'CUSTOMER_GROUP',
  'CUSTOMER_GROUP_MEMBER',
  'CATEGORY',
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
type AuditedRecordKind = (typeof auditedRecordKinds)[number];

export const auditActions = ['CREATE', 'UPDATE', 'DELETE'] as const;
export const auditActorKinds = ['USER', 'API_KEY', 'ANONYMOUS', 'SYSTEM'] as const;
export const auditProtocols = ['REST', 'GRAPHQL', 'JOB'] as const;

type Fields = Readonly<Record<string, unknown>>;

export interface AuditLogEntry {
  id: string;
  businessId: string;
  kind: AuditedRecordKind;
  recordId: string;
  action: (typeof auditActions)[number];
  actor: (typeof auditActorKinds)[number];
  userId?: string | undefined;
  /** Current name of the user; undefined once the account is deleted. */
  userName?: string | undefined;
  keyId?: string | undefined;
  keyName?: string | undefined;
  requestId?: string | undefined;
  voice: (typeof auditProtocols)[number];
  before?: Fields | undefined;
  after?: Fields | undefined;
  createdAt: number;
}

export const auditLogTable = defineTable<Omit<AuditLogEntry, 'userName' | 'keyName'>, ChangeModel>(
  'changes',
  'c',
  {
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
  },
);

/** Renames columns to the field names of the API. */
export const renameColumnsToApiFields = (fields: Fields | undefined): Fields | undefined =>
  fields && Object.fromEntries(Object.entries(fields).map(([column, value]) => [toApiName(column), value]));

const toApiName = (column: string): string =>
  column === 'payment_statuses'
    ? 'paymentStatus'
    : column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
