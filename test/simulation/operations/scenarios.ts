/** What chance seldom brings together: several things in a row that belong together, each as the model expects it. */
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { plans } from '../create-shop.ts';
import { placeOrder, type Cart, lineInput } from './checkout.ts';
import { writeEntry } from './entries.ts';
import { readOverview } from './graphql-documents.ts';
import { addPromoCode } from './staff-and-promo-codes.ts';
import { type PlayOperation, businessPath, adminOf } from './operation.ts';
import { addProduct } from './products.ts';
import { captureWrongAmount } from './payment-provider.ts';
import {
  beginScenario,
  createCart,
  changeOrder,
  assertNetCaptured,
  failRefunds,
  orderCart,
  requireOrder,
  paymentPageId,
  payPage,
  payByLink,
  addStockedProduct,
  runJobsAndCheck,
} from './scenario-steps.ts';

const cancelled = { operation: 'SetOrderStatus', body: { status: 'CANCELLED' } };

const editTo = (id: string, { lines }: Cart, expect = 200) => ({
  operation: 'UpdateOrder',
  id,
  body: {
    lines: lines.map((line) => ({ ...lineInput(line), unitPrice: line.variant.price })),
    tax: 0,
    discount: 0,
  },
  expect,
});

/** A code that is used up is free again when its order is cancelled. */
export const cancelWithPromo: PlayOperation = async (world, turn) => {
  const story = beginScenario(world, turn);
  const promoCode = await addPromoCode(world, story.staff, {
    shop: story.shop,
    terms: turn.dice.oneOf([
      { type: 'PERCENTAGE', bps: 1250 },
      { type: 'FIXED', amount: 333 },
    ]),
    maxUses: 1,
  });
  const cart = createCart(story, await addStockedProduct(story), 1, promoCode);
  const { id } = await orderCart(story, cart);
  // The model expects that this is refused.
  await placeOrder(world, story.buyer, cart);
  await changeOrder(story, { ...cancelled, id });
  await orderCart(story, cart);
};

/** What went back does not go back again with the rest: neither money nor goods. */
export const cancelAfterRestock: PlayOperation = async (world, turn) => {
  const story = beginScenario(world, turn);
  const { id, page } = await orderCart(story, createCart(story, await addStockedProduct(story), 3));
  await payPage(story, page);
  const { total } = requireOrder(world, id);
  assertNetCaptured(requireOrder(world, id), total);
  const lines = [0, 1].map((line) => ({ line, quantity: turn.dice.between(1, 2) }));
  const refund = { operation: 'RefundOrder', id };
  const partly = await changeOrder(story, { ...refund, body: { lines, restock: true } });
  const isInPart = partly.refunded > 0 && partly.refunded < total && partly.lines[0]?.restocked;
  assertContract(Boolean(isInPart), 'refund of a story', () => JSON.stringify(partly));
  const tooMuch = { amount: total - partly.refunded + 1 };
  await changeOrder(story, { ...refund, body: tooMuch, expect: 422 });
  assertNetCaptured(await changeOrder(story, { ...cancelled, id }), 0);
};

/** A page asks for what is due, or for nothing: the old one ends with the old price. */
export const editBeforePaying: PlayOperation = async (world, turn) => {
  const story = beginScenario(world, turn);
  const product = await addStockedProduct(story);
  const { id, page } = await orderCart(story, createCart(story, product, 1));
  const { total } = await changeOrder(story, editTo(id, createCart(story, product, 2)));
  assertContract(!(await payPage(story, page)), 'page of another price', () => page);
  await payByLink(story, id);
  assertNetCaptured(requireOrder(world, id), total);
};

/** Another sum than was asked for goes back, and is still due. */
export const payWrongAmountThenRight: PlayOperation = async (world, turn) => {
  const story = beginScenario(world, turn);
  const { id, page } = await orderCart(story, createCart(story, await addStockedProduct(story), 1));
  await captureWrongAmount(world, page, turn.dice);
  await runJobsAndCheck(world);
  assertNetCaptured(requireOrder(world, id), 0);
  await payByLink(story, id);
  assertNetCaptured(requireOrder(world, id), requireOrder(world, id).total);
};

