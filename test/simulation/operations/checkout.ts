/** Quotes and checkouts: what is asked for, what it must cost, and whether it can be had. */
import { sendRequest, type OperationCall, callOperation, otherProtocol } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { hasPermission, type Totals, computeTotals } from '../model.ts';
import type { Dice } from '../seeded-random.ts';
import { shippingRates, taxBps } from '../create-shop.ts';
import {
  type Actor,
  type KnownProduct,
  type KnownShop,
  type KnownVariant,
  createSecretText,
  type World,
} from '../world.ts';
import { type PlayOperation, businessPath, pickShop, type OperationContext } from './operation.ts';

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
  const own = world.products.filter(({ shop: number, status, deleted: gone }) =>
    dice.chance(0.03) ? true : number === shop.number && status === 'ACTIVE' && !gone,
  );
  return Array.from({ length: dice.between(1, 2) }).flatMap(() => {
    const product = dice.pick(own);
    const variant = product && dice.pick(product.variants);
    return product && variant ? [{ product, variant, quantity: unitsOf(world, dice, variant) }] : [];
  });
}

/** A few; now and then one more than there is. */
function unitsOf({ observed: seen }: World, dice: Dice, { id }: KnownVariant): number {
  const few = dice.between(1, 3);
  return dice.chance(0.1) ? (seen.stock.get(id) ?? 0) + 1 : few;
}

function cartFor(world: World, dice: Dice): Cart | undefined {
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

const promoOf = ({ promos }: World, { shop, promoCode }: Cart) =>
  promos.find(
    ({ code, shop: number, deleted: gone }) => !gone && number === shop.number && code === promoCode?.toUpperCase(),
  );

export const isSold = ({ product, variant }: CartLine, shop: KnownShop): boolean =>
  product.shop === shop.number &&
  product.status === 'ACTIVE' &&
  !product.deleted &&
  product.variants.some(({ id }) => id === variant.id);

/** Whether the cart means something: all is sold here, and the code is one of this shop. */
function isPriced(world: World, cart: Cart): boolean {
  return (
    cart.lines.every((line) => isSold(line, cart.shop)) &&
    (cart.promoCode === undefined || promoOf(world, cart) !== undefined)
  );
}

export function isInStock({ observed: seen }: World, lines: readonly CartLine[]): boolean {
  const wanted = new Map<string, number>();
  for (const { variant, quantity } of lines) wanted.set(variant.id, (wanted.get(variant.id) ?? 0) + quantity);
  return lines.every(
    ({ variant }) => !variant.tracked || (wanted.get(variant.id) ?? 0) <= (seen.stock.get(variant.id) ?? 0),
  );
}

function isPromoLeft(world: World, cart: Cart): boolean {
  const promo = promoOf(world, cart);
  if (promo?.maxUses === undefined) return true;
  const uses = [...world.observed.records.values()].filter(
    ({ order }) => order && order.promoCode === promo.code && order.status !== 'CANCELLED',
  );
  return uses.length < promo.maxUses;
}

const priceOf = (world: World, cart: Cart): Totals =>
  computeTotals(
    cart.lines.map(({ variant: { price }, quantity }) => ({ price, quantity })),
    {
      taxBps,
      shipping: shippingRates[cart.shippingMethodId] ?? { price: 0 },
      promo: promoOf(world, cart)?.terms,
    },
  );

const wireCart = ({ shippingMethodId, promoCode }: Cart) => ({
  market: 'US',
  shippingMethodId,
  ...(promoCode === undefined ? {} : { promoCode }),
});

function checkTotals(expected: Totals, told: Totals, kind: string): void {
  const { subtotal, tax, shipping, discount, total } = told;
  const same = JSON.stringify({ subtotal, tax, shipping, discount, total }) === JSON.stringify(expected);
  assertContract(same, kind, () => `${JSON.stringify(told)}, expected ${JSON.stringify(expected)}`);
}

export const quote: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
  const cart = cartFor(world, dice);
  if (!cart) return;
  const body = await callOperation<Totals>(world, {
    operation: 'Quote',
    actor,
    protocol: voice,
    input: { body: { businessId: cart.shop.businessId, lines: cart.lines.map(lineInput), ...wireCart(cart) } },
    expectedStatus: !actor.signedIn
      ? 401
      : !isPriced(world, cart)
        ? 422
        : isPromoLeft(world, cart)
          ? 200
          : [200, 422],
  });
  if (body) checkTotals(priceOf(world, cart), body, 'price of a quote');
};

