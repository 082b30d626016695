/** Imports an order placed in another system: no stock movement, no payment, no webhook events and no mails. */
import type { Context } from '../../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { AppError, type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { isId, newIdAt } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import {
  type BuildStatusHistoryEntry,
  createStatusHistoryEntryBuilder,
} from '../../shared/status-history.ts';
import { createQuotaCheckedInsert } from '../../shared/storage-and-record-quotas.ts';
import {
  filterVoluntaryBusinessContactIds,
  findUserIdByConfirmedEmail,
} from '../../users/people/user-lookups-for-other-domains.ts';
import {
  addInitialFulfilment,
  copyOrderInputFields,
  resolveMarketAndCurrency,
} from '../manage/create-order.ts';
import { insertOrder } from '../manage/insert-save-and-delete-order.ts';
import { allocateDiscountAndTax, resolveOrderTotals } from '../manage/order-totals.ts';
import type { Order } from '../model.ts';
import { orderTransitions, paymentTransitions, transitionStatus } from '../status-transitions.ts';
import { computeImportedLineTotals, resolveImportedLines } from './resolve-imported-lines.ts';
import type { ImportOrderArgs } from './schemas.ts';

type Input = ImportOrderArgs['input'];

/** Does nothing if the business already has an order with this external reference or id, so an import can be repeated. */
export function importOrder(ctx: Context, { businessId, input }: ImportOrderArgs): Promise<void> {
  const externalReference = normalizeReference(input.externalReference ?? input.id ?? '');
  // Only UUIDs are compared with the ids of existing orders: other systems may use the same plain numbers.
  const ids = [input.id ?? ''].filter(isId).map(normalizeReference);
  const references = [...new Set([externalReference, ...ids])].sort();
  return ctx.db.transaction(async (tx) => {
    for (const reference of references)
      await takeAdvisoryLock(tx, `imported order ${businessId} ${reference}`);
    if (await orderExists(tx, businessId, references)) return;
    const order = await buildImportedOrder(ctx, tx, businessId, { ...input, externalReference });
    const insert = (on: QueryHandle) =>
      insertOrder(ctx, on, addInitialFulfilment(order), { emitEvents: false });
    await createQuotaCheckedInsert(ctx, 'orders', businessId, insert)(tx);
  });
}

/** Lower-cases UUIDs only: external references of other systems may be case-sensitive. */
const normalizeReference = (reference: string) => (isId(reference) ? reference.toLowerCase() : reference);

async function orderExists(
  tx: QueryHandle,
  businessId: string,
  references: readonly string[],
): Promise<boolean> {
  const rows = await tx.sql(
    `select 1 from orders where business_id = $1 and external_reference = any($2::text[])
     union all select 1 from orders where business_id = $1 and id = any($3::uuid[])`,
    [businessId, references, references.filter(isId)],
  );
  return rows.length > 0;
}

async function buildImportedOrder(
  ctx: Context,
  tx: QueryHandle,
  businessId: string,
  input: Input,
): Promise<Order> {
  const errors: ErrorDetail[] = [];
  const terms = await collectErrors(errors, () => resolveMarketAndCurrency(tx, businessId, input));
  const customerId = await collectErrors(errors, () => resolveCustomer(tx, businessId, input));
  const lines = await collectErrors(errors, () => resolveImportedLines(tx, businessId, input.lines));
  const priced = await collectErrors(errors, () => computeImportedLineTotals(input.lines));
  const totals = priced && (await collectErrors(errors, () => resolveOrderTotals(priced, input)));
  if (errors.length > 0 || !terms || !lines || !totals) throw validationErrorFrom(errors);
  const placedAt = input.placedAt ?? now();
  const buildStatusEntry: BuildStatusHistoryEntry = (change) => ({
    ...createStatusHistoryEntryBuilder(ctx.viewer)(change),
    timestamp: placedAt,
  });
  const { status = 'PENDING', paymentStatus = 'PENDING' } = input;
  return {
    // Lists are sorted by id, so the id is derived from the time when the order was placed.
    id: newIdAt(placedAt),
    businessId,
    number: 0,
    externalReference: input.externalReference,
    customerId,
    ...terms,
    lines: allocateDiscountAndTax(
      lines.map((line, index) => ({ ...line, totalPrice: priced?.[index]?.totalPrice ?? 0 })),
      totals,
      terms,
    ),
    ...totals,
    ...copyOrderInputFields(input),
    statuses: transitionStatus([], [{ status }], orderTransitions, buildStatusEntry, 'status'),
    paymentStatus: transitionStatus(
      [],
      [{ status: paymentStatus }],
      paymentTransitions,
      buildStatusEntry,
      'paymentStatus',
    ),
    // Paid in the other system: the gateway has no payment for it.
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: placedAt,
    updatedAt: now(),
  };
}

/**
 * Accepts only users who joined or bought from the business themselves. An email address of any other account yields no customer
 * instead of an error, so that an import does not reveal which addresses have an account.
 */
async function resolveCustomer(
  tx: QueryHandle,
  businessId: string,
  { customerId, email }: Input,
): Promise<string | undefined> {
  const id = customerId ?? (email === undefined ? undefined : await findUserIdByConfirmedEmail(tx, email));
  if (id === undefined) return undefined;
  if (isId(id) && (await filterVoluntaryBusinessContactIds(tx, [id], [businessId])).size > 0)
    return id.toLowerCase();
  if (customerId === undefined) return undefined;
  throw validationErrorFrom([
    {
      field: 'customerId',
      error: 'CUSTOMER_NOT_FOUND',
      message: 'Must be a customer or member of this business.',
    },
  ]);
}

/** Collects the details of validation errors, so that one response reports all of them. */
async function collectErrors<T>(errors: ErrorDetail[], work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
    errors.push(...error.details);
    return undefined;
  }
}
