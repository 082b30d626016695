/** Audit of orders: amounts add up and follow the tax rates, payments and refunded units match, cancelled orders hold nothing. */
import type { Services } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import type { ConsistencyAuditFinding } from '../../../lib/consistency-audit-finding.ts';
import { nilUuid } from '../../../lib/ids.ts';
import { findOrderIdsWithPromoClaim } from '../../businesses/promo-codes/promo-claims.ts';
import { loadPaymentTotalsBySubject } from '../../payments/load-and-split-payment-totals.ts';
import { loadRefundsBySubject } from '../../payments/schedule-submit-and-load-refunds.ts';
import { loadPaymentAttemptSummaries } from '../../payments/stored-payment-attempts.ts';
import { type Order, orderTable } from '../model.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';
import { currentStatus } from '../status-transitions.ts';
import { findOrderAmountProblems, findOrderPaymentProblems } from './find-order-amount-problems.ts';
import { findMissingRefundProblems, findRefundedUnitProblems } from './find-order-refund-problems.ts';

const batchSize = 500;
const select = `select ${orderTable.columns} from ${orderTable.from} where o.id > $1 order by o.id limit ${batchSize}`;

export async function* auditOrders({ db }: Pick<Services, 'db'>): AsyncGenerator<ConsistencyAuditFinding> {
  for (let after = nilUuid; ; ) {
    const batch = (await db.sql<UntypedRow>(select, [after])).map(orderTable.read);
    for (const { about } of await findMismatches(db, batch)) {
      // Orders change during the audit: compare again under a lock before reporting.
      const id = about.slice('order:'.length);
      yield* await db.transaction(async (tx) => {
        const order = await lockOrder(tx, { id });
        return order ? findMismatches(tx, [order]) : [];
      });
    }
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.id ?? after;
  }
}

async function findMismatches(
  queries: QueryHandle,
  batch: readonly Order[],
): Promise<ConsistencyAuditFinding[]> {
  const ids = batch.map(({ id }) => id);
  const [money, attempts, claims, refundsByOrder] = [
    await loadPaymentTotalsBySubject(queries, 'order', ids),
    await loadPaymentAttemptSummaries(queries, 'order', ids),
    await findOrderIdsWithPromoClaim(queries, ids),
    await loadRefundsBySubject(queries, 'order', ids),
  ];
  return batch.flatMap((order) => {
    const { id, lines, subtotal, captured, refunded, credited, statuses } = order;
    const lineTotal = lines.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
    const paid = money.get(id) ?? { captured: 0, refunded: 0, credited: 0 };
    const refunds = refundsByOrder.get(id) ?? [];
    const problems = [
      subtotal !== lineTotal && `subtotal ${subtotal}, but its lines add up to ${lineTotal}`,
      captured !== paid.captured && `captured ${captured}, but its payments add up to ${paid.captured}`,
      refunded !== paid.refunded && `refunded ${refunded}, but its payments add up to ${paid.refunded}`,
      credited !== undefined &&
        credited !== paid.credited &&
        `credited ${credited}, but its refunds add up to ${paid.credited}`,
      refunded > captured && `refunded ${refunded} exceeds captured ${captured}`,
      claims.has(id) && currentStatus(statuses) === 'CANCELLED' && 'is cancelled but holds a promo code',
      ...findOrderAmountProblems(order),
      ...findOrderPaymentProblems(order, attempts.get(id) ?? []),
      ...findRefundedUnitProblems(order, refunds),
      ...findMissingRefundProblems(order, refunds),
    ].filter((problem) => problem !== false);
    return problems.length === 0 ? [] : [{ about: `order:${id}`, problem: problems.join('; ') }];
  });
}
