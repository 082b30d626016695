/** Erasure of personal data from a user's orders, after their open payment pages were closed. Lines, totals, payments and the customer id stay: they are the business's accounting records. */
import type { Services } from '../../../context.ts';
import { buildDistinctValuesSql } from '../../../db/index.ts';
import { closeOpenPaymentAttempts } from '../../payments/close-payment-attempts.ts';
import { buildOpenPaymentAttemptConditionSql } from '../../payments/stored-payment-attempts.ts';
import { registerAccountDeletionHook } from '../../shared/personal-data/account-deletion-hook-registry.ts';
import {
  type ErasedPerson,
  registerPersonalDataEraser,
} from '../../shared/personal-data/personal-data-eraser-registry.ts';
import { eraseParcelTrackingFromEvents } from '../../webhooks/erase-parcel-tracking-from-events.ts';
import { computeNextOrderLinkVersion } from '../guests/order-links.ts';
import { saveOrder } from '../manage/insert-save-and-delete-order.ts';
import type { Order, OrderFulfilment } from '../model.ts';
import { cancelUnpaidOrder } from '../payment/expire-orders.ts';
import { lockOrder } from '../read/find-and-lock-stored-order.ts';

const batch = 100;

const selectPersonalOrders = `
  select o.id from ${buildDistinctValuesSql('orders', 'business_id')} b
  cross join lateral (
    select o.id from orders o
    where o.business_id = b.id and o.customer_id = $1 and o.id > $2::uuid
      and (o.blocks <> '[]'::jsonb or o.shipping_address is not null or o.billing_address is not null
        or o.contact_email is not null or o.contact_phone is not null
        or jsonb_path_exists(o.fulfilments, '$[*].trackingNumber') or jsonb_path_exists(o.fulfilments, '$[*].trackingUrl')
        or jsonb_path_exists(o.returns, '$[*].reason'))
    order by o.id limit ${batch}
  ) o
  order by o.id limit ${batch}`;

const hasOpenPage = buildOpenPaymentAttemptConditionSql('order', 'o.id');
const selectOpenOrders = `select o.id from orders o where o.customer_id = $1 and ${hasOpenPage} order by o.id`;
const selectUnpaidOrders = `
  select o.id from orders o where o.customer_id = $1 and o.created_at <= $2
    and (${hasOpenPage} or (o.status = 'PENDING' and o.payment_status in ('PENDING', 'FAILED') and o.expires_at is not null))`;

/** In the transaction of the deletion: a payment that arrives afterwards is refunded, also before the eraser runs. */
registerAccountDeletionHook(async (services, tx, { userId }) => {
  for (const { id } of await tx.sql<{ id: string }>(selectOpenOrders, [userId]))
    if (await lockOrder(tx, { id })) await closeOpenPaymentAttempts(services, tx, 'order', id);
});

/** Cancels unpaid checkouts, and closes payment pages that were opened at the time of the deletion. */
async function closeOpenOrders(services: Services, { userId, goneAt }: ErasedPerson): Promise<void> {
  const time = Math.floor(goneAt.getTime() / 1000);
  for (const { id } of await services.db.sql<{ id: string }>(selectUnpaidOrders, [userId, time]))
    await services.db.transaction(async (tx) => {
      const order = await lockOrder(tx, { id }, { withStock: true });
      if (order && !(await cancelUnpaidOrder(services, tx, order)))
        await closeOpenPaymentAttempts(services, tx, 'order', id);
    });
}

const beforeAll = '00000000-0000-0000-0000-000000000000';

const selectByContact = `
  select o.id from ${buildDistinctValuesSql('orders', 'business_id')} b
  cross join lateral (
    select o.id from orders o
    where o.business_id = b.id and o.contact_email = any($1::text[]) and o.created_at <= $2 and o.id > $3::uuid
    order by o.id limit ${batch}
  ) o
  order by o.id limit ${batch}`;

/** The person may also have ordered as a guest: such an order loses their contact. Its postal address may be that of another person. */
async function eraseContacts(services: Services, { contacts, goneAt }: ErasedPerson): Promise<void> {
  if (contacts.length === 0) return;
  const time = Math.floor(goneAt.getTime() / 1000);
  for (let after = beforeAll; ; ) {
    const rows = await services.db.sql<{ id: string }>(selectByContact, [contacts, time, after]);
    for (const { id } of rows)
      await services.db.transaction(async (tx) => {
        const order = await lockOrder(tx, { id });
        if (order) await saveOrder(services, tx, order, { ...order, ...withoutContact(order) });
      });
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = last.id;
  }
}

async function eraseOrders(services: Services, person: ErasedPerson): Promise<void> {
  await closeOpenOrders(services, person);
  await eraseContacts(services, person);
  const { userId } = person;
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
      ...withoutContact(order),
      fulfilments: order.fulfilments?.map(withoutTracking),
      returns: order.returns?.map((orderReturn) => ({ ...orderReturn, reason: undefined })),
    });
    await eraseParcelTrackingFromEvents(tx, order.businessId, id);
  });
}

/** Links that were mailed to the erased address end with it. */
const withoutContact = (order: Order): Pick<Order, 'contactEmail' | 'contactPhone' | 'linkVersion'> => ({
  contactEmail: undefined,
  contactPhone: undefined,
  linkVersion: order.contactEmail === undefined ? order.linkVersion : computeNextOrderLinkVersion(order),
});

/** A tracking number identifies the recipient at the carrier. */
const withoutTracking = (fulfilment: OrderFulfilment): OrderFulfilment => ({
  ...fulfilment,
  trackingNumber: undefined,
  trackingUrl: undefined,
});

const hasPersonalData = ({ blocks, shippingAddress, billingAddress, ...order }: Order): boolean =>
  blocks.length > 0 ||
  shippingAddress !== undefined ||
  billingAddress !== undefined ||
  order.contactEmail !== undefined ||
  order.contactPhone !== undefined ||
  Boolean(order.fulfilments?.some(({ trackingNumber, trackingUrl }) => trackingNumber ?? trackingUrl)) ||
  Boolean(order.returns?.some(({ reason }) => reason));

registerPersonalDataEraser(eraseOrders);
