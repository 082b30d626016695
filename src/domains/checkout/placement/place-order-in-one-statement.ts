/**
 * Places an order in one statement, which commits by itself: locks are held while it runs and commits, not while the gateway works. It applies
 * to most checkouts; `placeOrderInTransaction` does everything step by step, and reports what is wrong.
 */
import type { Context } from '../../../context.ts';
import { isInvalidStatementError, type QueryHandle } from '../../../db/index.ts';
import { AppError } from '../../../errors.ts';
import { buildClaimIdempotencyKeySql, buildIdempotencyClaims } from '../../../idempotency.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentSession, PaymentSessionSqlBuilder } from '../../../ports/payments.ts';
import { buildOrderEvents } from '../../orders/build-events.ts';
import { buildInsertOrderSql, toOrderParam } from '../../orders/manage/insert-save-and-delete-order.ts';
import { buildStockMovesBetween, setTakenUnits } from '../../orders/manage/line-stock-moves.ts';
import { buildUnpaidLimitResetAtExpressionSql } from '../../orders/manage/unpaid-order-limit.ts';
import type { Order } from '../../orders/model.ts';
import {
  buildPaymentPageContent,
  buildSessionRequestWithNumberSql,
  type PayableOrder,
} from '../../orders/payment/open-payment-session.ts';
import type { PaymentAttempt } from '../../payments/model.ts';
import { buildSessionRequest } from '../../payments/open-checkout-session.ts';
import type { PaymentReturnUrls } from '../../payments/return-urls.ts';
import {
  buildInsertPaymentAttemptSql,
  toPaymentAttemptParam,
} from '../../payments/stored-payment-attempts.ts';
import {
  allStockTakenConditionSql,
  buildStockTakes,
  buildTakeStockTableExpressionsSql,
} from '../../products/stock/take-stock-for-order-sql.ts';
import { maxCustomerRecordBytes } from '../../shared/record-size-limits.ts';
import { buildUserEmailExpressionSql } from '../../users/people/load-contact-details.ts';
import {
  buildEmitWebhookEventsColumnSql,
  enqueueWebhookDeliveryJob,
  toWebhookEventsParam,
} from '../../webhooks/emit-events.ts';
import { buildUnsavedOrder, type OrderRequest, type UnsavedOrder } from './build-unsaved-order.ts';

const withSession = (attempt: PaymentAttempt, { id, url }: PaymentSession): PaymentAttempt => ({
  ...attempt,
  state: 'OPEN',
  sessionId: id,
  url,
});

/** Operation and arguments that identify a retry with the same Idempotency-Key. */
export interface IdempotentRetryIdentity {
  operation: string;
  idempotencyArgs: unknown;
}

/**
 * Undefined when the step-by-step transaction must decide: the key was used before, the statement did not find what the draft assumed, or
 * the order needs more than the statement does. Nothing was written then.
 */
export async function placeOrderInOneStatement(
  ctx: Context,
  loadRequest: (queries: QueryHandle) => Promise<OrderRequest>,
  retry: IdempotentRetryIdentity,
  urls: PaymentReturnUrls,
): Promise<PayableOrder | undefined> {
  // The statement reads the address of the customer's account, which may be on another server.
  if (ctx.request.requiresTransaction || ctx.db.otherServers?.accounts) return undefined;
  const reader: QueryHandle = { ...ctx.db, sql: ctx.db.shortRead };
  try {
    const { order, attempt, cart } = await buildUnsavedOrder(ctx, reader, await loadRequest(reader));
    if (!attempt || cart.promo) return undefined;
    return await insertPlacedOrder(ctx, { order, attempt, cart }, retry, urls);
  } catch (error) {
    // A retry of a request that has taken the last unit is no error: only the stored result of the key can tell.
    if (error instanceof AppError && ctx.request.idempotencyKey !== undefined) return undefined;
    if (isInvalidStatementError(error)) return undefined;
    throw error;
  }
}

const eventsWithNumber = `(select json_agg(e || jsonb_build_object('data', e->'data' || jsonb_build_object('number', o.number)))
  from jsonb_array_elements($10::jsonb) e, placed o)`;

