/** Test setup: one app with a selling shop, and actions on the sandbox payment page of its orders. */
import { beforeAll } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import type { SandboxPaymentAction } from '../../src/adapters/payments/sandbox-transitions.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

export let t: TestApp;
export let shop: SellingShop;
export let other: SellingShop;
export let guest: Person;
export let pot: SoldProduct;
export let sandbox: SandboxPaymentProvider;

beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test' });
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  guest = await t.guest();
  pot = await addProduct(t, shop, { price: 1000, stock: 100_000, name: 'Pot' });
  sandbox = t.app.services.payments as SandboxPaymentProvider;
});

export interface Page {
  orderId: string;
  checkoutUrl: string;
}

/** Order of one product at 1000 with 825 bps tax and 590 shipping: total 1673. */
export async function buy(quantity = 1, sold = pot): Promise<Page> {
  const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity }] },
  });
  return body;
}

export const sessionOf = ({ checkoutUrl }: { checkoutUrl: string }) => checkoutUrl.split('/').at(-1) ?? '';

/** Applies actions on the payment page and delivers their events. */
export async function actOnPage(page: Page, ...actions: SandboxPaymentAction[]): Promise<void> {
  for (const action of actions) {
    await sandbox.applyAction(sessionOf(page), action);
    await t.app.drainJobs();
  }
}

export interface State {
  status: string;
  currentPaymentStatus: string;
  total: number;
  captured: number;
  refunded: number;
  amountDue: number;
  refunds: { id: string; amount: number; status: string; reason: string | null; failure: string | null }[];
}

export async function stateOf(orderId: string): Promise<State> {
  const { data } = await t.graphql(
    `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) {
      status currentPaymentStatus total captured refunded amountDue refunds { id amount status reason failure } } }`,
    { b: shop.businessId, id: orderId },
    { as: shop.admin },
  );
  return (data as unknown as { order: State }).order;
}

export const edit = (orderId: string, body: object) =>
  t.rest('PUT', `${shop.orders}/update`, { as: shop.admin, body: { id: orderId, ...body } });

export const cancel = (orderId: string, more: object = {}) =>
  t.rest('PUT', `${shop.orders}/${orderId}/status`, {
    as: shop.admin,
    body: { status: 'CANCELLED', ...more },
  });

export const requestPaymentLink = (orderId: string, as: Person = guest, body: object = {}) =>
  t.rest<Page>('POST', `${shop.orders}/${orderId}/payment-link`, { as, body });

export const refund = (orderId: string, body: object, headers: Record<string, string> = {}) =>
  t.rest<{ id: string; status: string; amount: number }>('POST', `${shop.orders}/${orderId}/refunds`, {
    as: shop.admin,
    body,
    headers,
  });

export const backdateOrderExpiry = (orderId: string) =>
  t.db.write('update orders set expires_at = $2, claimed_until = null where id = $1', [orderId, now() - 1]);

/** Captured minus refunded amount of a payment page at the provider. */
export async function balanceAtProvider(page: { checkoutUrl: string }): Promise<number> {
  const payment = await sandbox.findPayment(`pay_${sessionOf(page)}`);
  return payment ? payment.captured - payment.refunded : 0;
}
