/** A change of a record as callers see it. Triggers write them (`keep_history` in prisma/migrations): here they are only read. */

export const changeKinds = [
  'BUSINESS',
  'MARKET',
  'SHIPPING_METHOD',
  'PROMO_CODE',
  'ROLE',
  'MEMBERSHIP',
  'PRODUCT',
  'VARIANT',
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
export const changeVoices = ['REST', 'GRAPHQL', 'JOB'] as const;

type Fields = Readonly<Record<string, unknown>>;

export interface Change {
  id: string;
  businessId: string;
  kind: ChangeKind;
  recordId: string;
  action: (typeof changeActions)[number];
  actor: (typeof changeActors)[number];
  userId: string | null;
  /** As it is now: who deletes their account takes the name along. */
  userName: string | null;
  keyId: string | null;
  keyName: string | null;
  requestId: string | null;
  voice: (typeof changeVoices)[number];
  before: Fields | null;
  after: Fields | null;
  createdAt: number;
}

export type ChangeRow = Omit<Change, 'userName' | 'keyName'>;

export const changeColumns = `c.id, c.business_id as "businessId", c.kind, c.record_id as "recordId", c.action, c.actor,
  c.user_id as "userId", c.key_id as "keyId", c.request_id as "requestId", c.voice, c.before, c.after, c.created_at as "createdAt"`;
export const changeTable = 'changes c';

/** Columns by the names their fields have on the wire. */
export const wireFields = (fields: Fields | null): Fields | null =>
  fields && Object.fromEntries(Object.entries(fields).map(([column, value]) => [wireName(column), value]));

const wireName = (column: string): string =>
  column === 'payment_statuses'
    ? 'paymentStatus'
    : column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
