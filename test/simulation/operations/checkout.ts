/** Quotes and checkouts: generates carts, and checks prices, stock and availability against the model. */
import { callOperation, type OperationCall, otherProtocol, sendRequest } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { shippingRates, taxTerms } from '../create-shop.ts';
import { computeTotals, findShareProblem, hasPermission, type Totals, taxRateOf } from '../model.ts';
import type { Dice } from '../seeded-random.ts';
import {
  type Actor,
  createSecretText,
  type KnownProduct,
  type KnownShop,
  type KnownVariant,
  type World,
} from '../world.ts';
import { businessPath, type OperationContext, type PlayOperation, pickShop } from './operation.ts';

export interface CartLine {
  product: KnownProduct;
  variant: KnownVariant;
  quantity: number;
}

export interface Cart {
  shop: KnownShop;
  lines: CartLine[];
  shippingMethodId: string;
  promoCode?: string | undefined;
}

export const lineInput = ({ product, variant, quantity }: CartLine) => ({
  productId: product.id,
  variantId: variant.id,
  quantity,
});

export function pickLines(world: World, dice: Dice, shop: KnownShop): CartLine[] {
  const candidates = world.products.filter(({ shop: number, status, deleted }) =>
    dice.chance(0.03) ? true : number === shop.number && status === 'ACTIVE' && !deleted,
  );
  return Array.from({ length: dice.between(1, 2) }).flatMap(() => {
    const product = dice.pick(candidates);
    const variant = product && dice.pick(product.variants);
    return product && variant ? [{ product, variant, quantity: pickQuantity(world, dice, variant) }] : [];
  });
}

/** 1 to 3 units; sometimes one more than in stock. */
function pickQuantity({ observed }: World, dice: Dice, { id }: KnownVariant): number {
  const usualQuantity = dice.between(1, 3);
  return dice.chance(0.1) ? (observed.stock.get(id) ?? 0) + 1 : usualQuantity;
}

function pickCart(world: World, dice: Dice): Cart | undefined {
  const shop = pickShop(world, dice);
  const lines = pickLines(world, dice, shop);
  if (lines.length === 0) return undefined;
  const promo = dice.chance(0.3) ? dice.pick(world.promos) : undefined;
  return {
    shop,
    lines,
    shippingMethodId: dice.oneOf(['standard', 'standard', 'pickup']),
    ...(promo ? { promoCode: dice.chance(0.5) ? promo.code : promo.code.toLowerCase() } : {}),
  };
}

const findPromoCode = ({ promos }: World, { shop, promoCode }: Cart) =>
  promos.find(
    ({ code, shop: number, deleted }) =>
      !deleted && number === shop.number && code === promoCode?.toUpperCase(),
  );

export const isOnSale = ({ product, variant }: CartLine, shop: KnownShop): boolean =>
  product.shop === shop.number &&
  product.status === 'ACTIVE' &&
  !product.deleted &&
  product.variants.some(({ id }) => id === variant.id);

/** Whether the cart has a price: all variants are on sale in this business, and so is the promo code. */
function hasPrice(world: World, cart: Cart): boolean {
  return (
    cart.lines.every((line) => isOnSale(line, cart.shop)) &&
    (cart.promoCode === undefined || findPromoCode(world, cart) !== undefined)
  );
}

export function isInStock({ observed }: World, lines: readonly CartLine[]): boolean {
  const requestedUnits = new Map<string, number>();
  for (const { variant, quantity } of lines)
    requestedUnits.set(variant.id, (requestedUnits.get(variant.id) ?? 0) + quantity);
  return lines.every(
    ({ variant }) =>
      !variant.tracked || (requestedUnits.get(variant.id) ?? 0) <= (observed.stock.get(variant.id) ?? 0),
  );
}

function isPromoCodeAvailable(world: World, cart: Cart): boolean {
  const promo = findPromoCode(world, cart);
  if (promo?.maxUses === undefined) return true;
  const orders = [...world.observed.records.values()].filter(
    ({ order }) => order && order.promoCode === promo.code && order.status !== 'CANCELLED',
  );
  return orders.length < promo.maxUses;
}

/** The lines of a response with their shares. */
type Shares = { variantId: string; discount: number; tax: number }[];

/** Totals by the rates of the products; the shares of the discount are those of the response. */
function expectedTotals(world: World, cart: Cart, shares: Shares): Totals {
  const lines = cart.lines.map(({ product, variant: { price }, quantity }, index) => ({
    price,
    quantity,
    discount: shares[index]?.discount ?? 0,
    tax: shares[index]?.tax ?? 0,
    taxBps: taxRateOf(taxTerms[cart.shop.number], product.category),
  }));
  const totals = computeTotals(lines, {
    shipping: shippingRates[cart.shippingMethodId] ?? { price: 0 },
    promo: findPromoCode(world, cart)?.terms,
  });
  const problem = shares.length > 0 && findShareProblem(lines, totals, true);
  assertContract(!problem, 'shares of a cart', () => `${problem}: ${JSON.stringify({ lines, totals })}`);
  return totals;
}

/** Nothing is taxed where nothing is left after the discount. */
function costsAnything(world: World, cart: Cart): boolean {
  const { subtotal, discount, shipping } = expectedTotals(world, cart, []);
  return subtotal - discount + shipping > 0;
}

const cartInput = ({ shippingMethodId, promoCode }: Cart) => ({
  market: 'US',
  shippingMethodId,
  ...(promoCode === undefined ? {} : { promoCode }),
});

