/** Compares the money of each order with the records of the payment provider, by the rules of the contract and without the code of the audit. */
import type { StripeServer } from '../../support/stripe-server.ts';
import type { TestApp } from '../../support/test-app.ts';

interface OrderBooks {
  id: string;
  status: string;
  captured: number;
  refunded: number;
  /** Refunds of payments that the order does not count, which have not succeeded. */
  unmatched: number;
  /** Other refunds that have not succeeded. */
  unsettled: number;
  /** Whether the order was ended with its money: not by staff who excluded the refund. */
  returnsAll: boolean;
}

const select = `select o.id::text as id, o.status::text as status, o.captured, o.refunded,
    coalesce(o.statuses->-1->>'refundsPayment' = 'true' or o.statuses->-1->>'changedBy' = 'SYSTEM', false) as "returnsAll",
    coalesce(sum(r.amount) filter (where not r.counts and r.status <> 'SUCCEEDED'), 0)::int as unmatched,
    coalesce(sum(r.amount) filter (where r.counts and r.status <> 'SUCCEEDED'), 0)::int as unsettled
  from orders o left join payment_attempts a on a.kind = 'order' and a.subject_id = o.id left join refunds r on r.attempt_id = a.id
  group by o.id`;

export async function findWrongBalances(t: TestApp, server: StripeServer): Promise<string[]> {
  const balances = balancesByOrder(server);
  return (await t.db.sql<OrderBooks>(select, [])).flatMap((order) => {
    const { id, captured, refunded, unmatched, unsettled, status, returnsAll } = order;
    const balance = balances.get(id) ?? 0;
    const isEnded = (status === 'CANCELLED' || status === 'REFUNDED') && returnsAll;
    return [
      balance !== captured - refunded + unmatched && `balance ${balance} of ${JSON.stringify(order)}`,
      isEnded && captured - refunded > unsettled && `money of the ended order ${JSON.stringify(order)}`,
    ].filter((problem) => problem !== false);
  });
}

/** What the provider captured for each order and has not refunded. */
function balancesByOrder({ sessions, refunds }: StripeServer): Map<string, number> {
  const balances = new Map<string, number>();
  for (const session of sessions.values()) {
    const [kind, orderId = ''] = String(session.client_reference_id).split(':');
    if (kind !== 'order' || session.payment_status !== 'paid') continue;
    const refunded = [...refunds.values()]
      .filter(
        ({ payment_intent, status }) => payment_intent === session.payment_intent && status !== 'failed',
      )
      .reduce((sum, { amount }) => sum + Number(amount), 0);
    balances.set(orderId, (balances.get(orderId) ?? 0) + Number(session.amount_total) - refunded);
  }
  return balances;
}
