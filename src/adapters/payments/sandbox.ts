/** A payment provider inside the gateway: its sessions are rows, its page is ours, its events are signed like any other. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createBatcher } from '../../db/batching/tick-batching.ts';
import type { Db, Queries } from '../../db/handles.ts';
import { now } from '../../lib/time.ts';
import {
  type PaymentEvent,
  PaymentRejectedError,
  type PaymentSessionRequest,
  type PaymentSessionState,
  type Payments,
  paymentEventSchema,
} from '../../ports/payments.ts';
import {
  applySandboxRecurringAction,
  billDueSandboxRecurring,
  endSandboxRecurring,
  findSandboxRecurring,
  firstSandboxBill,
  loadSandboxRecurringEvents,
  newSandboxSessionId,
  type SandboxRecurring,
  type SandboxRecurringAction,
  sandboxPaymentId,
  setSandboxCancelAtPeriodEnd,
  startSandboxRecurring,
} from './sandbox-recurring.ts';
import {
  failedSandboxRefund,
  refundSandboxPayment,
  type SandboxRefunds,
  sandboxChargebackSql,
  sandboxRefundedAmount,
} from './sandbox-refunds.ts';

export type SandboxState = 'OPEN' | 'PROCESSING' | 'PAID' | 'FAILED' | 'EXPIRED';

/** What a customer, their bank or time can do to a page. */
export const sandboxActions = ['pay', 'decline', 'transfer', 'settle', 'fail', 'dispute', 'lose'] as const;
export type SandboxAction = (typeof sandboxActions)[number];

export interface SandboxSession {
  id: string;
  request: PaymentSessionRequest;
  state: SandboxState;
  declines: number;
  refunds: SandboxRefunds;
}

export interface SignedPaymentEvent {
  body: Buffer;
  header(name: string): string | undefined;
}

export interface SandboxPayments extends Payments {
  readonly provider: 'sandbox';
  find(id: string): Promise<SandboxSession | undefined>;
  /** What a page began that is paid again and again. */
  findRecurring(sessionId: string): Promise<SandboxRecurring | undefined>;
  /** The same as `act`, for what is paid again and again. */
  applyRecurringAction(sessionId: string, action: SandboxRecurringAction): Promise<PaymentEvent | undefined>;
  /** What happened to a page; the event is queued in the same transaction. Undefined when it cannot happen now. */
  applyAction(id: string, action: SandboxAction): Promise<PaymentEvent | undefined>;
  /** Lets a refund fail that was made before. */
  failRefund(id: string, key: string): Promise<PaymentEvent | undefined>;
  sign(event: PaymentEvent, at?: number): SignedPaymentEvent;
}

const signatureHeader = 'sandbox-signature';
const toleranceSeconds = 300;

export interface SandboxOptions {
  db: Db;
  /** Has an event handled even if the one who made it dies: called in the transaction that causes it. */
  enqueueEvent(tx: Queries, event: PaymentEvent): Promise<void>;
  secret: Uint8Array;
  publicUrl: string;
}

