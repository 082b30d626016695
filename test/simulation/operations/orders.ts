/** Operations of staff and customers on orders. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { creditsOf } from '../credit-ledger.ts';
import {
  changeStatus,
  createStatus,
  expectedAmountDue,
  hasPermission,
  isOrderTransition,
  isPaymentTransition,
  orderStatuses,
  paymentStatuses,
} from '../model.ts';
import type { ObservedOrder } from '../record-invariants.ts';
import type { Dice } from '../seeded-random.ts';
import { orderReadStatus } from '../visibility.ts';
import { createSecretText, type KnownOrder, type World } from '../world.ts';
import { isInStock, lineInput, pickLines, recordOrder } from './checkout.ts';
import { businessPath, type PlayOperation, pickAddress, pickShop } from './operation.ts';

const findObserved = ({ observed }: World, { id }: KnownOrder): ObservedOrder | undefined =>
  observed.records.get(id)?.order;

const pickOrder = (world: World, dice: Dice): { order: KnownOrder; seen: ObservedOrder } | undefined => {
  // Mostly new orders, which can still change.
  const order = dice.pick(dice.chance(0.7) ? world.orders.slice(-12) : world.orders);
  const observed = order && findObserved(world, order);
  return order && observed && { order, seen: observed };
};

/** An order with a refund, if there is one. */
const pickRefunded = (world: World, dice: Dice): ReturnType<typeof pickOrder> => {
  const refundedOrders = world.orders.filter((order) => (findObserved(world, order)?.refunded ?? 0) > 0);
  const order = dice.pick(refundedOrders);
  const observed = order && findObserved(world, order);
  return order && observed && { order, seen: observed };
};

/** An order is cancelled as a whole, so not once units were shipped. */
const canBecome = ({ status, fulfilments }: ObservedOrder, next: string): boolean =>
  isOrderTransition(status, next) && !(next === 'CANCELLED' && next !== status && fulfilments?.length);

/** An order with restocked units that can still be cancelled: cancellation returns only the remaining units. */
const pickRestocked = (world: World, dice: Dice): ReturnType<typeof pickOrder> => {
  const restocked = world.orders.flatMap((order) => {
    const observed = findObserved(world, order);
    if (!observed || !canBecome(observed, 'CANCELLED')) return [];
    return observed.lines.some(({ restocked: units = 0 }) => units > 0) ? [{ order, seen: observed }] : [];
  });
  return dice.pick(restocked);
};

export const createOrder: PlayOperation = async (world, { actor, protocol, dice }) => {
  const shop = pickShop(world, dice, actor);
  const lines = pickLines(world, dice, shop);
  if (lines.length === 0) return;
  const secretText = createSecretText(world, (reader) => hasPermission(reader, 'ORDERS_READ', shop.number));
  const isAvailable = lines.every(
    ({ product, variant }) =>
      product.shop === shop.number &&
      !product.deleted &&
      product.variants.some(({ id }) => id === variant.id),
  );
  const access = createStatus(actor, 'ORDERS_WRITE', shop.number);
  const body = await callOperation<{ id: string }>(world, {
    operation: 'CreateOrder',
    actor,
    protocol,
    input: {
      path: businessPath(shop),
      body: {
        market: 'US',
        lines: lines.map((line) => ({ ...lineInput(line), unitPrice: line.variant.price })),
        blocks: [{ id: 'note', type: 'TEXT', value: secretText }],
      },
    },
    expectedStatus: access !== 200 ? access : isAvailable && isInStock(world, lines) ? 200 : 422,
    idempotencyKey: secretText,
  });
  if (body) recordOrder(world, body.id, shop, undefined);
};

/** Changes lines or shipping. Lines of a shipped, cancelled or refunded order cannot change. */
export const updateOrder: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const selection = pickOrder(world, dice);
  if (!selection) return;
  const { order, seen: observed } = selection;
  const { named: addressedShop, actor } = pickAddress(world, dice, order, caller);
  const access = changeStatus(actor, 'ORDERS_WRITE', addressedShop.number, order);
  const factor = dice.between(1, 3);
  const lines = dice.chance(0.7)
    ? observed.lines
        .slice(dice.chance(0.15) && observed.lines.length > 1 ? 1 : 0)
        .map(({ productId, variantId, quantity, unitPrice }) => ({
          productId,
          variantId,
          quantity: dice.chance(0.5) ? factor : quantity,
          unitPrice,
        }))
    : undefined;
  const isClosed = observed.status !== 'PENDING' && observed.status !== 'PROCESSING';
  const isUnchanged =
    !lines || JSON.stringify(lines.map(lineKey)) === JSON.stringify(observed.lines.map(lineKey));
  const before = world.observed.records.get(order.id)?.version ?? 0;
  const body = await callOperation<{ version: number }>(world, {
    operation: 'UpdateOrder',
    actor,
    protocol,
    input: {
      path: businessPath(addressedShop),
      body: { id: order.id, ...(lines ? { lines, tax: 0, discount: 0 } : { shipping: factor * 100 }) },
    },
    expectedStatus: access !== 200 ? access : isClosed && !isUnchanged ? 422 : [200, 409, 422],
  });
  if (body)
    assertContract(
      body.version === before + 1,
      'version of an order',
      () => `${before} became ${body.version}`,
    );
};

