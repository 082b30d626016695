/** Erasure of personal data from a user's orders. Lines, totals, payments and the customer id stay: they are the business's accounting records. */
import type { Services } from '../../../context.ts';
import { distinctValuesSql } from '../../../db/index.ts';
import { type ErasedPerson, registerPersonalDataEraser } from '../../shared/eraser-registry.ts';
import type { Fulfilment, Order } from '../model.ts';
import { lockOrder, saveOrder } from '../store.ts';

const batch = 100;

const selectPersonalOrders = `
  select o.id from ${distinctValuesSql('orders', 'business_id')} b
  cross join lateral (
    select o.id from orders o
    where o.business_id = b.id and o.customer_id = $1 and o.id > $2::uuid
      and (o.blocks <> '[]'::jsonb or o.shipping_address is not null or o.billing_address is not null
        or jsonb_path_exists(o.fulfilments, '$[*].trackingNumber') or jsonb_path_exists(o.fulfilments, '$[*].trackingUrl')
        or jsonb_path_exists(o.returns, '$[*].reason'))
    order by o.id limit ${batch}
  ) o
  order by o.id limit ${batch}`;

const beforeAll = '00000000-0000-0000-0000-000000000000';

async function eraseOrders(services: Services, { userId }: ErasedPerson): Promise<void> {
  for (let after = beforeAll; ; ) {
    const rows = await services.db.sql<{ id: string }>(selectPersonalOrders, [userId, after]);
    for (const { id } of rows) await eraseOrder(services, id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = last.id;
  }
}

/** An ordinary update: it increments the version, is recorded in the audit log and emits webhook events. */
async function eraseOrder(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const order = await lockOrder(tx, { id });
    if (!order || !hasPersonalData(order)) return;
    await saveOrder(services, tx, order, {
      ...order,
      blocks: [],
      shippingAddress: undefined,
      billingAddress: undefined,
      fulfilments: order.fulfilments?.map(withoutTracking),
      returns: order.returns?.map((orderReturn) => ({ ...orderReturn, reason: undefined })),
    });
  });
}

/** A tracking number identifies the recipient at the carrier. */
const withoutTracking = (fulfilment: Fulfilment): Fulfilment => ({
  ...fulfilment,
  trackingNumber: undefined,
  trackingUrl: undefined,
});

const hasPersonalData = ({ blocks, shippingAddress, billingAddress, fulfilments, returns }: Order): boolean =>
  blocks.length > 0 ||
  shippingAddress !== undefined ||
  billingAddress !== undefined ||
  Boolean(fulfilments?.some(({ trackingNumber, trackingUrl }) => trackingNumber ?? trackingUrl)) ||
  Boolean(returns?.some(({ reason }) => reason));

registerPersonalDataEraser(eraseOrders);
