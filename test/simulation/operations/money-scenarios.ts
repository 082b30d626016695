/** Scripted sequences about money that may be lost or charged twice. Expectations follow from the rules of the contract, not from the code. */
import { createUnsubscribeToken } from '../../../src/domains/newsletter/mail/mail-tokens.ts';
import { listFailedWork, retryFailedWork } from '../../../src/maintenance/failed-work.ts';
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { taxTerms } from '../create-shop.ts';
import { computeTotals } from '../model.ts';
import type { ObservedOrder } from '../record-invariants.ts';
import { type Cart, lineInput, recordOrder } from './checkout.ts';
import { businessPath, type PlayOperation } from './operation.ts';
import {
  addStockedProduct,
  addUntrackedProduct,
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

const taxOf = (price: number, taxBps: number): number =>
  computeTotals([{ price, quantity: 1, discount: 0, taxBps }], { shipping: { price: 0 } }).tax;

/** Each line is taxed by its own rate, after every update; an update without lines changes no share. */
export const editOrderOfTwoRates: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, buyer } = scenario;
  const { standardBps: taxBps, categoryBps } = taxTerms[shop.number];
  const bookTaxBps = categoryBps.books ?? taxBps;
  const lamp = await addUntrackedProduct(scenario, 1999);
  const book = await addUntrackedProduct(scenario, 2999, 'books');
  const { lines } = { lines: [lamp, book].flatMap((product) => createCart(scenario, product, 1).lines) };
  const body = await callOperation<{ orderId: string }>(world, {
    operation: 'Checkout',
    actor: buyer.actor,
    protocol: buyer.protocol,
    input: {
      path: businessPath(shop),
      body: { items: lines.map(lineInput), market: 'US', shippingMethodId: 'pickup' },
    },
    expectedStatus: 200,
  });
  const id = body?.orderId ?? '';
  recordOrder(world, id, shop, buyer.actor);
  await runJobsAndCheck(world);
  assertLineTaxes(requireOrder(world, id), [taxOf(1999, taxBps), taxOf(2999, bookTaxBps)]);
  const renamed = await changeOrder(scenario, { operation: 'UpdateOrder', id, body: { locale: 'de-AT' } });
  assertLineTaxes(renamed, [taxOf(1999, taxBps), taxOf(2999, bookTaxBps)]);
  const more = lines.map((line) => ({ ...lineInput(line), quantity: line.product === book ? 3 : 1 }));
  const edited = await changeOrder(scenario, { operation: 'UpdateOrder', id, body: { lines: more } });
  assertLineTaxes(edited, [taxOf(1999, taxBps), taxOf(3 * 2999, bookTaxBps)]);
};

function assertLineTaxes({ lines }: ObservedOrder, taxes: readonly number[]): void {
  const isEqual = JSON.stringify(lines.map(({ tax }) => tax)) === JSON.stringify(taxes);
  assertContract(isEqual, 'tax of lines', () => `${JSON.stringify(lines)}, expected ${taxes}`);
}

/** Lines of the same variant keep their own agreed prices when they are edited. */
export const editLinesOfOneVariant: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, staff } = scenario;
  const [line] = createCart(scenario, await addUntrackedProduct(scenario, 999), 1).lines;
  assertContract(line !== undefined, 'scenario', () => 'no line');
  const prices = [500, 800];
  const body = await callOperation<{ id: string }>(world, {
    operation: 'CreateOrder',
    actor: staff.actor,
    protocol: staff.protocol,
    input: {
      path: businessPath(shop),
      body: { market: 'US', lines: prices.map((unitPrice) => ({ ...lineInput(line), unitPrice })) },
    },
    expectedStatus: 200,
  });
  const id = body?.id ?? '';
  recordOrder(world, id, shop, undefined);
  const lines = prices.map(() => ({ ...lineInput(line), quantity: 2 }));
  const edited = await changeOrder(scenario, { operation: 'UpdateOrder', id, body: { lines } });
  const editedPrices = edited.lines.map(({ unitPrice }) => unitPrice);
  assertContract(
    JSON.stringify(editedPrices) === JSON.stringify(prices),
    'agreed prices',
    () => `${editedPrices}, expected ${prices}`,
  );
};

