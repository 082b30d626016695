/** Sandbox payment provider inside the gateway: sessions are database rows, the payment page is served by the gateway, events are signed webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createBatcher } from '../../db/batching/index.ts';
import type { Db, QueryHandle } from '../../db/handles.ts';
import { now } from '../../lib/time.ts';
import {
  type PaymentEvent,
  type PaymentProvider,
  PaymentRejectedError,
  type PaymentSession,
  type PaymentSessionRequest,
  type PaymentSessionSqlBuilder,
  paymentEventSchema,
} from '../../ports/payments.ts';
import { buildFailedSandboxRefund, refundSandboxPayment, sumSandboxRefunds } from './sandbox-refunds.ts';
import {
  applySandboxSubscriptionAction,
  buildSandboxPaymentIdOfSession,
  createSandboxPaymentSessionId,
  endSandboxSubscription,
  findSandboxSubscription,
  loadSandboxSubscriptionEvents,
  renewDueSandboxSubscriptions,
  type SandboxSubscriptionAction,
  type SandboxSubscriptionRow,
  setSandboxCancelAtPeriodEnd,
  startSandboxSubscription,
  toProviderSubscriptionWithFirstInvoice,
} from './sandbox-subscriptions.ts';
import {
  buildCurrentSandboxStateExpressionSql,
  buildSandboxPaymentEvent,
  listedStateBySandboxState,
  type SandboxPaymentAction,
  type SandboxPaymentSession,
  sandboxPaymentTransitions,
  toSandboxSessionState,
} from './sandbox-transitions.ts';

interface SignedPaymentEvent {
  body: Buffer;
  header(name: string): string | undefined;
}

export interface SandboxPaymentProvider extends PaymentProvider {
  readonly provider: 'sandbox';
  storedSessions?: PaymentSessionSqlBuilder | undefined;
  find(id: string): Promise<SandboxPaymentSession | undefined>;
  /** The recurring payment that a session has started. */
  findRecurring(sessionId: string): Promise<SandboxSubscriptionRow | undefined>;
  /** Like `applyAction`, for recurring payments. */
  applyRecurringAction(
    sessionId: string,
    action: SandboxSubscriptionAction,
  ): Promise<PaymentEvent | undefined>;
  /** Applies an action to a session and enqueues its event in the same transaction. Undefined when the state does not allow the action. */
  applyAction(id: string, action: SandboxPaymentAction): Promise<PaymentEvent | undefined>;
  /** Marks an earlier refund as failed. */
  failRefund(id: string, key: string): Promise<PaymentEvent | undefined>;
  sign(event: PaymentEvent, at?: number): SignedPaymentEvent;
}

const signatureHeader = 'sandbox-signature';
const toleranceSeconds = 300;

export interface SandboxPaymentProviderOptions {
  db: Db;
  /** Enqueues the event in the transaction that causes it, so that it is processed even if the process dies. */
  enqueueEvent(tx: QueryHandle, event: PaymentEvent): Promise<void>;
  secret: Uint8Array;
  publicUrl: string;
}

const buildInsertSessionSql: PaymentSessionSqlBuilder['insertSql'] = (
  { id, request, createdAt },
  from = '',
) =>
  `insert into sandbox_payments (id, reference, request, expires_at, created_at)
   select id, request->>'reference', request, (request->>'expiresAt')::bigint, created_at
   from (select ${id}::text as id, ${request} as request, ${createdAt}::bigint as created_at ${from}) session`;

const createSessionStatement = `${buildInsertSessionSql({ id: '$1', request: '$2::jsonb', createdAt: '$3' })}
  on conflict (reference) do update set reference = excluded.reference returning id`;