// Lock order: idempotency key, products, order number. The number is locked last, for the rest of this statement and its commit.
const buildPlaceStatement = (insertSessionSql: InsertSessionSql | undefined) => `
  with claimed as (
    ${buildClaimIdempotencyKeySql('$6')}
  ), ${buildTakeStockTableExpressionsSql({
    business: '$1',
    order: '$2',
    takes: '$3',
    products: '$4',
    variants: '$5',
    customer: '$7',
    time: '$11',
    condition: '(select count(*) from claimed) = jsonb_array_length($6::jsonb)',
  })}, attempt as (
    ${buildInsertPaymentAttemptSql('$8', ` where ${allStockTakenConditionSql}`)} returning id
  ), placed as (
    ${buildInsertOrderSql('$9', ' where exists (select from attempt)')}
    returning number, ${buildUserEmailExpressionSql('$7')} as email,
      case when held_from is not null then ${buildUnpaidLimitResetAtExpressionSql('$12', '$13')} end as limit_reset_at
  )${insertSessionSql ? `, session as (${insertSessionSql(newSessionSql, 'from placed')})` : ''}
  select max(number) as number, ${buildEmitWebhookEventsColumnSql('$1::uuid', eventsWithNumber, '$11')},
    max(email) as email, assert_row_count(count(*) filter (where limit_reset_at is null), 1) from placed`;

type InsertSessionSql = PaymentSessionSqlBuilder['insertSql'];

const newSessionSql = {
  id: '$14',
  request: buildSessionRequestWithNumberSql('$15', 'placed.number', 'placed.email'),
  createdAt: '$11',
};

const placeStatements = new Map<InsertSessionSql | undefined, string>();

function placeStatementWith(insertSessionSql: InsertSessionSql | undefined): string {
  const statement = placeStatements.get(insertSessionSql) ?? buildPlaceStatement(insertSessionSql);
  placeStatements.set(insertSessionSql, statement);
  return statement;
}

async function insertPlacedOrder(
  ctx: Context,
  { order: draft, attempt: newAttempt, cart }: UnsavedOrder & { attempt: PaymentAttempt },
  { operation, idempotencyArgs }: IdempotentRetryIdentity,
  urls: PaymentReturnUrls,
): Promise<PayableOrder> {
  const { businessId, id, customerId } = draft;
  const takes = buildStockTakes(buildStockMovesBetween([], draft.lines), cart.trackedVariantIds);
  const order: Order = { ...draft, lines: setTakenUnits([], draft.lines, cart.trackedVariantIds) };
  const { perCustomer, perAddress } = ctx.config.unpaidOrders;
  const { storedSessions } = ctx.payments;
  const session = storedSessions?.build();
  const attempt = session ? withSession(newAttempt, session) : newAttempt;
  const payable = { order, merchant: cart.businessName, customerEmail: undefined };
  const [placed] = await ctx.db.write<{ number: number; deliveries: number; email: string | null }>(
    placeStatementWith(storedSessions?.insertSql),
    [
      businessId,
      id,
      JSON.stringify(takes),
      [...new Set(takes.map((take) => take.product_id))],
      takes.map((take) => take.variant_id),
      JSON.stringify(buildIdempotencyClaims(ctx, operation, idempotencyArgs, { orderId: id })),
      customerId ?? null,
      toPaymentAttemptParam(attempt),
      toOrderParam(order, { maxBytes: maxCustomerRecordBytes }),
      toWebhookEventsParam(...buildOrderEvents(undefined, order, ctx.payments.provider)),
      now(),
      perCustomer,
      perAddress,
      ...(session
        ? [
            session.id,
            JSON.stringify(
              buildSessionRequest(attempt, buildPaymentPageContent(payable, attempt.amount, urls)),
            ),
          ]
        : []),
    ],
  );
  if (!placed) throw new Error('The insert of the order returned no row.');
  await enqueueWebhookDeliveryJob(ctx, ctx.db, placed);
  return {
    ...payable,
    order: { ...order, number: placed.number },
    attempt,
    customerEmail: placed.email ?? undefined,
  };
}