function checkTotals(expected: Totals, actual: Totals, kind: string): void {
  const { subtotal, tax, shipping, discount, total } = actual;
  const isEqual = JSON.stringify({ subtotal, tax, shipping, discount, total }) === JSON.stringify(expected);
  assertContract(isEqual, kind, () => `${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
}

export const quote: PlayOperation = async (world, { actor, protocol, dice }) => {
  const cart = pickCart(world, dice);
  if (!cart) return;
  const body = await callOperation<Totals & { lines: Shares }>(world, {
    operation: 'Quote',
    actor,
    protocol,
    input: {
      body: { businessId: cart.shop.businessId, lines: cart.lines.map(lineInput), ...cartInput(cart) },
    },
    expectedStatus: !actor.signedIn
      ? 401
      : !hasPrice(world, cart)
        ? 422
        : isPromoCodeAvailable(world, cart)
          ? 200
          : [200, 422],
  });
  if (body) checkTotals(expectedTotals(world, cart, body.lines), body, 'price of a quote');
};

interface CheckoutBody {
  orderId: string;
  checkoutUrl?: string;
  status?: string;
}

export const checkout: PlayOperation = async (world, context) => {
  const cart = pickCart(world, context.dice);
  if (cart) await placeOrder(world, context, cart);
};

/** Checks out a cart and verifies the order; undefined if the model expects a rejection. */
export async function placeOrder(
  world: World,
  context: OperationContext,
  cart: Cart,
): Promise<CheckoutBody | undefined> {
  const { actor, protocol, dice } = context;
  const secretText = createSecretText(
    world,
    (reader) =>
      reader.person?.userId === actor.person?.userId ||
      hasPermission(reader, 'ORDERS_READ', cart.shop.number),
  );
  const isAccepted =
    hasPrice(world, cart) && isInStock(world, cart.lines) && isPromoCodeAvailable(world, cart);
  const { failure } = world.ports;
  const request = {
    operation: 'Checkout',
    actor,
    input: {
      path: businessPath(cart.shop),
      body: {
        items: cart.lines.map(lineInput),
        blocks: [{ id: 'note', type: 'TEXT', value: secretText }],
        ...cartInput(cart),
      },
    },
    idempotencyKey: secretText,
  };
  const isPayable = costsAnything(world, cart);
  const body = await callOperation<CheckoutBody>(world, {
    ...request,
    protocol,
    expectedStatus: !actor.signedIn ? 401 : !isAccepted ? 422 : failure && isPayable ? [200, 503] : 200,
  });
  if (!body) {
    await checkFailedCheckout(world, secretText, cart.shop, actor);
    return undefined;
  }
  assertContract(
    isPayable ? body.checkoutUrl !== undefined : body.status === 'COMPLETED',
    'response of a checkout',
    () => JSON.stringify({ body, isPayable }),
  );
  recordOrder(world, body.orderId, cart.shop, actor);
  if (body.checkoutUrl) world.paymentPages.push(body.checkoutUrl.split('/').at(-1) ?? '');
  if (dice.chance(0.2)) {
    const repeated = await sendRequest(world, { ...request, protocol: otherProtocol(protocol) });
    const isSame = repeated.status === 200 && (repeated.body as CheckoutBody).orderId === body.orderId;
    assertContract(isSame || failure !== undefined, 'repeated checkout', () =>
      JSON.stringify({ body, again: repeated }),
    );
  }
  if (dice.chance(0.2)) await reuseKey(world, { ...request, protocol }, dice);
  await checkOrder(world, body.orderId, cart);
  return body;
}

/** An idempotency key cannot be reused for another request. */
async function reuseKey(
  world: World,
  request: Omit<OperationCall, 'expectedStatus'>,
  dice: Dice,
): Promise<void> {
  const body = { ...request.input.body, shippingMethodId: dice.oneOf(['elsewhere', 'nowhere']) };
  await callOperation(world, { ...request, input: { ...request.input, body }, expectedStatus: 409 });
}

/** A failed checkout leaves no order, or a cancelled one. */
export async function checkFailedCheckout(
  world: World,
  secretText: string,
  shop: KnownShop,
  actor: Actor,
): Promise<void> {
  const orders = await world.t.db.sql<{ id: string; status: string }>(
    `select id, status from orders where blocks @> jsonb_build_array(jsonb_build_object('value', $1::text))`,
    [secretText],
  );
  for (const { id, status } of orders) {
    assertContract(status === 'CANCELLED', 'order of a failed checkout', () => `${id} is ${status}`);
    recordOrder(world, id, shop, actor);
  }
}

export function recordOrder(world: World, id: string, shop: KnownShop, customer: Actor | undefined): void {
  world.orders.push({ id, shop: shop.number, deleted: false, customer: customer?.person?.userId });
}

/** The order has the price of the model, and took its units from tracked stock. */
async function checkOrder(world: World, orderId: string, cart: Cart): Promise<void> {
  const [order] = await world.t.db.sql<
    Totals & { lines: (Shares[number] & { quantity: number; taken?: number })[] }
  >('select subtotal, tax, shipping, discount, total, lines from orders where id = $1', [orderId]);
  assertContract(order !== undefined, 'order of a checkout', () => orderId);
  checkTotals(expectedTotals(world, cart, order.lines), order, 'price of a checkout');
  const isTracked = (id: string) => cart.lines.some(({ variant }) => variant.id === id && variant.tracked);
  for (const { variantId, quantity, taken } of order.lines)
    assertContract(taken === (isTracked(variantId) ? quantity : 0), 'stock of a checkout', () =>
      JSON.stringify(order.lines),
    );
}
