/** What customers and staff ask of gateways that die under them: in either voice, under a key, until there is an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../src/app.ts';
import { routes } from '../../../src/generated/domains/routes.ts';
import { newId } from '../../../src/lib/ids.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { SellingShop, SoldProduct } from '../../support/shop-fixtures.ts';
import { type Person, TestApp } from '../../support/test-app.ts';
import { type RouteInput, callInGraphql, callInRest, type RouteResponse } from '../../support/protocol-clients.ts';

export interface Shoppers {
  /** The address of any of the gateways; it may be dead. */
  gateway(): string;
  shop: SellingShop;
  letters: string;
  /** Subscriptions that have or had a page. */
  readers(): string[];
  /** What their mails carry. */
  tokenOf(subscriptionId: string): string;
  goods: SoldProduct[];
  buyers: Person[];
  /** Orders that somebody was told of, the newest last. */
  orders: string[];
  /** How often each operation got which status. */
  tally: Map<string, number>;
}

/** Calls a gateway over the network as tests call an app. */
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

const rowOf = (operation: string) => {
  const row = routes.find(({ operation: { name } }) => name === operation);
  if (!row) throw new Error(`No row runs ${operation}.`);
  return row;
};

/** Whoever gets no answer asks again under the same key; whoever is told to come back later does so at times. */
export async function ask(
  walk: Shoppers,
  dice: Dice,
  operation: string,
  as: Person,
  asked: RouteInput,
): Promise<RouteResponse> {
  const [row, app] = [rowOf(operation), remoteApp(walk.gateway)];
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const speak = dice.chance(0.5) ? callInRest : callInGraphql;
    const told = await speak(app, row, asked, as, headers).catch(withoutAnswer);
    const outcome = `${operation} ${told?.status ?? 'no answer'}`;
    walk.tally.set(outcome, (walk.tally.get(outcome) ?? 0) + 1);
    if (told && (told.status !== 503 || dice.chance(0.5))) return told;
    await sleep(dice.between(20, 200));
  }
}

/** A gateway that is dead, or died while it answered. What breaks the contract is thrown on. */
function withoutAnswer(error: unknown): undefined {
  if (error instanceof TypeError && /fetch failed|terminated/.test(error.message)) return undefined;
  throw error;
}

type Move = (walk: Shoppers, dice: Dice) => Promise<unknown>;

const lineFor = ({ goods }: Shoppers, dice: Dice) => ({ ...dice.pick(goods), quantity: dice.between(1, 3) });
const linesFor = (walk: Shoppers, dice: Dice) =>
  Array.from({ length: dice.between(1, 2) }, () => lineFor(walk, dice));
const buyerOf = ({ buyers, shop }: Shoppers, dice: Dice): Person => dice.pick(buyers) ?? shop.admin;

const checkout: Move = async (walk, dice) => {
  const { status, body } = await ask(walk, dice, 'Checkout', buyerOf(walk, dice), {
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

/** Of an order that is likely to be under way still. */
const ofOrder =
  (operation: string, bodyFor: (walk: Shoppers, dice: Dice) => RouteInput['body']): Move =>
  async (walk, dice) => {
    const id = dice.pick(dice.chance(0.7) ? walk.orders.slice(-15) : walk.orders);
    if (id === undefined) return;
    const body = operation === 'UpdateOrder' ? { id, ...bodyFor(walk, dice) } : bodyFor(walk, dice);
    const path = { businessId: walk.shop.businessId, id };
    await ask(walk, dice, operation, walk.shop.admin, { path, body: body ?? {} });
  };

const refundFor = (dice: Dice) =>
  dice.chance(0.4)
    ? { amount: dice.between(1, 1500) }
    : { lines: [{ line: 0, quantity: 1 }], restock: dice.chance(0.6) };

const adjustStock: Move = async (walk, dice) => {
  const sold = dice.pick(walk.goods);
  if (!sold) return;
  await ask(walk, dice, 'AdjustStock', walk.shop.admin, {
    path: { businessId: walk.shop.businessId, id: sold.productId },
    body: { variantId: sold.variantId, change: dice.oneOf([-3, 5, 20]) },
  });
};

const planFor = (dice: Dice) => dice.oneOf(['free', 'once', 'weekly', 'monthly']);

const subscribe: Move = (walk, dice) =>
  ask(walk, dice, 'Subscribe', walk.shop.admin, {
    path: { businessId: walk.shop.businessId, collectionId: walk.letters },
    body: { email: `reader-${dice.between(1, 15)}@people.example`, planId: planFor(dice) },
  });

/** Cancelled at the end of the period, resumed, exchanged for another plan, or left for good. */
const changeSubscription: Move = async (walk, dice) => {
  const id = dice.pick(walk.readers().slice(-15));
  if (id === undefined) return;
  const { businessId } = walk.shop;
  const operation = dice.oneOf(['ChangePlan', 'CancelSubscription', 'ResumeSubscription', 'Unsubscribe']);
  const token = walk.tokenOf(id);
  const path = operation === 'Unsubscribe' ? { businessId } : { businessId, id };
  const body = { token, ...(operation === 'ChangePlan' ? { planId: planFor(dice) } : {}) };
  await ask(walk, dice, operation, walk.shop.admin, { path, body });
};

const ended = ['CANCELLED', 'COMPLETED', 'CANCELLED'] as const;

/** The oftener, the more often it is there. */
const moves: readonly Move[] = [
  ...Array<Move>(6).fill(checkout),
  ...Array<Move>(3).fill(ofOrder('UpdateOrder', (walk, dice) => ({ lines: linesFor(walk, dice), tax: 0 }))),
  ...Array<Move>(3).fill(ofOrder('SetOrderStatus', (_walk, dice) => ({ status: dice.oneOf(ended) }))),
  ...Array<Move>(3).fill(ofOrder('CreatePaymentLink', () => ({}))),
  ...Array<Move>(4).fill(ofOrder('RefundOrder', (_walk, dice) => refundFor(dice))),
  ...Array<Move>(4).fill(subscribe),
  ...Array<Move>(3).fill(changeSubscription),
  adjustStock,
];

export const moveFor = (dice: Dice): Move => dice.pick(moves) ?? checkout;
