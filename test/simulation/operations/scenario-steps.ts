/** What stories are told with: a shop, somebody who buys there, and what they do to an order, all as the model expects it. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { runAllJobs } from '../run-jobs.ts';
import { type ObservedOrder, checkRecords } from '../record-invariants.ts';
import type { KnownOrder, KnownProduct, KnownShop, World } from '../world.ts';
import { placeOrder, type Cart } from './checkout.ts';
import { businessPath, adminOf, type OperationContext } from './operation.ts';
import { addProduct } from './products.ts';
import { readOrder } from './reads.ts';

export interface Scenario {
  world: World;
  shop: KnownShop;
  /** Whoever buys. */
  buyer: OperationContext;
  /** Whoever works there. */
  staff: OperationContext;
}

/** In either shop, by somebody who can buy, with ports that do what they are asked. */
export function beginScenario(world: World, turn: OperationContext): Scenario {
  world.ports.failure = undefined;
  const shop = turn.dice.oneOf(world.shops);
  const buyer = turn.actor.signedIn ? turn : { ...turn, actor: world.actors.customer };
  return { world, shop, buyer, staff: { ...turn, actor: adminOf(world, shop) } };
}

/** Something of which a few are there, and something that nobody counts. */
export async function addStockedProduct({ world, shop, staff }: Scenario): Promise<KnownProduct> {
  const price = staff.dice.oneOf([999, 4999]);
  const offers = [
    { price, inventory: { tracked: true, quantity: staff.dice.between(3, 9) } },
    { price: price + 1, inventory: { tracked: false } },
  ];
  const product = await addProduct(world, staff, { shop, status: 'ACTIVE', offers });
  assertContract(product !== undefined, 'story', () => 'no product');
  await checkRecords(world);
  return product;
}

/** So many of each. */
export const createCart = (
  { shop }: Scenario,
  product: KnownProduct,
  quantity: number,
  promoCode?: string,
): Cart => ({
  shop,
  lines: product.variants.map((variant) => ({ product, variant, quantity })),
  shippingMethodId: 'standard',
  promoCode,
});

export interface PlacedOrder {
  id: string;
  page: string;
}

export async function orderCart({ world, buyer }: Scenario, cart: Cart): Promise<PlacedOrder> {
  const body = await placeOrder(world, buyer, cart);
  assertContract(body !== undefined, 'story', () => 'no order');
  await checkRecords(world);
  return { id: body.orderId, page: paymentPageId(body) };
}

export const paymentPageId = ({ checkoutUrl = '' }: { checkoutUrl?: string }): string =>
  checkoutUrl.split('/').at(-1) ?? '';

/** Whether the page could be paid; what follows is done. */
export async function payPage({ world }: Scenario, page: string): Promise<boolean> {
  const event = await world.ports.sandbox.applyAction(page, 'pay');
  if (event) world.events.push(event);
  await runJobsAndCheck(world);
  return event !== undefined;
}

/** Staff send the customer to a new page; it is paid. */
export async function payByLink(story: Scenario, id: string): Promise<void> {
  const { world, shop, staff } = story;
  const link = await callOperation<{ checkoutUrl: string }>(world, {
    operation: 'CreatePaymentLink',
    actor: staff.actor,
    protocol: staff.protocol,
    input: { path: { ...businessPath(shop), id }, body: {} },
    expectedStatus: 200,
  });
  await payPage(story, paymentPageId(link ?? {}));
}

/** All that went back of what was paid on the page, fails after all. */
export async function failRefunds({ world }: Scenario, page: string): Promise<void> {
  const refunds = (await world.ports.sandbox.find(page))?.refunds ?? {};
  for (const key of Object.keys(refunds)) {
    const event = await world.ports.sandbox.failRefund(page, key);
    if (event) world.events.push(event);
  }
  await runJobsAndCheck(world);
}

/** Something that staff do to the order, and all that follows; the same order is read by who may and who may not. */
export async function changeOrder(
  { world, shop, buyer, staff: { actor, protocol: voice } }: Scenario,
  { operation, id, body, expect = 200 }: { operation: string; id: string; body: object; expect?: number },
): Promise<ObservedOrder> {
  const path = operation === 'UpdateOrder' ? businessPath(shop) : { ...businessPath(shop), id };
  const asked = { path, body: operation === 'UpdateOrder' ? { id, ...body } : { ...body } };
  await callOperation(world, { operation, actor, protocol: voice, input: asked, expectedStatus: expect });
  await runJobsAndCheck(world);
  const order = world.orders.find((known) => known.id === id) as KnownOrder;
  const other = world.shops[shop.number === 0 ? 1 : 0];
  await readOrder(world, order, { named: shop, actor: buyer.actor });
  await readOrder(world, order, { named: other, actor: adminOf(world, other) });
  return requireOrder(world, id);
}

export async function runJobsAndCheck(world: World): Promise<void> {
  await runAllJobs(world);
  await checkRecords(world);
}

export function requireOrder({ observed: seen }: World, id: string): ObservedOrder {
  const order = seen.records.get(id)?.order;
  assertContract(order !== undefined, 'story', () => `no order ${id}`);
  return order;
}

/** What was paid and is not back. */
export function assertNetCaptured(order: ObservedOrder, kept: number): void {
  assertContract(
    order.captured - order.refunded === kept,
    'money of a story',
    () => `${JSON.stringify(order)}, ${kept}`,
  );
}
