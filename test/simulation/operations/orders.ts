/** What staff and customers do to orders. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import {
  expectedAmountDue,
  hasPermission,
  isOrderTransition,
  isPaymentTransition,
  orderStatuses,
  paymentStatuses,
  changeStatus,
  createStatus,
} from '../model.ts';
import type { Dice } from '../seeded-random.ts';
import type { ObservedOrder } from '../record-invariants.ts';
import { orderReadStatus } from '../visibility.ts';
import { type KnownOrder, createSecretText, type World } from '../world.ts';
import { isInStock, pickLines, recordOrder, lineInput } from './checkout.ts';
import { type PlayOperation, businessPath, pickShop, pickAddress } from './operation.ts';

const seenOf = ({ observed: seen }: World, { id }: KnownOrder): ObservedOrder | undefined => seen.records.get(id)?.order;

const pickOrder = (world: World, dice: Dice): { order: KnownOrder; seen: ObservedOrder } | undefined => {
  // The newest are the ones that still move.
  const order = dice.pick(dice.chance(0.7) ? world.orders.slice(-12) : world.orders);
  const seen = order && seenOf(world, order);
  return order && seen && { order, seen };
};

/** One whose money went back in part, if there is any: it is due again, and part of it may be back in stock. */
const pickReturned = (world: World, dice: Dice): ReturnType<typeof pickOrder> => {
  const returned = world.orders.filter((order) => (seenOf(world, order)?.refunded ?? 0) > 0);
  const order = dice.pick(returned);
  const seen = order && seenOf(world, order);
  return order && seen && { order, seen };
};

/** One that has given back a part of its goods and can still be cancelled: the rest comes back, and no more. */
const pickRestocked = (world: World, dice: Dice): ReturnType<typeof pickOrder> => {
  const restocked = world.orders.flatMap((order) => {
    const seen = seenOf(world, order);
    if (!seen || !isOrderTransition(seen.status, 'CANCELLED')) return [];
    return seen.lines.some(({ restocked: units = 0 }) => units > 0) ? [{ order, seen }] : [];
  });
  return dice.pick(restocked);
};

export const createOrder: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
  const shop = pickShop(world, dice, actor);
  const lines = pickLines(world, dice, shop);
  if (lines.length === 0) return;
  const mark = createSecretText(world, (reader) => hasPermission(reader, 'ORDERS_READ', shop.number));
  const isHere = lines.every(
    ({ product, variant }) =>
      product.shop === shop.number && !product.deleted && product.variants.some(({ id }) => id === variant.id),
  );
  const access = createStatus(actor, 'ORDERS_WRITE', shop.number);
  const body = await callOperation<{ id: string }>(world, {
    operation: 'CreateOrder',
    actor,
    protocol: voice,
    input: {
      path: businessPath(shop),
      body: {
        market: 'US',
        lines: lines.map((line) => ({ ...lineInput(line), unitPrice: line.variant.price })),
        blocks: [{ id: 'note', type: 'TEXT', value: mark }],
      },
    },
    expectedStatus: access !== 200 ? access : isHere && isInStock(world, lines) ? 200 : 422,
    idempotencyKey: mark,
  });
  if (body) recordOrder(world, body.id, shop, undefined);
};

/** Whether the order is there, and who may write it. */
export const updateOrder: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const picked = pickOrder(world, dice);
  if (!picked) return;
  const { order, seen } = picked;
  const { named, actor } = pickAddress(world, dice, order, asker);
  const access = changeStatus(actor, 'ORDERS_WRITE', named.number, order);
  const factor = dice.between(1, 3);
  const lines = dice.chance(0.7)
    ? seen.lines
        .slice(dice.chance(0.15) && seen.lines.length > 1 ? 1 : 0)
        .map(({ productId, variantId, quantity, unitPrice }) => ({
          productId,
          variantId,
          quantity: dice.chance(0.5) ? factor : quantity,
          unitPrice,
        }))
    : undefined;
  const isOver = seen.status !== 'PENDING' && seen.status !== 'PROCESSING';
  const isSame = !lines || JSON.stringify(lines.map(essence)) === JSON.stringify(seen.lines.map(essence));
  const before = world.observed.records.get(order.id)?.version ?? 0;
  const body = await callOperation<{ version: number }>(world, {
    operation: 'UpdateOrder',
    actor,
    protocol: voice,
    input: {
      path: businessPath(named),
      body: { id: order.id, ...(lines ? { lines, tax: 0, discount: 0 } : { shipping: factor * 100 }) },
    },
    expectedStatus: access !== 200 ? access : isOver && !isSame ? 422 : [200, 409, 422],
  });
  if (body)
    assertContract(body.version === before + 1, 'version of an order', () => `${before} became ${body.version}`);
};

