/** Scripted sequences that random steps seldom produce. The model checks each response. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { plans } from '../create-shop.ts';
import { type Cart, lineInput, placeOrder } from './checkout.ts';
import { writeEntry } from './entries.ts';
import { readOverview } from './graphql-documents.ts';
import { adminOf, businessPath, type PlayOperation } from './operation.ts';
import { captureWrongAmount } from './payment-provider.ts';
import { addProduct } from './products.ts';
import {
  addStockedProduct,
  assertNetCaptured,
  beginScenario,
  changeOrder,
  createCart,
  failRefunds,
  orderCart,
  payByLink,
  paymentPageId,
  payPage,
  requireOrder,
  runJobsAndCheck,
} from './scenario-steps.ts';
import { addPromoCode } from './staff-and-promo-codes.ts';

const cancelOrder = { operation: 'SetOrderStatus', body: { status: 'CANCELLED' } };

const editLines = (id: string, { lines }: Cart, expectedStatus = 200) => ({
  operation: 'UpdateOrder',
  id,
  body: {
    lines: lines.map((line) => ({ ...lineInput(line), unitPrice: line.variant.price })),
    tax: 0,
    discount: 0,
  },
  expect: expectedStatus,
});

/** Cancelling an order releases its use of a promo code. */
export const cancelWithPromo: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const promoCode = await addPromoCode(world, scenario.staff, {
    shop: scenario.shop,
    terms: context.dice.oneOf([
      { type: 'PERCENTAGE', bps: 1250 },
      { type: 'FIXED', amount: 333 },
    ]),
    maxUses: 1,
  });
  const cart = createCart(scenario, await addStockedProduct(scenario), 1, promoCode);
  const { id } = await orderCart(scenario, cart);
  // Rejected: the code has no uses left.
  await placeOrder(world, scenario.buyer, cart);
  await changeOrder(scenario, { ...cancelOrder, id });
  await orderCart(scenario, cart);
};

/** Cancellation after a partial refund refunds and restocks only the remainder. */
export const cancelAfterRestock: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 3));
  await payPage(scenario, page);
  const { total } = requireOrder(world, id);
  assertNetCaptured(requireOrder(world, id), total);
  const lines = [0, 1].map((line) => ({ line, quantity: context.dice.between(1, 2) }));
  const refund = { operation: 'RefundOrder', id };
  const refunded = await changeOrder(scenario, { ...refund, body: { lines, restock: true } });
  const isPartial = refunded.refunded > 0 && refunded.refunded < total && refunded.lines[0]?.restocked;
  assertContract(Boolean(isPartial), 'partial refund of a scenario', () => JSON.stringify(refunded));
  const excessiveRefund = { amount: total - refunded.refunded + 1 };
  await changeOrder(scenario, { ...refund, body: excessiveRefund, expect: 422 });
  assertNetCaptured(await changeOrder(scenario, { ...cancelOrder, id }), 0);
};

/** A change of the total closes the open payment page; a new payment link has the new amount. */
export const editBeforePaying: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const product = await addStockedProduct(scenario);
  const { id, page } = await orderCart(scenario, createCart(scenario, product, 1));
  const { total } = await changeOrder(scenario, editLines(id, createCart(scenario, product, 2)));
  assertContract(!(await payPage(scenario, page)), 'outdated payment page', () => page);
  await payByLink(scenario, id);
  assertNetCaptured(requireOrder(world, id), total);
};

/** A payment of a wrong amount is refunded, and the order stays due. */
export const payWrongAmountThenRight: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  await captureWrongAmount(world, page, context.dice);
  await runJobsAndCheck(world);
  assertNetCaptured(requireOrder(world, id), 0);
  await payByLink(scenario, id);
  assertNetCaptured(requireOrder(world, id), requireOrder(world, id).total);
};

