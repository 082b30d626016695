/** Ships units of an order, and keeps track of them. The lock on the order decides who ships what. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import type { CreateFulfilment, UpdateFulfilment } from './fulfilment-checks.ts';
import { changedFulfilment, planFulfilment, withGoodsStatus } from './fulfilment-rules.ts';
import { type Fulfilment, type Order, orders } from './model.ts';
import { withRefundsUnderWay } from './refunds.ts';
import { lockOrder, readOrder, saveOrder } from './store.ts';

export interface Fulfilled {
  order: Order;
  fulfilment: Fulfilment;
}

export async function createFulfilment(
  ctx: Context,
  { businessId, id, version, input }: CreateFulfilment,
): Promise<Fulfilled> {
  const { fulfilmentId } = await once(ctx, 'createFulfilment', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const order = await lockOrder(tx, { businessId, id });
      if (!order) throw notFound('Order');
      expectVersion(order.version, version);
      const { lines: wanted, ...tracking } = input;
      const lines = planFulfilment(await withRefundsUnderWay(tx, order), wanted);
      const fulfilment = changedFulfilment(
        { id: newId(), status: 'SHIPPED', lines, createdAt: now() },
        tracking,
        now(),
      );
      await save(ctx, tx, order, [...(order.fulfilments ?? []), fulfilment]);
      return { fulfilmentId: fulfilment.id };
    }),
  );
  return found(await readOrder(ctx.db, id), fulfilmentId);
}

export function updateFulfilment(
  ctx: Context,
  { businessId, id, fulfilmentId, version, input }: UpdateFulfilment,
): Promise<Fulfilled> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { businessId, id });
    if (!order) throw notFound('Order');
    expectVersion(order.version, version);
    const { fulfilment } = found(order, fulfilmentId.toLowerCase());
    const changed = changedFulfilment(fulfilment, input, now());
    if (canonicalJson(changed) === canonicalJson(fulfilment)) return { order, fulfilment };
    const all = (order.fulfilments ?? []).map((one) => (one === fulfilment ? changed : one));
    return { order: await save(ctx, tx, order, all), fulfilment: changed };
  });
}

function save(ctx: Context, tx: Queries, order: Order, fulfilments: Fulfilment[]): Promise<Order> {
  const after = withGoodsStatus({ ...order, fulfilments }, stampFor(ctx.viewer));
  fitting(orders.updateParams(after));
  return saveOrder(ctx, tx, order, after);
}

function found(order: Order | undefined, fulfilmentId: string): Fulfilled {
  const fulfilment = order?.fulfilments?.find(({ id }) => id === fulfilmentId);
  if (!order || !fulfilment) throw notFound('Fulfilment');
  return { order, fulfilment };
}