/** Money that a bank did not take back is the shop's again. */
export const failedRefund: PlayOperation = async (world, turn) => {
  const story = beginScenario(world, turn);
  const { id, page } = await orderCart(story, createCart(story, await addStockedProduct(story), 1));
  await payPage(story, page);
  const { total } = requireOrder(world, id);
  const amount = turn.dice.between(1, total - 1);
  assertNetCaptured(await changeOrder(story, { operation: 'RefundOrder', id, body: { amount } }), total - amount);
  await failRefunds(story, page);
  assertNetCaptured(requireOrder(world, id), total);
  // All of it can go back.
  assertNetCaptured(await changeOrder(story, { operation: 'RefundOrder', id, body: { amount: total } }), 0);
};

/** All that is there can be had, and nothing after it until some of it comes back, whoever takes it. */
export const sellOut: PlayOperation = async (world, turn) => {
  const story = beginScenario(world, turn);
  const { actor, protocol: voice } = story.staff;
  const product = await addStockedProduct(story);
  const variantId = product.variants[0]?.id ?? '';
  const all = world.observed.stock.get(variantId) ?? 0;
  const { id } = await orderCart(story, createCart(story, product, all));
  // The model expects that this is refused.
  await placeOrder(world, story.buyer, createCart(story, product, 1));
  await changeOrder(story, editTo(id, createCart(story, product, all + 1), 422));
  await callOperation(world, {
    operation: 'AdjustStock',
    actor,
    protocol: voice,
    input: {
      path: { ...businessPath(story.shop), id: product.id },
      body: { variantId, change: -1, reason: 'Counted' },
    },
    expectedStatus: 422,
  });
  await changeOrder(story, { ...cancelled, id });
  await orderCart(story, createCart(story, product, 1));
};

/** An entry for everybody about something that is not for everybody yet. */
export const publishEntryAboutDraft: PlayOperation = async (world, turn) => {
  const { shop, staff, buyer } = beginScenario(world, turn);
  const offers = [{ price: 100, inventory: { tracked: false } }];
  const about = await addProduct(world, staff, { shop, status: 'DRAFT', offers });
  const entry = await writeEntry(world, staff, { shop, isLetter: false, status: 'PUBLISHED', about });
  for (const { actor } of [buyer, staff]) await readOverview(world, actor, shop);
  // The staff of another shop do not find it there.
  const other = world.shops[shop.number === 0 ? 1 : 0];
  await callOperation(world, {
    operation: 'UpdateEntry',
    actor: adminOf(world, other),
    protocol: turn.protocol,
    input: { path: { ...businessPath(other), id: entry?.id ?? '' }, body: { status: 'DRAFT' } },
    expectedStatus: 404,
  });
};

/** A plan that costs something is asked to be paid for, and no other. */
export const subscribeToEachPlan: PlayOperation = async (world, turn) => {
  const { shop, buyer } = beginScenario(world, turn);
  for (const [planId, price] of Object.entries(plans)) {
    world.counter += 1;
    const body = await callOperation<{ checkoutUrl?: string }>(world, {
      operation: 'Subscribe',
      actor: buyer.actor,
      protocol: turn.protocol,
      input: {
        path: { ...businessPath(shop), collectionId: shop.newsletterId },
        body: { email: `new-reader-${world.counter}@people.example`, planId },
      },
      expectedStatus: 200,
    });
    const isAsked = body?.checkoutUrl !== undefined;
    assertContract(isAsked === price > 0, 'price of a plan', () => `${planId}: ${JSON.stringify(body)}`);
    if (isAsked) world.paymentPages.push(paymentPageId(body));
  }
};

/** One page more than what a list shows when nobody says how much. */
const many = 21;

export const fillCatalogue: PlayOperation = async (world, turn) => {
  const { shop, staff, buyer } = beginScenario(world, turn);
  const isShown = (product: (typeof world.products)[number]) =>
    product.shop === shop.number && product.status === 'ACTIVE' && !product.deleted;
  const offers = [{ price: 100, inventory: { tracked: true, quantity: 3 } }];
  for (let count = world.products.filter(isShown).length; count < many; count += 1)
    await addProduct(world, staff, { shop, status: 'ACTIVE', offers });
  await readOverview(world, buyer.actor, shop);
};