const lineKey = ({
  variantId,
  quantity,
  unitPrice,
}: Pick<ObservedOrder['lines'][number], 'variantId' | 'quantity' | 'unitPrice'>) => [
  variantId,
  quantity,
  unitPrice,
];

export const setOrderStatus: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const restocked = dice.chance(0.5) ? pickRestocked(world, dice) : undefined;
  const selection =
    restocked ?? (dice.chance(0.3) ? pickRefunded(world, dice) : undefined) ?? pickOrder(world, dice);
  if (!selection) return;
  const { order, seen: observed } = selection;
  const { named: addressedShop, actor } = pickAddress(world, dice, order, caller);
  const status = dice.chance(restocked ? 0.9 : 0.4) ? 'CANCELLED' : dice.oneOf(orderStatuses);
  const access = changeStatus(actor, 'ORDERS_WRITE', addressedShop.number, order);
  const body = await callOperation<{ statuses: { status: string }[] }>(world, {
    operation: 'SetOrderStatus',
    actor,
    protocol,
    input: {
      path: { ...businessPath(addressedShop), id: order.id },
      body: { status, ...(dice.chance(0.2) ? { refund: false } : {}) },
    },
    expectedStatus: access !== 200 ? access : canBecome(observed, status) ? 200 : 422,
  });
  if (body)
    assertContract(body.statuses.at(-1)?.status === status, 'status of an order', () =>
      JSON.stringify(body.statuses),
    );
};

export const setPaymentStatus: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const selection = pickOrder(world, dice);
  if (!selection) return;
  const { order, seen: observed } = selection;
  const { named: addressedShop, actor } = pickAddress(world, dice, order, caller);
  const status = dice.oneOf(paymentStatuses);
  const access = changeStatus(actor, 'ORDERS_WRITE', addressedShop.number, order);
  await callOperation(world, {
    operation: 'SetPaymentStatus',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: order.id }, body: { status } },
    expectedStatus: access !== 200 ? access : isPaymentTransition(observed.payment, status) ? 200 : 422,
  });
};

export const refundOrder: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const refundable = world.orders.filter((order) => {
    const { captured = 0, refunded = 0 } = findObserved(world, order) ?? {};
    return captured > refunded;
  });
  const order = dice.pick(refundable.length > 0 && dice.chance(0.85) ? refundable : world.orders);
  const observed = order && findObserved(world, order);
  if (!order || !observed) return;
  const { named: addressedShop, actor } = pickAddress(world, dice, order, caller);
  const access = changeStatus(actor, 'ORDERS_WRITE', addressedShop.number, order);
  const refundInput = pickRefundInput(observed, dice);
  const exceedsCaptured =
    (refundInput.amount ?? 0) > observed.captured - observed.refunded ||
    observed.captured === observed.refunded;
  await callOperation(world, {
    operation: 'RefundOrder',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: order.id }, body: refundInput },
    expectedStatus: access !== 200 ? access : exceedsCaptured ? 422 : [200, 422],
  });
};

function pickRefundInput(
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

export const paymentLink: PlayOperation = async (world, { actor: caller, protocol, dice }) => {
  const selection = (dice.chance(0.3) ? pickRefunded(world, dice) : undefined) ?? pickOrder(world, dice);
  if (!selection) return;
  const { order, seen: observed } = selection;
  const { named: addressedShop, actor } = pickAddress(world, dice, order, caller);
  const isVisible = addressedShop.number === order.shop && orderReadStatus(actor, order) === 200;
  const due = expectedAmountDue(observed, creditsOf(world, order.id));
  const isDue = due === undefined || due > 0;
  const rejection = !actor.signedIn ? 401 : !isVisible ? 404 : !isDue ? 422 : undefined;
  const body = await callOperation<{ checkoutUrl: string }>(world, {
    operation: 'CreatePaymentLink',
    actor,
    protocol,
    input: { path: { ...businessPath(addressedShop), id: order.id }, body: {} },
    // Customers cannot extend the payment window beyond a day; a failing provider opens no page.
    expectedStatus:
      rejection ??
      (world.ports.failure
        ? [200, 422, 503]
        : hasPermission(actor, 'ORDERS_WRITE', order.shop) && due !== undefined
          ? 200
          : [200, 422]),
  });
  if (body) world.paymentPages.push(body.checkoutUrl.split('/').at(-1) ?? '');
};
