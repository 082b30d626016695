/** `createFulfilment` and `updateFulfilment`. The row lock on the order serialises concurrent shipments. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { canonicalJson } from '../../../lib/json/canonical-json.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { createStatusHistoryEntryBuilder } from '../../shared/status-history.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import { type Order, type OrderFulfilment, orderTable } from '../model.ts';
import { findStoredOrder, lockOrder } from '../read/find-and-lock-stored-order.ts';
import { countPendingRefundsAsRefunded } from '../refunds/refund-order.ts';
import {
  deriveStatusFromFulfilments,
  planFulfilmentUnits,
  updateFulfilmentFields,
} from './fulfilment-rules.ts';
import type { CreateFulfilmentArgs, UpdateFulfilmentArgs } from './schemas.ts';

export interface FulfilmentResult {
  order: Order;
  fulfilment: OrderFulfilment;
}

export async function createFulfilment(
  ctx: Context,
  { businessId, id, version, input }: CreateFulfilmentArgs,
): Promise<FulfilmentResult> {
  const { fulfilmentId } = await runIdempotent(
    ctx,
    'createFulfilment',
    { businessId, id, input },
    (queries) =>
      queries.transaction(async (tx) => {
        const order = await lockOrder(tx, { businessId, id });
        if (!order) throw notFoundError('Order');
        assertExpectedVersion(order.version, version);
        const { lines: requestedUnits, ...tracking } = input;
        const lines = planFulfilmentUnits(await countPendingRefundsAsRefunded(tx, order), requestedUnits);
        const fulfilment = updateFulfilmentFields(
          { id: newId(), status: 'SHIPPED', lines, createdAt: now() },
          tracking,
          now(),
        );
        await saveFulfilments(ctx, tx, order, [...(order.fulfilments ?? []), fulfilment]);
        return { fulfilmentId: fulfilment.id };
      }),
  );
  return requireFulfilment(await findStoredOrder(ctx.db, id), fulfilmentId);
}

export function updateFulfilment(
  ctx: Context,
  { businessId, id, fulfilmentId, version, input }: UpdateFulfilmentArgs,
): Promise<FulfilmentResult> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFoundError('Order');
    assertExpectedVersion(order.version, version);
    const { fulfilment } = requireFulfilment(order, fulfilmentId.toLowerCase());
    const changed = updateFulfilmentFields(fulfilment, input, now());
    if (canonicalJson(changed) === canonicalJson(fulfilment)) return { order, fulfilment };
    const all = (order.fulfilments ?? []).map((existing) => (existing === fulfilment ? changed : existing));
    return { order: await saveFulfilments(ctx, tx, order, all), fulfilment: changed };
  });
}

function saveFulfilments(
  ctx: Context,
  tx: QueryHandle,
  order: Order,
  fulfilments: OrderFulfilment[],
): Promise<Order> {
  const after = deriveStatusFromFulfilments(
    { ...order, fulfilments },
    createStatusHistoryEntryBuilder(ctx.viewer),
  );
  requireRecordWithinSizeLimit(orderTable.updateParams(after));
  return saveOrder(ctx, tx, order, after);
}

function requireFulfilment(order: Order | undefined, fulfilmentId: string): FulfilmentResult {
  const fulfilment = order?.fulfilments?.find(({ id }) => id === fulfilmentId);
  if (!order || !fulfilment) throw notFoundError('Fulfilment');
  return { order, fulfilment };
}
