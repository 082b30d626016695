/** Inserts, saves and deletes orders, with the webhook events, mails and closed payment pages that follow from the change. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { closeOpenPaymentAttempts } from '../../payments/close-payment-attempts.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { runStatementAndEmitWebhookEvents, type WebhookEmitServices } from '../../webhooks/emit-events.ts';
import { buildOrderEvents } from '../build-events.ts';
import { type OrderMailServices, queueOrderChangeMails } from '../mail/queue-order-mails.ts';
import { type Order, orderTable } from '../model.ts';
import {
  computeAmountDue,
  computeRefundedCredit,
  isCancelledOrRefundedOrder,
} from '../payment/amount-due.ts';
import { buildUnpaidLimitResetAtExpressionSql, clearNetworkHashUnlessUnpaid } from './unpaid-order-limit.ts';

type StoreServices = WebhookEmitServices & OrderMailServices & Pick<Services, 'payments'>;

interface InsertedOrder {
  /** With the order number that the database assigned. */
  order: Order;
  /** Unix time when the unpaid-order limit allows the next order; undefined when this order is within the limit. */
  limitResetAt: number | undefined;
}

/**
 * Assigning the order number locks the business's number row until the transaction ends, and other orders of the business wait for it:
 * call this as one of the last statements of a transaction. `emitEvents: false` suppresses webhook events, such as for imports.
 */
export async function insertOrder(
  services: StoreServices,
  tx: QueryHandle,
  order: Order,
  { emitEvents = true, ...sizeLimit }: { maxBytes?: number; emitEvents?: boolean } = {},
): Promise<InsertedOrder> {
  const [inserted] = await runStatementAndEmitWebhookEvents<{ number: number; limitResetAt?: number | null }>(
    services,
    tx,
    {
      ...insertStatement(
        services,
        order,
        requireRecordWithinSizeLimit(orderTable.insertParams(order), sizeLimit),
      ),
      businessId: order.businessId,
      events: emitEvents ? buildOrderEvents(undefined, order, services.payments.provider) : [],
      rowDataSql: `jsonb_build_object('number', changed.number)`,
    },
  );
  if (!inserted) throw new Error('The insert of the order returned no row.');
  return { order: { ...order, number: inserted.number }, limitResetAt: inserted.limitResetAt ?? undefined };
}

/** SQL that inserts the order of a parameter built by `toOrderParam`, for a statement with `source` as its condition. */
export const buildInsertOrderSql = (param: string, source: string): string =>
  orderTable.insertRows(param, source);

/** Throws RECORD_TOO_LARGE for an order above the limit. */
export function toOrderParam(order: Order, sizeLimit: { maxBytes: number }): string {
  const row = orderTable.rowsParam([order]);
  requireRecordWithinSizeLimit([row], sizeLimit);
  return row;
}

/** Unpaid checkouts: the insert statement also evaluates the unpaid-order limit. */
function insertStatement({ config }: StoreServices, order: Order, params: readonly unknown[]) {
  if (order.heldFrom === undefined) return { statement: `${orderTable.insert} returning id, number`, params };
  const { perCustomer, perAddress } = config.unpaidOrders;
  return {
    statement: `${orderTable.insert} returning id, number, ${buildUnpaidLimitResetAtExpressionSql(orderTable.paramAfter(1), orderTable.paramAfter(2))} as "limitResetAt"`,
    params: [...params, perCustomer, perAddress],
  };
}

/**
 * Saves a changed order; `before` is the version that `lockOrder` returned. Emits webhook events and queues mails for the difference, and
 * closes the payment pages of an order that has ended or owes another amount.
 */
export async function saveOrder(
  services: StoreServices,
  tx: QueryHandle,
  before: Order,
  order: Order,
): Promise<Order> {
  const saved = {
    ...clearNetworkHashUnlessUnpaid(order),
    // Stored before the total changes: older records derive their credits from it.
    credited: order.credited ?? (before.refunded > 0 ? computeRefundedCredit(before) : undefined),
    version: tx.nextVersion(before.version),
    updatedAt: now(),
  };
  await runStatementAndEmitWebhookEvents(services, tx, {
    statement: `${orderTable.update} returning id`,
    params: orderTable.updateParams(saved),
    businessId: order.businessId,
    events: buildOrderEvents(before, saved, services.payments.provider),
  });
  if (
    computeAmountDue(saved) !== computeAmountDue(before) ||
    (isCancelledOrRefundedOrder(saved) && !isCancelledOrRefundedOrder(before))
  )
    await closeOpenPaymentAttempts(services, tx, 'order', order.id);
  await queueOrderChangeMails(services, tx, before, saved);
  return saved;
}

const deleteStatement = `with deleted as (delete from orders where business_id = $1 and id = $2 returning number)
  update order_numbers n set freed = array_append(n.freed, deleted.number) from deleted where n.business_id = $1`;

/** Deletes an order whose checkout was rolled back. Its payment attempt stays; its number is freed for the next order. */
export async function deleteRolledBackOrder(tx: QueryHandle, { businessId, id }: Order): Promise<void> {
  await tx.write(deleteStatement, [businessId, id]);
}
