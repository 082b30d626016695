/** What stories are told with: a shop, somebody who buys there, and what they do to an order, all as the model expects it. */
import { call } from '../call.ts';
import { demand } from '../fault.ts';
import { settleAll } from '../settle.ts';
import { type SeenOrder, sweep } from '../sweep.ts';
import type { KnownOrder, KnownProduct, KnownShop, World } from '../world.ts';
import { buy, type Cart } from './buying.ts';
import { pathOf, staffOf, type Turn } from './play.ts';
import { offer } from './products.ts';
import { readOrder } from './reading.ts';

export interface Story {
  world: World;
  shop: KnownShop;
  /** Whoever buys. */
  buyer: Turn;
  /** Whoever works there. */
  staff: Turn;
}

/** In either shop, by somebody who can buy, with ports that do what they are asked. */
export function begin(world: World, turn: Turn): Story {
  world.ports.trouble = undefined;
  const shop = turn.dice.one(world.shops);
  const buyer = turn.actor.signedIn ? turn : { ...turn, actor: world.actors.customer };
  return { world, shop, buyer, staff: { ...turn, actor: staffOf(world, shop) } };
}

/** Something of which a few are there, and something that nobody counts. */
export async function stocked({ world, shop, staff }: Story): Promise<KnownProduct> {
  const price = staff.dice.one([999, 4999]);
  const offers = [
    { price, inventory: { tracked: true, quantity: staff.dice.between(3, 9) } },
    { price: price + 1, inventory: { tracked: false } },
  ];
  const product = await offer(world, staff, { shop, status: 'ACTIVE', offers });
  demand(product !== undefined, 'story', () => 'no product');
  await sweep(world);
  return product;
}

/** So many of each. */
export const cartOf = (
  { shop }: Story,
  product: KnownProduct,
  quantity: number,
  promoCode?: string,
): Cart => ({
  shop,
  lines: product.variants.map((variant) => ({ product, variant, quantity })),
  shippingMethodId: 'standard',
  promoCode,
});

export interface Ordered {
  id: string;
  page: string;
}

export async function ordered({ world, buyer }: Story, cart: Cart): Promise<Ordered> {
  const body = await buy(world, buyer, cart);
  demand(body !== undefined, 'story', () => 'no order');
  await sweep(world);
  return { id: body.orderId, page: pageOf(body) };
}

export const pageOf = ({ checkoutUrl = '' }: { checkoutUrl?: string }): string =>
  checkoutUrl.split('/').at(-1) ?? '';

/** Whether the page could be paid; what follows is done. */
export async function pay({ world }: Story, page: string): Promise<boolean> {
  const event = await world.ports.sandbox.applyAction(page, 'pay');
  if (event) world.events.push(event);
  await work(world);
  return event !== undefined;
}

/** Staff send the customer to a new page; it is paid. */
export async function payByLink(story: Story, id: string): Promise<void> {
  const { world, shop, staff } = story;
  const link = await call<{ checkoutUrl: string }>(world, {
    operation: 'CreatePaymentLink',
    actor: staff.actor,
    voice: staff.voice,
    asked: { path: { ...pathOf(shop), id }, body: {} },
    expect: 200,
  });
  await pay(story, pageOf(link ?? {}));
}

/** All that went back of what was paid on the page, fails after all. */
export async function failRefunds({ world }: Story, page: string): Promise<void> {
  const refunds = (await world.ports.sandbox.find(page))?.refunds ?? {};
  for (const key of Object.keys(refunds)) {
    const event = await world.ports.sandbox.failRefund(page, key);
    if (event) world.events.push(event);
  }
  await work(world);
}

/** Something that staff do to the order, and all that follows; the same order is read by who may and who may not. */
export async function change(
  { world, shop, buyer, staff: { actor, voice } }: Story,
  { operation, id, body, expect = 200 }: { operation: string; id: string; body: object; expect?: number },
): Promise<SeenOrder> {
  const path = operation === 'UpdateOrder' ? pathOf(shop) : { ...pathOf(shop), id };
  const asked = { path, body: operation === 'UpdateOrder' ? { id, ...body } : { ...body } };
  await call(world, { operation, actor, voice, asked, expect });
  await work(world);
  const order = world.orders.find((known) => known.id === id) as KnownOrder;
  const other = world.shops[shop.number === 0 ? 1 : 0];
  await readOrder(world, order, { named: shop, actor: buyer.actor });
  await readOrder(world, order, { named: other, actor: staffOf(world, other) });
  return orderOf(world, id);
}

export async function work(world: World): Promise<void> {
  await settleAll(world);
  await sweep(world);
}

export function orderOf({ seen }: World, id: string): SeenOrder {
  const order = seen.records.get(id)?.order;
  demand(order !== undefined, 'story', () => `no order ${id}`);
  return order;
}

/** What was paid and is not back. */
export function expectKept(order: SeenOrder, kept: number): void {
  demand(
    order.captured - order.refunded === kept,
    'money of a story',
    () => `${JSON.stringify(order)}, ${kept}`,
  );
}
