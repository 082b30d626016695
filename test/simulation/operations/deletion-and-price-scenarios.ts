/** Scripted sequences: businesses and newsletters that are deleted while payment pages are open, and prices that change under an order. */
import { expireOrdersJob } from '../../../src/domains/orders/payment/expire-orders.ts';
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { createResource, createShop } from '../create-shop.ts';
import { renewTokens } from '../world.ts';
import { lineInput, recordOrder } from './checkout.ts';
import { businessPath, type PlayOperation } from './operation.ts';
import {
  addStockedProduct,
  addUntrackedProduct,
  beginScenario,
  changeOrder,
  createCart,
  deleteProduct,
  orderCart,
  paymentPageId,
  payPage,
  requireOrder,
  runJobsAndCheck,
  type Scenario,
} from './scenario-steps.ts';

interface PageBody {
  checkoutUrl: string;
}

/** Sends a request about a business that the model does not know. */
async function send<Body>({ world, buyer }: Scenario, path: string, body: object): Promise<Body> {
  const response = await world.t.rest<Body>('POST', path, { as: buyer.actor.person, body });
  assertContract(response.status === 200, 'scenario', () => `${path}: ${JSON.stringify(response.body)}`);
  return response.body;
}

const subscribe = (scenario: Scenario, businessId: string, newsletterId: string) => {
  scenario.world.counter += 1;
  return send<PageBody>(scenario, `/v1/businesses/${businessId}/collections/${newsletterId}/subscribe`, {
    email: `late-reader-${scenario.world.counter}@people.example`,
    planId: 'silver',
  });
};

async function assertPagesClosed(scenario: Scenario, of: string, bodies: readonly PageBody[]): Promise<void> {
  await runJobsAndCheck(scenario.world);
  for (const page of bodies.map(paymentPageId))
    assertContract(!(await payPage(scenario, page)), `payment page of a deleted ${of}`, () => page);
}

/** A deleted newsletter closes the payment pages of its subscribers. */
export const deleteNewsletterBeforePaying: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, staff } = scenario;
  const id = await createResource(world.t, shop, 'collections', {
    name: 'Short-lived letters',
    type: 'NEWSLETTER',
    plans: [{ id: 'silver', name: 'silver', price: { amount: 500, currency: 'usd', interval: 'MONTHLY' } }],
  });
  const page = await subscribe(scenario, shop.businessId, id);
  const path = `/v1/businesses/${shop.businessId}/collections/${id}?force=true`;
  const { status } = await world.t.rest('DELETE', path, { as: staff.actor.person });
  assertContract(status === 200, 'scenario', () => `DELETE ${path}: ${status}`);
  await assertPagesClosed(scenario, 'newsletter', [page]);
};

/** A deleted business closes the payment pages of its orders and newsletters. */
export const deleteBusinessBeforePaying: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const doomed = await createShop(world.t, scenario.shop.number);
  const path = `/v1/businesses/${doomed.businessId}`;
  const product = await world.t.rest<{ id: string; variants: { id: string }[] }>('POST', `${path}/products`, {
    as: doomed.admin,
    body: {
      name: 'Last one',
      variants: [{ name: 'One', pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 999 }] } }],
    },
  });
  const { id: productId, variants } = product.body;
  const items = [{ productId, variantId: variants[0]?.id, quantity: 1 }];
  const checkout = { market: 'US', shippingMethodId: 'pickup', items };
  const pages = [
    await send<PageBody>(scenario, `${path}/orders/checkout`, checkout),
    await subscribe(scenario, doomed.businessId, doomed.newsletterId),
  ];
  const { status } = await world.t.rest('DELETE', path, { as: doomed.admin });
  assertContract(status === 200, 'scenario', () => `DELETE ${path}: ${status}`);
  await assertPagesClosed(scenario, 'business', pages);
};

const paymentWindowSeconds = 1800;

/** An unpaid order that staff make free needs no payment: it is not cancelled after the payment window. */
export const makeUnpaidOrderFree: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const cart = { ...createCart(scenario, await addStockedProduct(scenario), 1), shippingMethodId: 'pickup' };
  const { id } = await orderCart(scenario, cart);
  const discount = cart.lines.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0);
  const body = { discount, tax: 0, shipping: 0 };
  const { total } = await changeOrder(scenario, { operation: 'UpdateOrder', id, body });
  assertContract(total === 0, 'total of an order made free', () => `${total}`);
  world.clock.advance(paymentWindowSeconds + 60);
  await renewTokens(world);
  await expireOrdersJob.run(world.t.app.services, {});
  await runJobsAndCheck(world);
  const { status } = requireOrder(world, id);
  assertContract(status !== 'CANCELLED', 'free order cancelled as unpaid', () => `${id} ${status}`);
};

const tierQuantity = 10;

/** The price of a line follows the quantity tiers when staff change its quantity. */
export const editLineBelowTier: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, staff } = scenario;
  const product = await addUntrackedProduct(scenario, 1000);
  const tiers = [{ minQuantity: tierQuantity, amount: 800 }];
  const variants = product.variants.map(({ id }) => ({
    id,
    pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 1000, tiers }] },
  }));
  const [line] = createCart(scenario, product, tierQuantity).lines.map(lineInput);
  assertContract(line !== undefined, 'scenario', () => 'no line');
  const asStaff = { actor: staff.actor, protocol: staff.protocol, expectedStatus: 200 };
  await callOperation(world, {
    ...asStaff,
    operation: 'UpdateProduct',
    input: { path: { ...businessPath(shop), id: product.id }, body: { variants } },
  });
  const order = await callOperation<{ id: string }>(world, {
    ...asStaff,
    operation: 'CreateOrder',
    input: { path: businessPath(shop), body: { market: 'US', lines: [line] } },
  });
  const id = order?.id ?? '';
  recordOrder(world, id, shop, undefined);
  const body = { lines: [{ ...line, quantity: 1 }] };
  const edited = await changeOrder(scenario, { operation: 'UpdateOrder', id, body });
  const prices = edited.lines.map(({ unitPrice }) => unitPrice);
  assertContract(prices.join() === '1000', 'price below the tier', () => `${prices}`);
  // The model knows no quantity tiers.
  await deleteProduct(scenario, product);
};

/** The currency of a market with shipping prices does not change without new ones: the same number would be another amount. */
export const changeMarketCurrency: PlayOperation = async (world, context) => {
  const { shop, staff } = beginScenario(world, context);
  await callOperation(world, {
    operation: 'UpdateMarket',
    actor: staff.actor,
    protocol: staff.protocol,
    input: { path: { ...businessPath(shop), code: 'US' }, body: { currency: 'EUR' } },
    expectedStatus: 422,
  });
};
