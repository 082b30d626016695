/** Recurring payments of the sandbox, billed when due or by a button of the payment page. Every bill is a separate payment. */
import type { Db, QueryHandle } from '../../db/handles.ts';
import { addBillingIntervals, type BillingInterval } from '../../lib/commerce/billing-intervals.ts';
import { takeRandomBytes } from '../../lib/random-bytes.ts';
import { now } from '../../lib/time.ts';
import {
  type PaymentEvent,
  PaymentRejectedError,
  type PaymentSessionRequest,
  type ProviderSubscription,
} from '../../ports/payments.ts';

export interface SandboxSubscriptionRow {
  id: string;
  sessionId: string;
  state: 'ACTIVE' | 'PAST_DUE' | 'ENDED';
  anchor: number;
  /** Number of paid periods. */
  number: number;
  cancelAtPeriodEnd: boolean;
  failing: boolean;
  billId: string | null;
  request: PaymentSessionRequest;
}

/** Simulated events: bill the next period, let renewals fail, let them succeed again, end the subscription. */
export const sandboxSubscriptionActions = ['renew', 'fail-renewal', 'mend-renewal', 'end-renewal'] as const;
export type SandboxSubscriptionAction = (typeof sandboxSubscriptionActions)[number];

type EnqueueEvent = (tx: QueryHandle, event: PaymentEvent) => Promise<void>;

/** 144 random bits: the id is the only credential of the payment page. */
export const createSandboxPaymentSessionId = () => `sbx_${takeRandomBytes(18).toString('base64url')}`;
export const buildSandboxPaymentIdOfSession = (sessionId: string) => `pay_${sessionId}`;
export const buildSandboxSubscriptionIdOfSession = (sessionId: string) => `sub_${sessionId}`;
const daySeconds = 86_400;

const selectSql = `select s.id, s.session_id as "sessionId", s.state, s.anchor, s.number, s.failing, s.bill_id as "billId", p.request,
  s.cancel_at_period_end as "cancelAtPeriodEnd" from sandbox_subscriptions s join sandbox_payments p on p.id = s.session_id`;

/** Starts the subscription with the payment of the page. Undefined for a one-time payment. */
export async function startSandboxSubscription(
  tx: QueryHandle,
  sessionId: string,
  { interval }: PaymentSessionRequest,
): Promise<ProviderSubscription | undefined> {
  if (!interval) return undefined;
  const [id, anchor] = [buildSandboxSubscriptionIdOfSession(sessionId), now()];
  await tx.write(
    'insert into sandbox_subscriptions (id, session_id, anchor, due_at) values ($1, $2, $3, $4) on conflict do nothing',
    [id, sessionId, anchor, addBillingIntervals(anchor, interval, 1)],
  );
  return { id, bill: billOf({ sessionId, anchor }, interval, sessionId, 1) };
}

export async function findSandboxSubscription(
  queries: QueryHandle,
  sessionId: string,
): Promise<SandboxSubscriptionRow | undefined> {
  const [row] = await queries.sql<SandboxSubscriptionRow>(`${selectSql} where s.session_id = $1`, [
    sessionId,
  ]);
  return row;
}

export const toProviderSubscriptionWithFirstInvoice = (
  subscription: SandboxSubscriptionRow,
): ProviderSubscription => ({
  id: subscription.id,
  bill: billOf(subscription, subscription.request.interval ?? 'MONTHLY', subscription.sessionId, 1),
});

const billOf = (
  { sessionId, anchor }: Pick<SandboxSubscriptionRow, 'sessionId' | 'anchor'>,
  interval: BillingInterval,
  id: string,
  number: number,
): ProviderSubscription['bill'] => ({
  id,
  isFirst: id === sessionId,
  periodStart: addBillingIntervals(anchor, interval, number - 1),
  periodEnd: addBillingIntervals(anchor, interval, number),
});

/** Events of the last 12 paid bills, oldest first, then the current status. */
export async function loadSandboxSubscriptionEvents(db: Db, id: string): Promise<PaymentEvent[]> {
  const [subscription] = await db.sql<SandboxSubscriptionRow>(`${selectSql} where s.id = $1`, [id]);
  if (!subscription) return [{ id: `ask_${id}`, type: 'recurring', recurring: { id, status: 'ended' } }];
  const { reference } = subscription.request;
  const bills = await db.sql<{ id: string; number: number }>(
    `select id, coalesce(nullif(split_part(reference, '#', 2), ''), '1')::int as number from sandbox_payments
     where state = 'PAID' and (id = $1 or starts_with(reference, $2)) order by number desc limit 12`,
    [subscription.sessionId, `${reference}#`],
  );
  return [
    ...bills.reverse().map((bill) => paidEvent(subscription, bill.id, bill.number)),
    { id: `ask_${id}`, type: 'recurring', reference, recurring: statusOf(subscription) },
  ];
}

const statuses = { ACTIVE: 'active', PAST_DUE: 'past_due', ENDED: 'ended' } as const;
const statusOf = ({ id, state, cancelAtPeriodEnd }: SandboxSubscriptionRow): ProviderSubscription => ({
  id,
  status: statuses[state],
  cancelAtPeriodEnd,
});