/** A refund that fails at the bank counts as captured again. */
export const failedRefund: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  await payPage(scenario, page);
  const { total } = requireOrder(world, id);
  const amount = context.dice.between(1, total - 1);
  assertNetCaptured(
    await changeOrder(scenario, { operation: 'RefundOrder', id, body: { amount } }),
    total - amount,
  );
  await failRefunds(scenario, page);
  assertNetCaptured(requireOrder(world, id), total);
  // The whole amount is refundable again.
  assertNetCaptured(
    await changeOrder(scenario, { operation: 'RefundOrder', id, body: { amount: total } }),
    0,
  );
};

/** The whole stock can be sold. Further checkouts, edits and stock adjustments are rejected until units return. */
export const sellOut: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { actor, protocol } = scenario.staff;
  const product = await addStockedProduct(scenario);
  const variantId = product.variants[0]?.id ?? '';
  const stock = world.observed.stock.get(variantId) ?? 0;
  const { id } = await orderCart(scenario, createCart(scenario, product, stock));
  // Rejected: out of stock.
  await placeOrder(world, scenario.buyer, createCart(scenario, product, 1));
  await changeOrder(scenario, editLines(id, createCart(scenario, product, stock + 1), 422));
  await callOperation(world, {
    operation: 'AdjustStock',
    actor,
    protocol,
    input: {
      path: { ...businessPath(scenario.shop), id: product.id },
      body: { variantId, change: -1, reason: 'Counted' },
    },
    expectedStatus: 422,
  });
  await changeOrder(scenario, { ...cancelOrder, id });
  await orderCart(scenario, createCart(scenario, product, 1));
};

/** A published entry references a draft product, which stays hidden from customers. */
export const publishEntryAboutDraft: PlayOperation = async (world, context) => {
  const { shop, staff, buyer } = beginScenario(world, context);
  const offers = [{ price: 100, inventory: { tracked: false } }];
  const product = await addProduct(world, staff, { shop, status: 'DRAFT', offers });
  const entry = await writeEntry(world, staff, {
    shop,
    isLetter: false,
    status: 'PUBLISHED',
    about: product,
  });
  for (const { actor } of [buyer, staff]) await readOverview(world, actor, shop);
  // Staff of another business cannot find the entry under their own path.
  const otherShop = world.shops[shop.number === 0 ? 1 : 0];
  await callOperation(world, {
    operation: 'UpdateEntry',
    actor: adminOf(world, otherShop),
    protocol: context.protocol,
    input: { path: { ...businessPath(otherShop), id: entry?.id ?? '' }, body: { status: 'DRAFT' } },
    expectedStatus: 404,
  });
};

/** Only paid plans return a payment page. */
export const subscribeToEachPlan: PlayOperation = async (world, context) => {
  const { shop, buyer } = beginScenario(world, context);
  for (const [planId, price] of Object.entries(plans)) {
    world.counter += 1;
    const body = await callOperation<{ checkoutUrl?: string }>(world, {
      operation: 'Subscribe',
      actor: buyer.actor,
      protocol: context.protocol,
      input: {
        path: { ...businessPath(shop), collectionId: shop.newsletterId },
        body: { email: `new-reader-${world.counter}@people.example`, planId },
      },
      expectedStatus: 200,
    });
    const hasPaymentPage = body?.checkoutUrl !== undefined;
    assertContract(
      hasPaymentPage === price > 0,
      'price of a plan',
      () => `${planId}: ${JSON.stringify(body)}`,
    );
    if (hasPaymentPage) world.paymentPages.push(paymentPageId(body));
  }
};

/** One more than the default page size. */
const productCount = 21;

export const fillCatalogue: PlayOperation = async (world, context) => {
  const { shop, staff, buyer } = beginScenario(world, context);
  const isListed = (product: (typeof world.products)[number]) =>
    product.shop === shop.number && product.status === 'ACTIVE' && !product.deleted;
  const offers = [{ price: 100, inventory: { tracked: true, quantity: 3 } }];
  for (let count = world.products.filter(isListed).length; count < productCount; count += 1)
    await addProduct(world, staff, { shop, status: 'ACTIVE', offers });
  await readOverview(world, buyer.actor, shop);
};
