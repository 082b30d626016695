/** Random operations of customers and staff in either protocol. Requests are retried with the same idempotency key until a gateway responds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../src/app.ts';
import { routes } from '../../../src/generated/domains/routes.ts';
import { newId } from '../../../src/lib/ids.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import {
  callInGraphql,
  callInRest,
  type RouteInput,
  type RouteResponse,
} from '../../support/protocol-clients.ts';
import type { SellingShop, SoldProduct } from '../../support/shop-fixtures.ts';
import { type Person, TestApp } from '../../support/test-app.ts';

export interface Walk {
  /** URL of a random gateway, which may be dead. */
  gateway(): string;
  shop: SellingShop;
  newsletterId: string;
  /** Ids of subscriptions with a payment page. */
  subscriptions(): string[];
  /** Unsubscribe token in the mails of a subscription. */
  tokenOf(subscriptionId: string): string;
  products: SoldProduct[];
  buyers: Person[];
  /** Ids of confirmed orders, newest last. */
  orders: string[];
  /** URLs of payment pages that a client has received: only these can be paid. */
  pageUrls: Set<string>;
  /** Number of responses by operation and status. */
  tally: Map<string, number>;
}

/** Test app that sends its requests to a gateway over the network. */
export function remoteApp(gateway: () => string): TestApp {
  const app: Pick<App, 'fetch'> = {
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? null : await request.text();
      return fetch(`${gateway()}${pathname}${search}`, { method, headers, body });
    },
  };
  return new TestApp(app as App, undefined as never, []);
}

const requireRoute = (operation: string) => {
  const route = routes.find(({ operation: { name } }) => name === operation);
  if (!route) throw new Error(`No route runs ${operation}.`);
  return route;
};

/** Calls an operation. Retries after a lost connection with the same idempotency key, and after 503 half of the time. */
async function call(
  walk: Walk,
  dice: Dice,
  operation: string,
  as: Person,
  input: RouteInput,
): Promise<RouteResponse> {
  const [route, app] = [requireRoute(operation), remoteApp(walk.gateway)];
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const callRoute = dice.chance(0.5) ? callInRest : callInGraphql;
    const response = await callRoute(app, route, input, as, headers).catch(ignoreLostConnection);
    const outcome = `${operation} ${response?.status ?? 'no response'}`;
    walk.tally.set(outcome, (walk.tally.get(outcome) ?? 0) + 1);
    recordPageUrl(walk, response?.body);
    if (response && (response.status !== 503 || dice.chance(0.5))) return response;
    await sleep(dice.between(20, 200));
  }
}

/** Records the URL of the payment page in a response, if there is one. */
export function recordPageUrl({ pageUrls }: Pick<Walk, 'pageUrls'>, body: unknown): void {
  const { checkoutUrl } = (body ?? {}) as { checkoutUrl?: string };
  if (checkoutUrl !== undefined) pageUrls.add(checkoutUrl);
}

/** Undefined if the gateway was killed before it responded. Other errors, such as contract violations, are rethrown. */
function ignoreLostConnection(error: unknown): undefined {
  if (error instanceof TypeError && /fetch failed|terminated/.test(error.message)) return undefined;
  throw error;
}

type Operation = (walk: Walk, dice: Dice) => Promise<unknown>;

const lineFor = ({ products }: Walk, dice: Dice) => ({
  ...dice.pick(products),
  quantity: dice.between(1, 3),
});
const linesFor = (walk: Walk, dice: Dice) =>
  Array.from({ length: dice.between(1, 2) }, () => lineFor(walk, dice));
const buyerOf = ({ buyers, shop }: Walk, dice: Dice): Person => dice.pick(buyers) ?? shop.admin;

const checkout: Operation = async (walk, dice) => {
  const { status, body } = await call(walk, dice, 'Checkout', buyerOf(walk, dice), {
    path: { businessId: walk.shop.businessId },
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      items: linesFor(walk, dice),
      ...(dice.chance(0.3) ? { promoCode: 'WALK' } : {}),
    },
  });
  if (status === 200) walk.orders.push((body as { orderId: string }).orderId);
};

/** Operation on an order, usually a recent one. */
const onOrder =
  (operation: string, bodyFor: (walk: Walk, dice: Dice) => RouteInput['body']): Operation =>
  async (walk, dice) => {
    const id = dice.pick(dice.chance(0.7) ? walk.orders.slice(-15) : walk.orders);
    if (id === undefined) return;
    const body = operation === 'UpdateOrder' ? { id, ...bodyFor(walk, dice) } : bodyFor(walk, dice);
    const path = { businessId: walk.shop.businessId, id };
    await call(walk, dice, operation, walk.shop.admin, { path, body: body ?? {} });
  };