function paidEvent(subscription: SandboxSubscriptionRow, billId: string, number: number): PaymentEvent {
  const { reference, amount, currency, interval = 'MONTHLY' } = subscription.request;
  const bill = billOf(subscription, interval, billId, number);
  return {
    id: `evt_${billId}_paid`,
    type: 'paid',
    reference,
    paymentId: buildSandboxPaymentIdOfSession(billId),
    amount,
    currency,
    recurring: { id: subscription.id, bill },
  };
}

export async function setSandboxCancelAtPeriodEnd(db: Db, id: string, cancel: boolean): Promise<void> {
  const updatedRows = await db.write(
    `update sandbox_subscriptions set cancel_at_period_end = $2 where id = $1 and state <> 'ENDED' returning 1`,
    [id, cancel],
  );
  if (updatedRows.length === 0) throw new PaymentRejectedError('The subscription has ended already.');
}

export async function endSandboxSubscription(db: Db, id: string): Promise<void> {
  await db.write(`update sandbox_subscriptions set state = 'ENDED' where id = $1`, [id]);
}

/** Bills all due subscriptions, one per transaction, until none is due. */
export async function renewDueSandboxSubscriptions(db: Db, enqueueEvent: EnqueueEvent): Promise<void> {
  const billNext = () =>
    db.transaction(async (tx) => {
      const [subscription] = await tx.sql<SandboxSubscriptionRow>(
        `${selectSql} where s.state <> 'ENDED' and s.due_at <= $1 order by s.due_at limit 1 for update of s skip locked`,
        [now()],
      );
      if (subscription) await enqueueEvent(tx, await billPeriod(tx, subscription));
      return subscription !== undefined;
    });
  while (await billNext());
}

/** Undefined when the action is impossible in the current state, or when it causes no event. */
export const applySandboxSubscriptionAction = (
  db: Db,
  enqueueEvent: EnqueueEvent,
  sessionId: string,
  action: SandboxSubscriptionAction,
): Promise<PaymentEvent | undefined> =>
  db.transaction(async (tx) => {
    const [subscription] = await tx.sql<SandboxSubscriptionRow>(
      `${selectSql} where s.session_id = $1 and s.state <> 'ENDED' for update of s`,
      [sessionId],
    );
    if (!subscription) return undefined;
    const failing = action === 'fail-renewal' || (action !== 'mend-renewal' && subscription.failing);
    await tx.write('update sandbox_subscriptions set failing = $2 where id = $1', [subscription.id, failing]);
    if (action === 'mend-renewal' && subscription.state === 'ACTIVE') return undefined;
    const event =
      action === 'end-renewal'
        ? await endSubscription(tx, subscription)
        : await billPeriod(tx, { ...subscription, failing });
    await enqueueEvent(tx, event);
    return event;
  });

async function endSubscription(tx: QueryHandle, subscription: SandboxSubscriptionRow): Promise<PaymentEvent> {
  await tx.write(`update sandbox_subscriptions set state = 'ENDED' where id = $1`, [subscription.id]);
  const { reference } = subscription.request;
  return {
    id: `evt_${subscription.id}_ended`,
    type: 'recurring',
    reference,
    recurring: statusOf({ ...subscription, state: 'ENDED' }),
  };
}

/** Bills the next period, or retries the unpaid bill. */
async function billPeriod(tx: QueryHandle, subscription: SandboxSubscriptionRow): Promise<PaymentEvent> {
  if (subscription.cancelAtPeriodEnd) return endSubscription(tx, subscription);
  const [billId, number] = [subscription.billId ?? createSandboxPaymentSessionId(), subscription.number + 1];
  const { interval = 'MONTHLY', reference, amount, currency } = subscription.request;
  const request = { ...subscription.request, reference: `${reference}#${number}` };
  const time = now();
  const [payment] = await tx.write<{ declines: number }>(
    `insert into sandbox_payments (id, reference, request, state, expires_at, created_at)
     values ($1, $2, $3::jsonb, $4::"SandboxState", $5, $5)
     on conflict (id) do update set state = excluded.state, declines = sandbox_payments.declines + 1 returning declines`,
    [billId, request.reference, JSON.stringify(request), subscription.failing ? 'FAILED' : 'PAID', time],
  );
  if (subscription.failing) {
    await tx.write(
      `update sandbox_subscriptions set state = 'PAST_DUE', bill_id = $2, due_at = $3 where id = $1`,
      [subscription.id, billId, time + daySeconds],
    );
    const facts = { reference, amount, currency };
    const recurring = { id: subscription.id, bill: billOf(subscription, interval, billId, number) };
    return { id: `evt_${billId}_failed_${payment?.declines}`, type: 'failed', ...facts, recurring };
  }
  await tx.write(
    `update sandbox_subscriptions set state = 'ACTIVE', number = $2, bill_id = null, due_at = $3 where id = $1`,
    [subscription.id, number, addBillingIntervals(subscription.anchor, interval, number)],
  );
  return paidEvent(subscription, billId, number);
}
