/** What the sandbox charges again and again: by the clock, and by buttons on its page. Every bill is a payment of its own. */
import { randomBytes } from 'node:crypto';
import type { Db, Queries } from '../../db/handles.ts';
import { addBillingIntervals, type BillingInterval, now } from '../../lib/time.ts';
import {
  type PaymentEvent,
  PaymentRejectedError,
  type PaymentSessionRequest,
  type ProviderRecurring,
} from '../../ports/payments.ts';

export interface SandboxRecurring {
  id: string;
  sessionId: string;
  state: 'ACTIVE' | 'PAST_DUE' | 'ENDED';
  anchor: number;
  /** Periods that were paid. */
  number: number;
  cancelAtPeriodEnd: boolean;
  failing: boolean;
  billId: string | null;
  request: PaymentSessionRequest;
}

/** What a bank or a shop can do to it: bill the next period, refuse to pay from now on, pay again, end it. */
export const sandboxRecurringActions = ['renew', 'fail-renewal', 'mend-renewal', 'end-renewal'] as const;
export type SandboxRecurringAction = (typeof sandboxRecurringActions)[number];

type Announce = (tx: Queries, event: PaymentEvent) => Promise<void>;

/** Whoever knows the id can pay: it cannot be guessed. */
export const newSandboxSessionId = () => `sbx_${randomBytes(18).toString('base64url')}`;
export const sandboxPaymentId = (sessionId: string) => `pay_${sessionId}`;
export const sandboxRecurringId = (sessionId: string) => `sub_${sessionId}`;
const daySeconds = 86_400;

const select = `select s.id, s.session_id as "sessionId", s.state, s.anchor, s.number, s.failing, s.bill_id as "billId", p.request,
  s.cancel_at_period_end as "cancelAtPeriodEnd" from sandbox_subscriptions s join sandbox_payments p on p.id = s.session_id`;

/** Begins with the payment of its page. Undefined for what is paid once. */
export async function startSandboxRecurring(
  tx: Queries,
  sessionId: string,
  { interval }: PaymentSessionRequest,
): Promise<ProviderRecurring | undefined> {
  if (!interval) return undefined;
  const [id, anchor] = [sandboxRecurringId(sessionId), now()];
  await tx.sql(
    'insert into sandbox_subscriptions (id, session_id, anchor, due_at) values ($1, $2, $3, $4) on conflict do nothing',
    [id, sessionId, anchor, addBillingIntervals(anchor, interval, 1)],
  );
  return { id, bill: billOf({ sessionId, anchor }, interval, sessionId, 1) };
}

export async function findSandboxRecurring(
  queries: Queries,
  sessionId: string,
): Promise<SandboxRecurring | undefined> {
  const [row] = await queries.sql<SandboxRecurring>(`${select} where s.session_id = $1`, [sessionId]);
  return row;
}

export const firstSandboxBill = (one: SandboxRecurring): ProviderRecurring => ({
  id: one.id,
  bill: billOf(one, one.request.interval ?? 'MONTHLY', one.sessionId, 1),
});

const billOf = (
  { sessionId, anchor }: Pick<SandboxRecurring, 'sessionId' | 'anchor'>,
  interval: BillingInterval,
  id: string,
  number: number,
): ProviderRecurring['bill'] => ({
  id,
  isFirst: id === sessionId,
  periodStart: addBillingIntervals(anchor, interval, number - 1),
  periodEnd: addBillingIntervals(anchor, interval, number),
});

/** Its bills that were paid, and then how it stands. */
export async function loadSandboxRecurringEvents(db: Db, id: string): Promise<PaymentEvent[]> {
  const [one] = await db.sql<SandboxRecurring>(`${select} where s.id = $1`, [id]);
  if (!one) return [{ id: `ask_${id}`, type: 'recurring', recurring: { id, status: 'ended' } }];
  const { reference } = one.request;
  const bills = await db.sql<{ id: string; number: number }>(
    `select id, coalesce(nullif(split_part(reference, '#', 2), ''), '1')::int as number from sandbox_payments
     where state = 'PAID' and (id = $1 or starts_with(reference, $2)) order by number desc limit 12`,
    [one.sessionId, `${reference}#`],
  );
  return [
    ...bills.reverse().map((bill) => paidEvent(one, bill.id, bill.number)),
    { id: `ask_${id}`, type: 'recurring', reference, recurring: statusOf(one) },
  ];
}

const statuses = { ACTIVE: 'active', PAST_DUE: 'past_due', ENDED: 'ended' } as const;
const statusOf = ({ id, state, cancelAtPeriodEnd }: SandboxRecurring): ProviderRecurring => ({
  id,
  status: statuses[state],
  cancelAtPeriodEnd,
});

