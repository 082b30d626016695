/** Failed refunds and unmatched payments: list and retry, for operators. */
import type { Services } from '../../context.ts';
import type { QueryHandle, UntypedRow } from '../../db/index.ts';
import { paymentEventTable } from './model.ts';
import { applyPaymentEvent } from './receive-payment-event.ts';

interface FailedPaymentItem {
  id: string;
  at: number;
  subject: string;
  reason: string;
}

const amount = (table: string) => `${table}.amount || ' ' || ${table}.currency`;

/** Newest first, excluding the ids in `except`. */
export const listFailedRefunds = (
  queries: QueryHandle,
  limit: number,
  except: readonly string[],
): Promise<FailedPaymentItem[]> =>
  queries.sql(
    `select r.id::text as id, coalesce(r.settled_at, r.created_at) as at, ${amount('r')} || ' of ' || a.reference as subject,
       coalesce(r.failure, '') as reason
     from refunds r join payment_attempts a on a.id = r.attempt_id
     where r.status = 'FAILED' and r.id::text <> all($2::text[]) order by at desc, r.id limit $1`,
    [limit, except],
  );

/** Outcomes of `applyPaymentEvent` for payments without a subject or attempt. */
const unmatchedOutcomes = `('unknown order', 'unknown attempt')`;
const isUnmatched = `e.type = 'paid' and e.outcome in ${unmatchedOutcomes}`;
const eventKey = `e.provider || '/' || e.id`;

export const listUnmatchedPayments = (
  queries: QueryHandle,
  limit: number,
  except: readonly string[],
): Promise<FailedPaymentItem[]> =>
  queries.sql(
    `select ${eventKey} as id, e.received_at as at,
       coalesce(${amount('e')}, 'a payment') || ' for ' || coalesce(e.reference, 'nothing') as subject, e.outcome as reason
     from payment_events e
     where ${isUnmatched} and ${eventKey} <> all($2::text[]) order by at desc, id limit $1`,
    [limit, except],
  );

interface UnmatchedPayment {
  id: string;
  reference: string | null;
  paymentId: string;
  amount: number | null;
  currency: string | null;
}

/** All unmatched payments with a payment id at the provider, the oldest first. */
export const loadUnmatchedPayments = (queries: QueryHandle): Promise<UnmatchedPayment[]> =>
  queries.sql(
    `select ${eventKey} as id, e.reference, e.payment_id as "paymentId", e.amount, e.currency from payment_events e
     where ${isUnmatched} and e.payment_id is not null order by e.received_at, id`,
    [],
  );

const eventColumns = paymentEventTable.selectFields(
  'id',
  'type',
  'reference',
  'paymentId',
  'amount',
  'currency',
);

/** Applies the payment event again: its subject may exist by now. False when no unmatched payment has this id. */
export function retryUnmatchedPayment(services: Services, id: string): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const [row] = await tx.sql<UntypedRow>(
      `select ${eventColumns.columns} from ${paymentEventTable.from} where ${eventKey} = $1 and ${isUnmatched} for update`,
      [id],
    );
    if (!row) return false;
    const outcome = await applyPaymentEvent(services, tx, eventColumns.read(row));
    await tx.write(`update payment_events as e set outcome = $2 where ${eventKey} = $1`, [id, outcome]);
    return true;
  });
}
