/** A payment provider inside the gateway: its sessions are rows, its page is ours, its events are signed like any other. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db, Queries } from '../../db/sql.ts';
import { now } from '../../lib/time.ts';
import {
  type PaymentEvent,
  PaymentRefused,
  type PaymentSessionRequest,
  type Payments,
  paymentEvent,
} from '../../ports/payments.ts';

export type SandboxState = 'OPEN' | 'PAID' | 'EXPIRED';

export interface SandboxSession {
  id: string;
  request: PaymentSessionRequest;
  state: SandboxState;
  declines: number;
}

export interface Signed {
  body: Buffer;
  header(name: string): string | undefined;
}

export interface SandboxPayments extends Payments {
  readonly provider: 'sandbox';
  find(id: string): Promise<SandboxSession | undefined>;
  /** What the customer did; the event is queued in the same transaction. Undefined when the session is not open. */
  act(id: string, action: 'pay' | 'decline'): Promise<PaymentEvent | undefined>;
  sign(event: PaymentEvent, at?: number): Signed;
}

const signatureHeader = 'sandbox-signature';
const toleranceSeconds = 300;

export interface SandboxOptions {
  db: Db;
  /** Has an event handled even if the one who made it dies: called in the transaction that causes it. */
  announce(tx: Queries, event: PaymentEvent): Promise<void>;
  secret: Uint8Array;
  publicUrl: string;
}

export function createSandboxPayments({ db, announce, secret, publicUrl }: SandboxOptions): SandboxPayments {
  const key = createHmac('sha256', secret).update('sandbox payment events').digest();
  const mac = (time: string, body: Buffer) =>
    createHmac('sha256', key).update(`${time}.`).update(body).digest();

  return {
    provider: 'sandbox',
    async createSession(request) {
      const [row] = await db.sql<{ id: string }>(
        `insert into sandbox_payments (id, reference, request, expires_at, created_at) values ($1, $2, $3::jsonb, $4, $5)
         on conflict (reference) do update set reference = excluded.reference returning id`,
        [newSessionId(), request.reference, JSON.stringify(request), request.expiresAt, now()],
      );
      if (!row) throw new Error('The session was not stored.');
      return { id: row.id, url: `${publicUrl}/sandbox/pay/${row.id}` };
    },
    async expireSession({ reference }) {
      await db.sql(`update sandbox_payments set state = 'EXPIRED' where reference = $1 and state = 'OPEN'`, [
        reference,
      ]);
    },
    refund: (request) => db.transaction((tx) => refund(tx, request)),
    async readEvent(body, header) {
      const [, time = '', given = ''] =
        /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header(signatureHeader) ?? '') ?? [];
      const expected = mac(time, body);
      const genuine = given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), expected);
      return genuine && Math.abs(now() - Number(time)) <= toleranceSeconds
        ? paymentEvent.parse(JSON.parse(body.toString()))
        : undefined;
    },
    async find(id) {
      const [row] = await db.sql<SandboxSession>(
        `select id, request, case when state = 'OPEN' and expires_at <= $2 then 'EXPIRED' else state::text end as state, declines
         from sandbox_payments where id = $1`,
        [id, now()],
      );
      return row;
    },
    act: (id, action) =>
      db.transaction(async (tx) => {
        const [row] = await tx.sql<{ request: PaymentSessionRequest; declines: number }>(
          action === 'pay' ? payStatement : declineStatement,
          [id, now()],
        );
        if (!row) return undefined;
        const event = eventOf(id, action, row);
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

/** Whoever knows the id can pay: it cannot be guessed. */
const newSessionId = () => `sbx_${randomBytes(18).toString('base64url')}`;
const paymentIdOf = (sessionId: string) => `pay_${sessionId}`;

const payStatement = `update sandbox_payments set state = 'PAID' where id = $1 and state = 'OPEN' and expires_at > $2
  returning request, declines`;
const declineStatement = `update sandbox_payments set declines = declines + 1 where id = $1 and state = 'OPEN' and expires_at > $2
  returning request, declines`;

function eventOf(
  sessionId: string,
  action: 'pay' | 'decline',
  { request, declines }: { request: PaymentSessionRequest; declines: number },
): PaymentEvent {
  const { reference, amount, currency } = request;
  return {
    id: action === 'pay' ? `evt_${sessionId}_paid` : `evt_${sessionId}_declined_${declines}`,
    type: action === 'pay' ? 'paid' : 'failed',
    reference,
    sessionId,
    paymentId: action === 'pay' ? paymentIdOf(sessionId) : undefined,
    amount,
    currency,
  };
}

async function refund(tx: Queries, { paymentId, amount, key }: Parameters<Payments['refund']>[0]) {
  const id = paymentId.replace(/^pay_/, '');
  const [row] = await tx.sql<{ request: PaymentSessionRequest; refunds: Record<string, number> }>(
    `select request, refunds from sandbox_payments where id = $1 and state = 'PAID' for update`,
    [id],
  );
  if (!row) throw new PaymentRefused('There is no such payment.');
  if (row.refunds[key] !== undefined) return { id: `re_${key}` };
  const already = Object.values(row.refunds).reduce((sum, value) => sum + value, 0);
  if (already + amount > row.request.amount) throw new PaymentRefused('That is more than was paid.');
  await tx.sql('update sandbox_payments set refunds = $2::jsonb where id = $1', [
    id,
    JSON.stringify({ ...row.refunds, [key]: amount }),
  ]);
  return { id: `re_${key}` };
}