function paidEvent(one: SandboxRecurring, billId: string, number: number): PaymentEvent {
  const { reference, amount, currency, interval = 'MONTHLY' } = one.request;
  const bill = billOf(one, interval, billId, number);
  return {
    id: `evt_${billId}_paid`,
    type: 'paid',
    reference,
    paymentId: sandboxPaymentId(billId),
    amount,
    currency,
    recurring: { id: one.id, bill },
  };
}

export async function setSandboxCancelAtPeriodEnd(db: Db, id: string, cancel: boolean): Promise<void> {
  const set = await db.sql(
    `update sandbox_subscriptions set cancel_at_period_end = $2 where id = $1 and state <> 'ENDED' returning 1`,
    [id, cancel],
  );
  if (set.length === 0) throw new PaymentRejectedError('This has ended already.');
}

export async function endSandboxRecurring(db: Db, id: string): Promise<void> {
  await db.sql(`update sandbox_subscriptions set state = 'ENDED' where id = $1`, [id]);
}

/** Bills everything whose time has come, period after period. */
export async function billDueSandboxRecurring(db: Db, announce: Announce): Promise<void> {
  const billOne = () =>
    db.transaction(async (tx) => {
      const [one] = await tx.sql<SandboxRecurring>(
        `${select} where s.state <> 'ENDED' and s.due_at <= $1 order by s.due_at limit 1 for update of s skip locked`,
        [now()],
      );
      if (one) await announce(tx, await bill(tx, one));
      return one !== undefined;
    });
  while (await billOne());
}

/** Undefined when it cannot happen now, or when nobody is told of it. */
export const applySandboxRecurringAction = (
  db: Db,
  announce: Announce,
  sessionId: string,
  action: SandboxRecurringAction,
): Promise<PaymentEvent | undefined> =>
  db.transaction(async (tx) => {
    const [one] = await tx.sql<SandboxRecurring>(
      `${select} where s.session_id = $1 and s.state <> 'ENDED' for update of s`,
      [sessionId],
    );
    if (!one) return undefined;
    const failing = action === 'fail-renewal' || (action !== 'mend-renewal' && one.failing);
    await tx.sql('update sandbox_subscriptions set failing = $2 where id = $1', [one.id, failing]);
    if (action === 'mend-renewal' && one.state === 'ACTIVE') return undefined;
    const event = action === 'end-renewal' ? await end(tx, one) : await bill(tx, { ...one, failing });
    await announce(tx, event);
    return event;
  });

async function end(tx: Queries, one: SandboxRecurring): Promise<PaymentEvent> {
  await tx.sql(`update sandbox_subscriptions set state = 'ENDED' where id = $1`, [one.id]);
  const { reference } = one.request;
  return {
    id: `evt_${one.id}_ended`,
    type: 'recurring',
    reference,
    recurring: statusOf({ ...one, state: 'ENDED' }),
  };
}

/** The next period, or once more the one that was not paid. */
async function bill(tx: Queries, one: SandboxRecurring): Promise<PaymentEvent> {
  if (one.cancelAtPeriodEnd) return end(tx, one);
  const [billId, number] = [one.billId ?? newSandboxSessionId(), one.number + 1];
  const { interval = 'MONTHLY', reference, amount, currency } = one.request;
  const request = { ...one.request, reference: `${reference}#${number}` };
  const time = now();
  const [payment] = await tx.sql<{ declines: number }>(
    `insert into sandbox_payments (id, reference, request, state, expires_at, created_at)
     values ($1, $2, $3::jsonb, $4::"SandboxState", $5, $5)
     on conflict (id) do update set state = excluded.state, declines = sandbox_payments.declines + 1 returning declines`,
    [billId, request.reference, JSON.stringify(request), one.failing ? 'FAILED' : 'PAID', time],
  );
  if (one.failing) {
    await tx.sql(
      `update sandbox_subscriptions set state = 'PAST_DUE', bill_id = $2, due_at = $3 where id = $1`,
      [one.id, billId, time + daySeconds],
    );
    const facts = { reference, amount, currency };
    const recurring = { id: one.id, bill: billOf(one, interval, billId, number) };
    return { id: `evt_${billId}_failed_${payment?.declines}`, type: 'failed', ...facts, recurring };
  }
  await tx.sql(
    `update sandbox_subscriptions set state = 'ACTIVE', number = $2, bill_id = null, due_at = $3 where id = $1`,
    [one.id, number, addBillingIntervals(one.anchor, interval, number)],
  );
  return paidEvent(one, billId, number);
}