export function createSandboxPaymentProvider({
  db,
  enqueueEvent,
  secret,
  publicUrl,
}: SandboxPaymentProviderOptions): SandboxPaymentProvider {
  const key = createHmac('sha256', secret).update('sandbox payment events').digest();
  const find = createSessionLoader(db);
  const mac = (time: string, body: Buffer) =>
    createHmac('sha256', key).update(`${time}.`).update(body).digest();

  const toSession = (id: string): PaymentSession => ({ id, url: `${publicUrl}/sandbox/pay/${id}` });

  return {
    provider: 'sandbox',
    storedSessions: {
      build: () => toSession(createSandboxPaymentSessionId()),
      insertSql: buildInsertSessionSql,
    },
    async createSession(request) {
      const [row] = await db.write<{ id: string }>(createSessionStatement, [
        createSandboxPaymentSessionId(),
        JSON.stringify(request),
        now(),
      ]);
      if (!row) throw new Error('The payment session was not stored.');
      return toSession(row.id);
    },
    async expireSession({ reference }) {
      await db.write(
        `update sandbox_payments set state = 'EXPIRED' where reference = $1 and state = 'OPEN'`,
        [reference],
      );
    },
    async findSession(id) {
      const session = await find(id);
      if (!session) return undefined;
      const recurring = session.request.interval && (await findSandboxSubscription(db, id));
      return {
        ...toSandboxSessionState(session),
        ...(recurring ? { recurring: toProviderSubscriptionWithFirstInvoice(recurring) } : {}),
      };
    },
    async listSessions({ createdFrom, createdTo, isComplete = false }) {
      // Bills of later periods have no page; their references end with `#` and a number.
      const rows = await db.sql<Pick<SandboxPaymentSession, 'id' | 'state'> & { reference: string }>(
        `select id, reference, ${buildCurrentSandboxStateExpressionSql('$3')} as state from sandbox_payments
         where created_at between $1 and $2 and reference not like '%#%' order by created_at desc`,
        [createdFrom, createdTo, now()],
      );
      return rows
        .map(({ id, reference, state }) => ({
          id,
          reference,
          url: state === 'OPEN' ? `${publicUrl}/sandbox/pay/${id}` : undefined,
          state: listedStateBySandboxState[state],
        }))
        .filter(({ state }) => !isComplete || state === 'complete');
    },
    refund: (request) => db.transaction((tx) => refundSandboxPayment(tx, request)),
    async findRefund(id) {
      const key = id.replace(/^re_/, '');
      const [row] = await db.sql<{ has_failed: boolean }>(
        `select refunds ? ('failed:' || $1) as has_failed from sandbox_payments where refunds ?| array[$1, 'failed:' || $1]`,
        [key],
      );
      if (!row) throw new PaymentRejectedError('The refund does not exist.');
      return row.has_failed ? buildFailedSandboxRefund(key) : { id, status: 'succeeded' };
    },
    async findPayment(id) {
      const session = await find(id.replace(/^pay_/, ''));
      if (session?.state !== 'PAID') return undefined;
      return { captured: session.request.amount, refunded: sumSandboxRefunds(session.refunds) };
    },
    async readEvent(body, header) {
      const [, time = '', signature = ''] =
        /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header(signatureHeader) ?? '') ?? [];
      const expected = mac(time, body);
      const isGenuine = signature !== '' && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
      return isGenuine && Math.abs(now() - Number(time)) <= toleranceSeconds
        ? paymentEventSchema.parse(JSON.parse(body.toString()))
        : undefined;
    },
    listRecurringEvents: (id) => loadSandboxSubscriptionEvents(db, id),
    setCancelAtPeriodEnd: (id, cancel) => setSandboxCancelAtPeriodEnd(db, id, cancel),
    cancelRecurring: (id) => endSandboxSubscription(db, id),
    createDueInvoices: () => renewDueSandboxSubscriptions(db, enqueueEvent),
    find,
    findRecurring: (sessionId) => findSandboxSubscription(db, sessionId),
    applyRecurringAction: (sessionId, action) =>
      applySandboxSubscriptionAction(db, enqueueEvent, sessionId, action),
    applyAction: (id, action) =>
      db.transaction(async (tx) => {
        const { from, change, only = 'true' } = sandboxPaymentTransitions[action];
        const [row] = await tx.write<Pick<SandboxPaymentSession, 'request' | 'declines' | 'refunds'>>(
          `update sandbox_payments set ${change} where id = $1 and state = '${from}' and ${only} and (state <> 'OPEN' or expires_at > $2)
           returning request, declines, refunds`,
          [id, now()],
        );
        if (!row) return undefined;
        const paymentEvent = buildSandboxPaymentEvent(id, action, row);
        const recurring =
          paymentEvent.type === 'paid' ? await startSandboxSubscription(tx, id, row.request) : undefined;
        const event = recurring ? { ...paymentEvent, recurring } : paymentEvent;
        await enqueueEvent(tx, event);
        return event;
      }),
    failRefund: (id, key) =>
      db.transaction(async (tx) => {
        const [row] = await tx.write<{ request: PaymentSessionRequest; amount: number }>(
          `update sandbox_payments s set refunds = (s.refunds - $2) || jsonb_build_object('failed:' || $2, s.refunds->$2)
           where s.id = $1 and s.refunds - 'dispute' ? $2 returning s.request, (s.refunds->>('failed:' || $2))::bigint as amount`,
          [id, key],
        );
        if (!row) return undefined;
        const event: PaymentEvent = {
          id: `evt_${id}_${key}_failed`,
          type: 'refund',
          paymentId: buildSandboxPaymentIdOfSession(id),
          amount: row.amount,
          currency: row.request.currency,
          refund: { ...buildFailedSandboxRefund(key), key },
        };
        await enqueueEvent(tx, event);
        return event;
      }),
    sign(event, at = now()) {
      const body = Buffer.from(JSON.stringify(event));
      const signature = `t=${at},v1=${mac(String(at), body).toString('hex')}`;
      return { body, header: (name) => (name === signatureHeader ? signature : undefined) };
    },
  };
}

/** Batches the session lookups of one tick into one query. */
const createSessionLoader = (db: Db) =>
  createBatcher<string, SandboxPaymentSession | undefined>(db, async (ids) => {
    const rows = await db.sql<SandboxPaymentSession>(
      `select id, request, ${buildCurrentSandboxStateExpressionSql('$2')} as state, declines, refunds
       from sandbox_payments where id = any($1::text[])`,
      [ids, now()],
    );
    const sessionsById = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => sessionsById.get(id));
  });