/** A refunded order closes its payment page; a market or currency cannot change while it is open. */
export const endUnpaidOrder: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  const elsewhere = { market: 'ELSEWHERE', currency: 'EUR' };
  await changeOrder(scenario, { operation: 'UpdateOrder', id, body: elsewhere, expect: 422 });
  for (const status of ['PROCESSING', 'REFUNDED'])
    await changeOrder(scenario, { operation: 'SetOrderStatus', id, body: { status } });
  assertContract(!(await payPage(scenario, page)), 'payment page of a refunded order', () => page);
  assertNetCaptured(requireOrder(world, id), 0);
};

/** Goods that staff add to a free order are due. */
export const addGoodsToFreeOrder: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const promoCode = await addPromoCode(world, scenario.staff, {
    shop: scenario.shop,
    terms: { type: 'PERCENTAGE', bps: 10_000 },
    maxUses: 1,
  });
  const product = await addStockedProduct(scenario);
  const free: Cart = { ...createCart(scenario, product, 1, promoCode), shippingMethodId: 'pickup' };
  const { id } = await orderCart(scenario, free);
  const lines = createCart(scenario, product, 2).lines.map((line) => ({
    ...lineInput(line),
    unitPrice: line.variant.price,
  }));
  const body = { lines, tax: 0, discount: 0 };
  const { total } = await changeOrder(scenario, { operation: 'UpdateOrder', id, body });
  await payByLink(scenario, id);
  assertNetCaptured(requireOrder(world, id), total);
};

/** Who unsubscribed is not billed: the payment page is closed. */
export const unsubscribeBeforePaying: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, buyer } = scenario;
  world.counter += 1;
  const email = `leaving-reader-${world.counter}@people.example`;
  const subscribed = await callOperation<{ checkoutUrl?: string }>(world, {
    operation: 'Subscribe',
    actor: buyer.actor,
    protocol: buyer.protocol,
    input: {
      path: { ...businessPath(shop), collectionId: shop.newsletterId },
      body: { email, planId: 'silver' },
    },
    expectedStatus: 200,
  });
  const { t } = world;
  const [row] = await t.db.sql<{ id: string }>('select id from subscriptions where key = $1', [email]);
  const { secret } = t.app.services.keys;
  await callOperation(world, {
    operation: 'Unsubscribe',
    actor: world.actors.anonymous,
    protocol: buyer.protocol,
    input: {
      path: businessPath(shop),
      body: { token: createUnsubscribeToken(secret, shop.businessId, row?.id ?? '') },
    },
    expectedStatus: 200,
  });
  await runJobsAndCheck(world);
  const page = paymentPageId(subscribed ?? {});
  assertContract(!(await payPage(scenario, page)), 'payment page after unsubscribing', () => page);
};

/** Units are refunded once: the operator cannot retry a failed refund of units that were refunded since. */
export const retryAsOperator: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  await payPage(scenario, page);
  const refund = { operation: 'RefundOrder', id, body: { lines: [{ line: 0, quantity: 1 }] } };
  await changeOrder(scenario, refund);
  await failRefunds(scenario, page);
  const { captured, refunded } = await changeOrder(scenario, refund);
  const { services } = world.t.app;
  for (const { kind, id: failedId } of await listFailedWork(world.t.db, 100))
    if (kind === 'refund') await retryFailedWork(services, kind, failedId).catch(() => undefined);
  await runJobsAndCheck(world);
  assertNetCaptured(requireOrder(world, id), captured - refunded);
};

/** A refund whose response is lost is paid once, however often it is requested again. */
export const refundWithoutResponse: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, staff } = scenario;
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  await payPage(scenario, page);
  const { total } = requireOrder(world, id);
  const amount = context.dice.between(1, total - 1);
  world.ports.failure = 'lost';
  await callOperation(world, {
    operation: 'RefundOrder',
    actor: staff.actor,
    protocol: staff.protocol,
    input: { path: { ...businessPath(shop), id }, body: { amount } },
    expectedStatus: 200,
  });
  world.ports.failure = undefined;
  await runJobsAndCheck(world);
  const refunds = Object.values((await world.ports.sandbox.find(page))?.refunds ?? {});
  const sum = refunds.reduce((paid, refund) => paid + refund, 0);
  assertContract(
    sum === amount,
    'refunds at the provider',
    () => `${JSON.stringify(refunds)}, expected ${amount}`,
  );
  assertNetCaptured(requireOrder(world, id), total - amount);
};