const refundFor = (dice: Dice) =>
  dice.chance(0.4)
    ? { amount: dice.between(1, 1500) }
    : { lines: [{ line: 0, quantity: 1 }], restock: dice.chance(0.6) };

const adjustStock: Operation = async (walk, dice) => {
  const sold = dice.pick(walk.products);
  if (!sold) return;
  await call(walk, dice, 'AdjustStock', walk.shop.admin, {
    path: { businessId: walk.shop.businessId, id: sold.productId },
    body: { variantId: sold.variantId, change: dice.oneOf([-3, 5, 20]) },
  });
};

const planFor = (dice: Dice) => dice.oneOf(['free', 'once', 'weekly', 'monthly']);

const subscribe: Operation = (walk, dice) =>
  call(walk, dice, 'Subscribe', walk.shop.admin, {
    path: { businessId: walk.shop.businessId, collectionId: walk.newsletterId },
    body: { email: `reader-${dice.between(1, 15)}@people.example`, planId: planFor(dice) },
  });

/** Changes the plan, cancels at the end of the period, resumes or unsubscribes. */
const changeSubscription: Operation = async (walk, dice) => {
  const id = dice.pick(walk.subscriptions().slice(-15));
  if (id === undefined) return;
  const { businessId } = walk.shop;
  const operation = dice.oneOf(['ChangePlan', 'CancelSubscription', 'ResumeSubscription', 'Unsubscribe']);
  const token = walk.tokenOf(id);
  const path = operation === 'Unsubscribe' ? { businessId } : { businessId, id };
  const body = { token, ...(operation === 'ChangePlan' ? { planId: planFor(dice) } : {}) };
  await call(walk, dice, operation, walk.shop.admin, { path, body });
};

const statuses = ['CANCELLED', 'CANCELLED', 'PROCESSING', 'SHIPPED', 'REFUNDED'] as const;

const setStatus = (_walk: Walk, dice: Dice): RouteInput['body'] => ({
  status: dice.oneOf(statuses),
  ...(dice.chance(0.2) ? { refund: false } : {}),
});

/** Changes lines or amounts, makes the order free, or changes nothing that is priced. */
const changesFor = (walk: Walk, dice: Dice): RouteInput['body'] =>
  dice.oneOf<RouteInput['body']>([
    { lines: linesFor(walk, dice), tax: 0 },
    { lines: linesFor(walk, dice), discount: 0 },
    { shipping: dice.oneOf([0, 590, 1090]) },
    { tax: 0, shipping: 0, discount: 0 },
    { locale: 'de' },
  ]);

/** Returns a unit of an order; staff accept it with its price, a part of it, or nothing. */
const returnUnit: Operation = async (walk, dice) => {
  const id = dice.pick(walk.orders);
  if (id === undefined) return;
  const path = { businessId: walk.shop.businessId, id };
  const { admin } = walk.shop;
  await call(walk, dice, 'SetOrderStatus', admin, { path, body: { status: 'SHIPPED' } });
  const body = { lines: [{ line: 0, quantity: 1 }] };
  const requested = await call(walk, dice, 'RequestReturn', admin, { path, body });
  if (requested.status !== 200) return;
  const { id: returnId } = requested.body as { id: string };
  const refund = dice.oneOf([undefined, 0, 100]);
  await call(walk, dice, 'AcceptReturn', admin, {
    path: { ...path, returnId },
    body: refund === undefined ? {} : { refund },
  });
};

/** Operations, repeated by their relative frequency. */
const operations: readonly Operation[] = [
  ...Array<Operation>(6).fill(checkout),
  ...Array<Operation>(3).fill(onOrder('UpdateOrder', changesFor)),
  ...Array<Operation>(3).fill(onOrder('SetOrderStatus', setStatus)),
  ...Array<Operation>(2).fill(returnUnit),
  ...Array<Operation>(3).fill(onOrder('CreatePaymentLink', () => ({}))),
  ...Array<Operation>(4).fill(onOrder('RefundOrder', (_walk, dice) => refundFor(dice))),
  ...Array<Operation>(4).fill(subscribe),
  ...Array<Operation>(3).fill(changeSubscription),
  adjustStock,
];

export const pickOperation = (dice: Dice): Operation => dice.pick(operations) ?? checkout;