const essence = ({ variantId, quantity, unitPrice }: ObservedOrder['lines'][number]) => [
  variantId,
  quantity,
  unitPrice,
];

export const setOrderStatus: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const restocked = dice.chance(0.5) ? pickRestocked(world, dice) : undefined;
  const picked =
    restocked ?? (dice.chance(0.3) ? pickReturned(world, dice) : undefined) ?? pickOrder(world, dice);
  if (!picked) return;
  const { order, seen } = picked;
  const { named, actor } = pickAddress(world, dice, order, asker);
  const status = dice.chance(restocked ? 0.9 : 0.4) ? 'CANCELLED' : dice.oneOf(orderStatuses);
  const access = changeStatus(actor, 'ORDERS_WRITE', named.number, order);
  const body = await callOperation<{ statuses: { status: string }[] }>(world, {
    operation: 'SetOrderStatus',
    actor,
    protocol: voice,
    input: {
      path: { ...businessPath(named), id: order.id },
      body: { status, ...(dice.chance(0.2) ? { refund: false } : {}) },
    },
    expectedStatus: access !== 200 ? access : isOrderTransition(seen.status, status) ? 200 : 422,
  });
  if (body)
    assertContract(body.statuses.at(-1)?.status === status, 'status of an order', () =>
      JSON.stringify(body.statuses),
    );
};

export const setPaymentStatus: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const picked = pickOrder(world, dice);
  if (!picked) return;
  const { order, seen } = picked;
  const { named, actor } = pickAddress(world, dice, order, asker);
  const status = dice.oneOf(paymentStatuses);
  const access = changeStatus(actor, 'ORDERS_WRITE', named.number, order);
  await callOperation(world, {
    operation: 'SetPaymentStatus',
    actor,
    protocol: voice,
    input: { path: { ...businessPath(named), id: order.id }, body: { status } },
    expectedStatus: access !== 200 ? access : isPaymentTransition(seen.payment, status) ? 200 : 422,
  });
};

export const refundOrder: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const paid = world.orders.filter((order) => {
    const { captured = 0, refunded = 0 } = seenOf(world, order) ?? {};
    return captured > refunded;
  });
  const order = dice.pick(paid.length > 0 && dice.chance(0.85) ? paid : world.orders);
  const seen = order && seenOf(world, order);
  if (!order || !seen) return;
  const { named, actor } = pickAddress(world, dice, order, asker);
  const access = changeStatus(actor, 'ORDERS_WRITE', named.number, order);
  const wish = wishFor(seen, dice);
  const isTooMuch = (wish.amount ?? 0) > seen.captured - seen.refunded || seen.captured === seen.refunded;
  await callOperation(world, {
    operation: 'RefundOrder',
    actor,
    protocol: voice,
    input: { path: { ...businessPath(named), id: order.id }, body: wish },
    expectedStatus: access !== 200 ? access : isTooMuch ? 422 : [200, 422],
  });
};

function wishFor(
  { captured, lines }: ObservedOrder,
  dice: Dice,
): { amount?: number; lines?: object[]; restock?: boolean } {
  const restock = dice.chance(0.75) ? { restock: true } : {};
  if (dice.chance(0.3))
    return { amount: dice.between(1, Math.max(2, captured)), ...(dice.chance(0.1) ? restock : {}) };
  if (dice.chance(0.3)) return restock;
  const line = dice.between(0, Math.max(0, lines.length - 1));
  return { lines: [{ line, quantity: dice.between(1, lines[line]?.quantity ?? 1) }], ...restock };
}

export const paymentLink: PlayOperation = async (world, { actor: asker, protocol: voice, dice }) => {
  const picked = (dice.chance(0.3) ? pickReturned(world, dice) : undefined) ?? pickOrder(world, dice);
  if (!picked) return;
  const { order, seen } = picked;
  const { named, actor } = pickAddress(world, dice, order, asker);
  const isSeen = named.number === order.shop && orderReadStatus(actor, order) === 200;
  const isDue = expectedAmountDue(seen) > 0;
  const refused = !actor.signedIn ? 401 : !isSeen ? 404 : !isDue ? 422 : undefined;
  const body = await callOperation<{ checkoutUrl: string }>(world, {
    operation: 'CreatePaymentLink',
    actor,
    protocol: voice,
    input: { path: { ...businessPath(named), id: order.id }, body: {} },
    // Customers get no more time than a day; a provider in trouble gives no page.
    expectedStatus:
      refused ??
      (world.ports.failure ? [200, 422, 503] : hasPermission(actor, 'ORDERS_WRITE', order.shop) ? 200 : [200, 422]),
  });
  if (body) world.paymentPages.push(body.checkoutUrl.split('/').at(-1) ?? '');
};
