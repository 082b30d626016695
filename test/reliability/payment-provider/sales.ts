/** Somebody buys, pays and gets a part back, and remembers what they were told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '../../../src/generated/domains/routes.ts';
import { newId } from '../../../src/lib/ids.ts';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { SellingShop, SoldProduct } from '../../support/shop-fixtures.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import type { Person, TestApp } from '../../support/test-app.ts';
import { type RouteInput, callInGraphql, callInRest, type RouteResponse } from '../../support/protocol-clients.ts';
import { signed } from '../accounting/stripe-activity.ts';

export interface Sale {
  orderId: string;
  /** The page that the buyer was sent to. */
  sessionId: string;
  isPaid: boolean;
  /** Each has an amount of its own. Who asked and gave up does not know. */
  refunds: { amount: number; isSure: boolean }[];
}

export interface Market {
  t: TestApp;
  server: StripeServer;
  shop: SellingShop;
  sold: SoldProduct;
  guest: Person;
  sales: Sale[];
  /** Checkouts of which nobody knows. */
  givenUp: number;
  /** How often each operation got which status. */
  tally: Map<string, number>;
}

/** Under one key until there is an answer; some give up when they are told to come back. */
async function ask(
  { t, tally }: Market,
  dice: Dice,
  operation: string,
  as: Person,
  asked: RouteInput,
): Promise<RouteResponse | undefined> {
  const row = routes.find((one) => one.operation.name === operation);
  if (!row) throw new Error(`No row runs ${operation}.`);
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const told = await (dice.chance(0.5) ? callInRest : callInGraphql)(t, row, asked, as, headers);
    const outcome = `${operation} ${told.status}`;
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    if (told.status < 500) return told;
    if (dice.chance(0.2)) return undefined;
    await sleep(dice.between(10, 50));
  }
}

async function buy(market: Market, dice: Dice): Promise<Sale | undefined> {
  const { shop, sold, guest, sales } = market;
  const items = [{ ...sold, quantity: dice.between(1, 3) }];
  const told = await ask(market, dice, 'Checkout', guest, {
    path: { businessId: shop.businessId },
    body: { market: 'US', shippingMethodId: 'standard', items },
  });
  if (told?.status !== 200) {
    market.givenUp += 1;
    return undefined;
  }
  const { orderId, checkoutUrl } = told.body as { orderId: string; checkoutUrl: string };
  const sale = { orderId, sessionId: checkoutUrl.split('/').at(-1) ?? '', isPaid: false, refunds: [] };
  sales.push(sale);
  return sale;
}

/** On the page of the provider. Not every event arrives. */
async function pay({ t, server }: Market, sale: Sale, dice: Dice): Promise<boolean> {
  const page = server.sessions.get(sale.sessionId);
  if (!page) throw new Error(`Somebody was sent to the page ${sale.sessionId}, which is not there.`);
  Object.assign(page, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${sale.sessionId}` });
  sale.isPaid = true;
  if (dice.chance(0.2)) return false;
  const event = { id: `evt_${newId()}`, type: 'checkout.session.completed', object: page };
  const { status } = await t.rest('POST', '/v1/payments/webhooks/stripe', await signed(event));
  return status === 200;
}

async function giveBack(market: Market, sale: Sale, dice: Dice): Promise<void> {
  const amount = 101 + sale.refunds.length;
  const refund = { amount, isSure: false };
  sale.refunds.push(refund);
  const { businessId, admin } = market.shop;
  const told = await ask(market, dice, 'RefundOrder', admin, {
    path: { businessId, id: sale.orderId },
    body: { amount },
  });
  if (told && told.status !== 200)
    throw new Error(`A refund was refused: ${told.status} ${JSON.stringify(told.body)}`);
  refund.isSure = told !== undefined;
}

export async function trade(market: Market, dice: Dice): Promise<void> {
  const sale = await buy(market, dice);
  if (!sale || dice.chance(0.1)) return;
  const isKnown = await pay(market, sale, dice);
  for (let times = isKnown ? dice.between(0, 3) : 0; times > 0; times -= 1)
    await giveBack(market, sale, dice);
}
