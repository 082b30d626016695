/** Money an operator should look at: refunds that providers refused, and payments that fit nothing we know. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import type { TableRow } from '../../db/records/table.ts';
import { paymentEvents } from './model.ts';
import { applyPaymentEvent } from './receive-event.ts';

export interface FailedPaymentItem {
  id: string;
  at: number;
  subject: string;
  reason: string;
}

const amount = (table: string) => `${table}.amount || ' ' || ${table}.currency`;

/** Newest first, without those in `except`. */
export const listFailedRefunds = (
  queries: Queries,
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

/** What `applyEvent` says of money that it could not place. */
const misfits = `('unknown order', 'unknown attempt')`;
const isMisfit = `e.type = 'paid' and e.outcome in ${misfits}`;
const address = `e.provider || '/' || e.id`;

export const listUnmatchedPayments = (
  queries: Queries,
  limit: number,
  except: readonly string[],
): Promise<FailedPaymentItem[]> =>
  queries.sql(
    `select ${address} as id, e.received_at as at,
       coalesce(${amount('e')}, 'a payment') || ' for ' || coalesce(e.reference, 'nothing') as subject, e.outcome as reason
     from payment_events e
     where ${isMisfit} and ${address} <> all($2::text[]) order by at desc, id limit $1`,
    [limit, except],
  );

const told = paymentEvents.selectFields('id', 'type', 'reference', 'paymentId', 'amount', 'currency');

/** Applies it once more: what it is for may be there by now. False when there is no such payment. */
export function retryUnmatchedPayment(services: Services, id: string): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const [row] = await tx.sql<TableRow>(
      `select ${told.columns} from ${paymentEvents.from} where ${address} = $1 and ${isMisfit} for update`,
      [id],
    );
    if (!row) return false;
    const outcome = await applyPaymentEvent(services, tx, told.read(row));
    await tx.sql(`update payment_events as e set outcome = $2 where ${address} = $1`, [id, outcome]);
    return true;
  });
}
