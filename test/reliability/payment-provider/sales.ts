/** Sales workload: checks out, pays and refunds, and records the confirmed results. */
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { StripeServer } from '../../support/stripe-server.ts';
import type { Person, TestApp } from '../../support/test-app.ts';
import { signEvent } from '../accounting/stripe-activity.ts';

export interface Sale {
  orderId: string;
  /** Checkout session of the payment page. */
  sessionId: string;
  isPaid: boolean;
  /** Requested refunds, each with a different amount. Without a response a refund is not confirmed. */
  refunds: { amount: number; isConfirmed: boolean }[];
}

export interface SalesWorkload {
  t: TestApp;
  server: StripeServer;
  shop: SellingShop;
  product: SoldProduct;
  guest: Person;
  sales: Sale[];
  /** Number of checkouts without a response, which may have created an order. */
  abandonedCheckouts: number;
  /** Number of responses by operation and status. */
  tally: Map<string, number>;
}

/** Calls an operation. Retries with the same idempotency key; gives up after one server error in five. */
async function call(
  { t, tally }: SalesWorkload,
  dice: Dice,
  operation: string,
  as: Person,
  input: RouteInput,
): Promise<RouteResponse | undefined> {
  const route = routes.find((candidate) => candidate.operation.name === operation);
  if (!route) throw new Error(`No route runs ${operation}.`);
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const response = await (dice.chance(0.5) ? callInRest : callInGraphql)(t, route, input, as, headers);
    const outcome = `${operation} ${response.status}`;
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    if (response.status < 500) return response;
    if (dice.chance(0.2)) return undefined;
    await sleep(dice.between(10, 50));
  }
}

async function checkOut(load: SalesWorkload, dice: Dice): Promise<Sale | undefined> {
  const { shop, product, guest, sales } = load;
  const items = [{ ...product, quantity: dice.between(1, 3) }];
  const response = await call(load, dice, 'Checkout', guest, {
    path: { businessId: shop.businessId },
    body: { market: 'US', shippingMethodId: 'standard', items },
  });
  if (response?.status !== 200) {
    load.abandonedCheckouts += 1;
    return undefined;
  }
  const { orderId, checkoutUrl } = response.body as { orderId: string; checkoutUrl: string };
  const sale = { orderId, sessionId: checkoutUrl.split('/').at(-1) ?? '', isPaid: false, refunds: [] };
  sales.push(sale);
  return sale;
}

/** Pays on the page of the provider. One event in five is not delivered. Returns whether the gateway acknowledged it. */
async function pay({ t, server }: SalesWorkload, sale: Sale, dice: Dice): Promise<boolean> {
  const page = server.sessions.get(sale.sessionId);
  if (!page) throw new Error(`The payment page ${sale.sessionId} of a confirmed checkout does not exist.`);
  Object.assign(page, { status: 'complete', payment_status: 'paid', payment_intent: `pi_${sale.sessionId}` });
  sale.isPaid = true;
  if (dice.chance(0.2)) return false;
  const event = { id: `evt_${newId()}`, type: 'checkout.session.completed', object: page };
  const { status } = await t.rest('POST', '/v1/payments/webhooks/stripe', await signEvent(event));
  return status === 200;
}

async function refundSale(load: SalesWorkload, sale: Sale, dice: Dice): Promise<void> {
  const amount = 101 + sale.refunds.length;
  const refund = { amount, isConfirmed: false };
  sale.refunds.push(refund);
  const { businessId, admin } = load.shop;
  const response = await call(load, dice, 'RefundOrder', admin, {
    path: { businessId, id: sale.orderId },
    body: { amount },
  });
  if (response && response.status !== 200)
    throw new Error(`A refund was rejected: ${response.status} ${JSON.stringify(response.body)}`);
  refund.isConfirmed = response !== undefined;
}

export async function runSale(load: SalesWorkload, dice: Dice): Promise<void> {
  const sale = await checkOut(load, dice);
  if (!sale || dice.chance(0.1)) return;
  const isAcknowledged = await pay(load, sale, dice);
  for (let times = isAcknowledged ? dice.between(0, 3) : 0; times > 0; times -= 1)
    await refundSale(load, sale, dice);
}