interface CheckoutBody {
  orderId: string;
  checkoutUrl?: string;
  status?: string;
}

export const checkout: PlayOperation = async (world, turn) => {
  const cart = cartFor(world, turn.dice);
  if (cart) await placeOrder(world, turn, cart);
};

/** The order, as the model expects it; undefined when the model expects none. */
export async function placeOrder(world: World, turn: OperationContext, cart: Cart): Promise<CheckoutBody | undefined> {
  const { actor, protocol: voice, dice } = turn;
  const mark = createSecretText(
    world,
    (reader) =>
      reader.person?.userId === actor.person?.userId || hasPermission(reader, 'ORDERS_READ', cart.shop.number),
  );
  const isFine = isPriced(world, cart) && isInStock(world, cart.lines) && isPromoLeft(world, cart);
  const { failure: trouble } = world.ports;
  const request = {
    operation: 'Checkout',
    actor,
    asked: {
      path: businessPath(cart.shop),
      body: {
        items: cart.lines.map(lineInput),
        blocks: [{ id: 'note', type: 'TEXT', value: mark }],
        ...wireCart(cart),
      },
    },
    idempotencyKey: mark,
  };
  const expected = priceOf(world, cart);
  const body = await callOperation<CheckoutBody>(world, {
    ...request,
    protocol: voice,
    expectedStatus: !actor.signedIn ? 401 : !isFine ? 422 : trouble && expected.total > 0 ? [200, 503] : 200,
  });
  if (!body) {
    await noteLeftOver(world, mark, cart.shop, actor);
    return undefined;
  }
  assertContract(
    expected.total === 0 ? body.status === 'COMPLETED' : body.checkoutUrl !== undefined,
    'answer of a checkout',
    () => JSON.stringify({ body, expected }),
  );
  recordOrder(world, body.orderId, cart.shop, actor);
  if (body.checkoutUrl) world.paymentPages.push(body.checkoutUrl.split('/').at(-1) ?? '');
  if (dice.chance(0.2)) {
    const again = await sendRequest(world, { ...request, protocol: otherProtocol(voice) });
    const isSame = again.status === 200 && (again.body as CheckoutBody).orderId === body.orderId;
    assertContract(isSame || trouble !== undefined, 'repeated checkout', () => JSON.stringify({ body, again }));
  }
  if (dice.chance(0.2)) await reuseKey(world, { ...request, protocol: voice }, dice);
  await checkTaken(world, body.orderId, cart, expected);
  return body;
}

/** A key that stood for one request stands for no other. */
async function reuseKey(world: World, request: Omit<OperationCall, 'expectedStatus'>, dice: Dice): Promise<void> {
  const body = { ...request.input.body, shippingMethodId: dice.oneOf(['elsewhere', 'nowhere']) };
  await callOperation(world, { ...request, input: { ...request.input, body }, expectedStatus: 409 });
}

/** A checkout without a payment page leaves nothing, or an order that is cancelled. */
async function noteLeftOver(world: World, mark: string, shop: KnownShop, actor: Actor): Promise<void> {
  const left = await world.t.db.sql<{ id: string; status: string }>(
    `select id, status from orders where blocks @> jsonb_build_array(jsonb_build_object('value', $1::text))`,
    [mark],
  );
  for (const { id, status } of left) {
    assertContract(status === 'CANCELLED', 'order of a failed checkout', () => `${id} is ${status}`);
    recordOrder(world, id, shop, actor);
  }
}

export function recordOrder(world: World, id: string, shop: KnownShop, customer: Actor | undefined): void {
  world.orders.push({ id, shop: shop.number, deleted: false, customer: customer?.person?.userId });
}

/** An order costs what the model says, and took from tracked stock what it sells. */
async function checkTaken(world: World, orderId: string, cart: Cart, expected: Totals): Promise<void> {
  const [order] = await world.t.db.sql<
    Totals & { lines: { variantId: string; quantity: number; taken?: number }[] }
  >('select subtotal, tax, shipping, discount, total, lines from orders where id = $1', [orderId]);
  assertContract(order !== undefined, 'order of a checkout', () => orderId);
  checkTotals(expected, order, 'price of a checkout');
  const isTracked = (id: string) => cart.lines.some(({ variant }) => variant.id === id && variant.tracked);
  for (const { variantId, quantity, taken } of order.lines)
    assertContract(taken === (isTracked(variantId) ? quantity : 0), 'stock of a checkout', () =>
      JSON.stringify(order.lines),
    );
}
