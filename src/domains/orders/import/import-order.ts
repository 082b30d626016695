/** Records an order that was placed elsewhere: nothing is taken from stock, nothing is charged, and nobody is told. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { takeAdvisoryLock } from '../../../db/transaction.ts';
import { AppError, type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { isId, newIdAt } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { createStatusStamper, type StatusStamper } from '../../shared/status-history.ts';
import { filterVoluntaryContacts, findConfirmedUserId } from '../../users/people/business-people.ts';
import { copyInputFields, resolveMarketTerms, withInitialFulfilment } from '../manage/create-order.ts';
import { resolveTotals, withLineShares } from '../manage/totals.ts';
import type { Order } from '../model.ts';
import { orderTransitions, paymentTransitions, transitionStatus } from '../status-transitions.ts';
import { insertOrder } from '../store.ts';
import { computeImportedAmounts, resolveImportedLines } from './resolve-imported-lines.ts';
import type { ImportOrderArgs } from './schemas.ts';

type Input = ImportOrderArgs['input'];

/** What is there already stays as it is: whoever has it under that reference, or under its own id. */
export function importOrder(ctx: Context, { businessId, input }: ImportOrderArgs): Promise<void> {
  const externalReference = written(input.externalReference ?? input.id ?? '');
  // Only ids like ours are beyond doubt: another system may call something else by the same number.
  const own = [input.id ?? ''].filter(isId).map(written);
  const names = [...new Set([externalReference, ...own])].sort();
  return ctx.db.transaction(async (tx) => {
    for (const name of names) await takeAdvisoryLock(tx, `imported order ${businessId} ${name}`);
    if (await isThere(tx, businessId, names)) return;
    const order = await placedElsewhere(ctx, tx, businessId, { ...input, externalReference });
    await insertOrder(ctx, tx, withInitialFulfilment(order), { isNews: false });
  });
}

/** Ids are the same in any letters; what others call their orders may not be. */
const written = (name: string) => (isId(name) ? name.toLowerCase() : name);

async function isThere(tx: Queries, businessId: string, names: readonly string[]): Promise<boolean> {
  const found = await tx.sql(
    `select 1 from orders where business_id = $1 and external_reference = any($2::text[])
     union all select 1 from orders where business_id = $1 and id = any($3::uuid[])`,
    [businessId, names, names.filter(isId)],
  );
  return found.length > 0;
}

async function placedElsewhere(ctx: Context, tx: Queries, businessId: string, input: Input): Promise<Order> {
  const faults: ErrorDetail[] = [];
  const terms = await told(faults, () => resolveMarketTerms(tx, businessId, input));
  const customerId = await told(faults, () => customerOf(tx, businessId, input));
  const sold = await told(faults, () => resolveImportedLines(tx, businessId, input.lines));
  const priced = await told(faults, () => computeImportedAmounts(input.lines));
  const totals = priced && (await told(faults, () => resolveTotals(priced, input)));
  if (faults.length > 0 || !terms || !sold || !totals) throw validationErrorFrom(faults);
  const placedAt = input.placedAt ?? now();
  const stamp: StatusStamper = (change) => ({
    ...createStatusStamper(ctx.viewer)(change),
    timestamp: placedAt,
  });
  const { status = 'PENDING', paymentStatus = 'PENDING' } = input;
  return {
    // Lists go by age: it stands where it was placed.
    id: newIdAt(placedAt),
    businessId,
    number: 0,
    externalReference: input.externalReference,
    customerId,
    ...terms,
    lines: withLineShares(
      sold.map((line, index) => ({ ...line, totalPrice: priced?.[index]?.totalPrice ?? 0 })),
      totals,
    ),
    ...totals,
    ...copyInputFields(input),
    statuses: transitionStatus([], [{ status }], orderTransitions, stamp, 'status'),
    paymentStatus: transitionStatus(
      [],
      [{ status: paymentStatus }],
      paymentTransitions,
      stamp,
      'paymentStatus',
    ),
    // What was paid was paid elsewhere: no payment of ours stands for it.
    captured: 0,
    refunded: 0,
    version: 1,
    createdAt: placedAt,
    updatedAt: now(),
  };
}

/** Somebody who is tied to the business by their own doing. Whose address it is elsewhere is not told: then it is nobody's order. */
async function customerOf(
  tx: Queries,
  businessId: string,
  { customerId, email }: Input,
): Promise<string | undefined> {
  const id = customerId ?? (email === undefined ? undefined : await findConfirmedUserId(tx, email));
  if (id === undefined) return undefined;
  if (isId(id) && (await filterVoluntaryContacts(tx, [id], [businessId])).size > 0) return id.toLowerCase();
  if (customerId === undefined) return undefined;
  throw validationErrorFrom([
    {
      field: 'customerId',
      error: 'CUSTOMER_NOT_FOUND',
      message: 'Must be somebody who bought from this business or works for it.',
    },
  ]);
}

/** What is wrong is gathered, so that all of it is told at once. */
async function told<T>(faults: ErrorDetail[], work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
    faults.push(...error.details);
    return undefined;
  }
}
