/** Steps of scenarios: create products, place, pay and change orders. The model checks each response. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { productCategories } from '../create-shop.ts';
import { checkRecords, type ObservedOrder } from '../record-invariants.ts';
import { runAllJobs } from '../run-jobs.ts';
import type { KnownOrder, KnownProduct, KnownShop, World } from '../world.ts';
import { type Cart, placeOrder } from './checkout.ts';
import { adminOf, businessPath, type OperationContext } from './operation.ts';
import { addProduct } from './products.ts';
import { readOrder } from './reads.ts';

export interface Scenario {
  world: World;
  shop: KnownShop;
  /** Context of the customer. */
  buyer: OperationContext;
  /** Context of the admin of the business. */
  staff: OperationContext;
}

/** Picks a business and an authenticated buyer, and disables port failures. */
export function beginScenario(world: World, context: OperationContext): Scenario {
  world.ports.failure = undefined;
  const shop = context.dice.oneOf(world.shops);
  const buyer = context.actor.signedIn ? context : { ...context, actor: world.actors.customer };
  return { world, shop, buyer, staff: { ...context, actor: adminOf(world, shop) } };
}

/** Creates a product with one tracked variant (3 to 9 units) and one untracked variant. */
export async function addStockedProduct({ world, shop, staff }: Scenario): Promise<KnownProduct> {
  const price = staff.dice.oneOf([999, 4999]);
  const offers = [
    { price, inventory: { tracked: true, quantity: staff.dice.between(3, 9) } },
    { price: price + 1, inventory: { tracked: false } },
  ];
  const category = staff.dice.oneOf(productCategories);
  const product = await addProduct(world, staff, { shop, status: 'ACTIVE', offers, category });
  assertContract(product !== undefined, 'scenario', () => 'no product');
  await checkRecords(world);
  return product;
}

/** Creates a product with one untracked variant. */
export async function addUntrackedProduct(
  { world, shop, staff }: Scenario,
  price: number,
  category?: string,
): Promise<KnownProduct> {
  const offers = [{ price, inventory: { tracked: false } }];
  const product = await addProduct(world, staff, { shop, status: 'ACTIVE', offers, category });
  assertContract(product !== undefined, 'scenario', () => 'no product');
  return product;
}

export async function deleteProduct({ world, shop, staff }: Scenario, product: KnownProduct): Promise<void> {
  await callOperation(world, {
    operation: 'DeleteProduct',
    actor: staff.actor,
    protocol: staff.protocol,
    input: { path: { ...businessPath(shop), id: product.id } },
    expectedStatus: 200,
  });
  product.deleted = true;
}

/** Cart with `quantity` units of each variant. */
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
  assertContract(body !== undefined, 'scenario', () => 'no order');
  await checkRecords(world);
  return { id: body.orderId, page: paymentPageId(body) };
}

export const paymentPageId = ({ checkoutUrl = '' }: { checkoutUrl?: string }): string =>
  checkoutUrl.split('/').at(-1) ?? '';

/** Pays a page and runs the resulting jobs; returns whether the page could be paid. */
export async function payPage({ world }: Scenario, page: string): Promise<boolean> {
  const event = await world.ports.sandbox.applyAction(page, 'pay');
  if (event) world.events.push(event);
  await runJobsAndCheck(world);
  return event !== undefined;
}

/** Creates a payment link as staff and pays it. */
export async function payByLink(scenario: Scenario, id: string): Promise<void> {
  const { world, shop, staff } = scenario;
  const link = await callOperation<{ checkoutUrl: string }>(world, {
    operation: 'CreatePaymentLink',
    actor: staff.actor,
    protocol: staff.protocol,
    input: { path: { ...businessPath(shop), id }, body: {} },
    expectedStatus: 200,
  });
  await payPage(scenario, paymentPageId(link ?? {}));
}

/** Lets all refunds of a payment fail at the bank. */
export async function failRefunds({ world }: Scenario, page: string): Promise<void> {
  const refunds = (await world.ports.sandbox.find(page))?.refunds ?? {};
  for (const key of Object.keys(refunds)) {
    const event = await world.ports.sandbox.failRefund(page, key);
    if (event) world.events.push(event);
  }
  await runJobsAndCheck(world);
}

/** Changes an order as staff and runs the resulting jobs. Then reads it as its customer, and as staff of the other business. */
export async function changeOrder(
  { world, shop, buyer, staff: { actor, protocol } }: Scenario,
  {
    operation,
    id,
    body,
    expect: expectedStatus = 200,
  }: { operation: string; id: string; body: object; expect?: number },
): Promise<ObservedOrder> {
  const path = operation === 'UpdateOrder' ? businessPath(shop) : { ...businessPath(shop), id };
  const input = { path, body: operation === 'UpdateOrder' ? { id, ...body } : { ...body } };
  await callOperation(world, { operation, actor, protocol, input, expectedStatus });
  await runJobsAndCheck(world);
  const order = world.orders.find((candidate) => candidate.id === id) as KnownOrder;
  const otherShop = world.shops[shop.number === 0 ? 1 : 0];
  await readOrder(world, order, { named: shop, actor: buyer.actor });
  await readOrder(world, order, { named: otherShop, actor: adminOf(world, otherShop) });
  return requireOrder(world, id);
}

export async function runJobsAndCheck(world: World): Promise<void> {
  await runAllJobs(world);
  await checkRecords(world);
}

export function requireOrder({ observed }: World, id: string): ObservedOrder {
  const order = observed.records.get(id)?.order;
  assertContract(order !== undefined, 'scenario', () => `no order ${id}`);
  return order;
}

/** Checks captured minus refunded amount. */
export function assertNetCaptured(order: ObservedOrder, netCaptured: number): void {
  assertContract(
    order.captured - order.refunded === netCaptured,
    'net captured amount',
    () => `${JSON.stringify(order)}, expected ${netCaptured}`,
  );
}
