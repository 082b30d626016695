/** Credits of orders by the rules of the contract: predicted when a refund is made, from the amounts of the order before it. */
import type { World } from './world.ts';

interface ObservedRefund {
  id: string;
  orderId: string;
  amount: number;
  status: string;
  hasLines: boolean;
}

interface LedgerEntry extends ObservedRefund {
  /** Undefined when the model cannot predict it: units of an overpaid order, refunded together with the rest. */
  credit: number | undefined;
}

export interface CreditLedger {
  refunds: Map<string, LedgerEntry>;
  /** Refunds at the provider by payment attempt; every increase is an entry. */
  external: Map<string, { orderId: string; amount: number; credit: number }>;
}

export const createCreditLedger = (): CreditLedger => ({ refunds: new Map(), external: new Map() });

const select = `select r.id::text as id, a.subject_id::text as "orderId", r.amount, r.status::text as status,
    jsonb_array_length(r.lines) > 0 as "hasLines"
  from refunds r join payment_attempts a on a.id = r.attempt_id where a.kind = 'order' and a.state = 'PAID' and r.counts
  union all
  select a.id::text, a.subject_id::text, a.refunded_elsewhere, 'EXTERNAL', false from payment_attempts a
  where a.kind = 'order' and a.state = 'PAID' and a.refunded_elsewhere > 0
  order by 1`;

/** Records new refunds and statuses. Runs before the changed orders are observed: an order has the amounts of the step before. */
export async function updateCreditLedger(world: World): Promise<void> {
  const { refunds, external } = world.credits;
  const rows = await world.t.db.sql<ObservedRefund>(select, []);
  for (const row of rows) {
    if (row.status === 'EXTERNAL') recordExternalRefund(world, row);
    // A new refund counts as pending until all new ones are predicted.
    else if (!refunds.has(row.id))
      refunds.set(row.id, { ...row, status: 'PENDING', credit: predictCredit(world, row) });
  }
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of external.keys()) if (!ids.has(id)) external.delete(id);
  for (const { id, status } of rows) {
    const entry = refunds.get(id);
    if (entry) entry.status = status;
  }
}

function recordExternalRefund(world: World, { id, orderId, amount }: ObservedRefund): void {
  const before = world.credits.external.get(id) ?? { orderId, amount: 0, credit: 0 };
  const increase = amount - before.amount;
  const credit =
    increase > 0
      ? before.credit + Math.max(0, increase - (overpaidBefore(world, orderId) ?? 0))
      : Math.min(before.credit, amount);
  world.credits.external.set(id, { orderId, amount, credit });
}

/** A refund is a credit, except for the part that returns what the customer has overpaid. */
function predictCredit(world: World, { orderId, amount, hasLines }: ObservedRefund): number | undefined {
  const overpaid = overpaidBefore(world, orderId);
  if (overpaid === 0) return amount;
  return overpaid === undefined || hasLines ? undefined : amount - Math.min(amount, overpaid);
}

function overpaidBefore(world: World, orderId: string): number | undefined {
  const order = world.observed.records.get(orderId)?.order;
  if (!order) return 0;
  const credits = creditsOf(world, orderId, ['SUCCEEDED', 'PENDING']);
  const pending = entriesOf(world, orderId, ['PENDING']).reduce((sum, { amount }) => sum + amount, 0);
  return credits === undefined
    ? undefined
    : Math.max(0, order.captured - order.refunded - pending - (order.total - credits));
}

const entriesOf = ({ credits }: World, orderId: string, statuses: readonly string[]): LedgerEntry[] =>
  [...credits.refunds.values()].filter(
    (entry) => entry.orderId === orderId && statuses.includes(entry.status),
  );

/** Undefined when the credit of a refund cannot be predicted. */
export function creditsOf(
  world: World,
  orderId: string,
  statuses: readonly string[] = ['SUCCEEDED'],
): number | undefined {
  // Units that were returned before they were paid.
  const returns = world.observed.records.get(orderId)?.order?.returns ?? [];
  let sum = returns.reduce((total, { credit = 0 }) => total + credit, 0);
  for (const entry of world.credits.external.values()) if (entry.orderId === orderId) sum += entry.credit;
  for (const { credit } of entriesOf(world, orderId, statuses)) {
    if (credit === undefined) return undefined;
    sum += credit;
  }
  return sum;
}