export function createSandboxPayments({
  db,
  enqueueEvent: announce,
  secret,
  publicUrl,
}: SandboxOptions): SandboxPayments {
  const key = createHmac('sha256', secret).update('sandbox payment events').digest();
  const find = finder(db);
  const mac = (time: string, body: Buffer) =>
    createHmac('sha256', key).update(`${time}.`).update(body).digest();

  return {
    provider: 'sandbox',
    async createSession(request) {
      const [row] = await db.sql<{ id: string }>(
        `insert into sandbox_payments (id, reference, request, expires_at, created_at) values ($1, $2, $3::jsonb, $4, $5)
         on conflict (reference) do update set reference = excluded.reference returning id`,
        [newSandboxSessionId(), request.reference, JSON.stringify(request), request.expiresAt, now()],
      );
      if (!row) throw new Error('The session was not stored.');
      return { id: row.id, url: `${publicUrl}/sandbox/pay/${row.id}` };
    },
    async expireSession({ reference }) {
      await db.sql(`update sandbox_payments set state = 'EXPIRED' where reference = $1 and state = 'OPEN'`, [
        reference,
      ]);
    },
    async findSession(id) {
      const session = await find(id);
      if (!session) return undefined;
      const recurring = session.request.interval && (await findSandboxRecurring(db, id));
      return { ...foundSession(session), ...(recurring ? { recurring: firstSandboxBill(recurring) } : {}) };
    },
    refund: (request) => db.transaction((tx) => refundSandboxPayment(tx, request)),
    async findRefund(id) {
      const key = id.replace(/^re_/, '');
      const [row] = await db.sql<{ has_failed: boolean }>(
        `select refunds ? ('failed:' || $1) as has_failed from sandbox_payments where refunds ?| array[$1, 'failed:' || $1]`,
        [key],
      );
      if (!row) throw new PaymentRejectedError('There is no such refund.');
      return row.has_failed ? failedSandboxRefund(key) : { id, status: 'succeeded' };
    },
    async findPayment(id) {
      const session = await find(id.replace(/^pay_/, ''));
      if (session?.state !== 'PAID') return undefined;
      return { captured: session.request.amount, refunded: sandboxRefundedAmount(session.refunds) };
    },
    async readEvent(body, header) {
      const [, time = '', given = ''] =
        /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header(signatureHeader) ?? '') ?? [];
      const expected = mac(time, body);
      const genuine = given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), expected);
      return genuine && Math.abs(now() - Number(time)) <= toleranceSeconds
        ? paymentEventSchema.parse(JSON.parse(body.toString()))
        : undefined;
    },
    askRecurring: (id) => loadSandboxRecurringEvents(db, id),
    setCancelAtPeriodEnd: (id, cancel) => setSandboxCancelAtPeriodEnd(db, id, cancel),
    endRecurring: (id) => endSandboxRecurring(db, id),
    billDue: () => billDueSandboxRecurring(db, announce),
    find,
    findRecurring: (sessionId) => findSandboxRecurring(db, sessionId),
    applyRecurringAction: (sessionId, action) => applySandboxRecurringAction(db, announce, sessionId, action),
    applyAction: (id, action) =>
      db.transaction(async (tx) => {
        const { from, change, only = 'true' } = moves[action];
        const [row] = await tx.sql<Pick<SandboxSession, 'request' | 'declines' | 'refunds'>>(
          `update sandbox_payments set ${change} where id = $1 and state = '${from}' and ${only} and (state <> 'OPEN' or expires_at > $2)
           returning request, declines, refunds`,
          [id, now()],
        );
        if (!row) return undefined;
        const told = eventOf(id, action, row);
        const recurring = told.type === 'paid' ? await startSandboxRecurring(tx, id, row.request) : undefined;
        const event = recurring ? { ...told, recurring } : told;
        await announce(tx, event);
        return event;
      }),
    failRefund: (id, key) =>
      db.transaction(async (tx) => {
        const [row] = await tx.sql<{ request: PaymentSessionRequest; amount: number }>(
          `update sandbox_payments s set refunds = (s.refunds - $2) || jsonb_build_object('failed:' || $2, s.refunds->$2)
           where s.id = $1 and s.refunds - 'dispute' ? $2 returning s.request, (s.refunds->>('failed:' || $2))::bigint as amount`,
          [id, key],
        );
        if (!row) return undefined;
        const event: PaymentEvent = {
          id: `evt_${id}_${key}_failed`,
          type: 'refund',
          paymentId: sandboxPaymentId(id),
          amount: row.amount,
          currency: row.request.currency,
          refund: { ...failedSandboxRefund(key), key },
        };
        await announce(tx, event);
        return event;
      }),
    sign(event, at = now()) {
      const body = Buffer.from(JSON.stringify(event));
      const signature = `t=${at},v1=${mac(String(at), body).toString('hex')}`;
      return { body, header: (name) => (name === signatureHeader ? signature : undefined) };
    },
  };
}

/** What is asked about at once is read at once. */
const finder = (db: Db) =>
  createBatcher<string, SandboxSession | undefined>(async (ids) => {
    const rows = await db.sql<SandboxSession>(
      `select id, request, case when state = 'OPEN' and expires_at <= $2 then 'EXPIRED' else state::text end as state, declines, refunds
       from sandbox_payments where id = any($1::text[])`,
      [ids, now()],
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  });

function foundSession({ id, state, request: { amount, currency } }: SandboxSession): PaymentSessionState {
  const facts = { paymentId: sandboxPaymentId(id), amount, currency };
  return state === 'PAID' ? { state: 'paid', ...facts } : { state: foundStates[state] };
}

const foundStates = {
  OPEN: 'open',
  PROCESSING: 'processing',
  FAILED: 'failed',
  EXPIRED: 'expired',
} as const satisfies Partial<Record<SandboxState, PaymentSessionState['state']>>;

const moves: Readonly<Record<SandboxAction, { from: SandboxState; change: string; only?: string }>> = {
  pay: { from: 'OPEN', change: `state = 'PAID'` },
  decline: { from: 'OPEN', change: 'declines = declines + 1' },
  transfer: { from: 'OPEN', change: `state = 'PROCESSING'` },
  settle: { from: 'PROCESSING', change: `state = 'PAID'` },
  fail: { from: 'PROCESSING', change: `state = 'FAILED'` },
  dispute: { from: 'PAID', change: 'declines = declines' },
  lose: { from: 'PAID', change: `refunds = ${sandboxChargebackSql}`, only: `not refunds ? 'dispute'` },
};

const eventTypes = {
  pay: 'paid',
  decline: 'failed',
  transfer: 'processing',
  settle: 'paid',
  fail: 'failed',
  dispute: 'disputed',
  lose: 'refunded',
} as const satisfies Record<SandboxAction, PaymentEvent['type']>;

function eventOf(
  sessionId: string,
  action: SandboxAction,
  { request, declines, refunds }: Pick<SandboxSession, 'request' | 'declines' | 'refunds'>,
): PaymentEvent {
  const { reference, amount, currency } = request;
  const type = eventTypes[action];
  return {
    id: action === 'decline' ? `evt_${sessionId}_declined_${declines}` : `evt_${sessionId}_${type}`,
    type,
    reference,
    sessionId,
    paymentId: type === 'failed' || type === 'processing' ? undefined : sandboxPaymentId(sessionId),
    amount: type === 'refunded' ? sandboxRefundedAmount(refunds) : amount,
    currency,
    ...(action === 'fail' ? { isFinal: true } : {}),
  };
}
