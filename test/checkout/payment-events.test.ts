/** Payment events and refunds: forged, late, repeated and out of order. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type PaymentEvent, PaymentRejectedError } from '../../src/ports/payments.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  createPaymentEvent,
  deliverPaymentEvent,
  signatureHeader,
  signEventRequest,
  webhookPath,
} from '../support/payment-events.ts';
import {
  addProduct,
  createSellingShop,
  loadStock,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let guest: Person;
let pot: SoldProduct;
let sandbox: SandboxPaymentProvider;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  guest = await t.guest();
  pot = await addProduct(t, shop, { price: 1000, stock: 100_000, name: 'Pot' });
  sandbox = t.app.services.payments as SandboxPaymentProvider;
});

interface Purchase {
  orderId: string;
  checkoutUrl: string;
  sessionId: string;
}

/** Checks out pots at 1000 each. Three with 825 bps tax and 590 shipping: total 3838. */
async function buy(quantity = 3, sold = pot): Promise<Purchase> {
  const { body } = await t.rest<Purchase>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity }] },
  });
  return { ...body, sessionId: body.checkoutUrl.split('/').at(-1) ?? '' };
}

async function buyAndPay(quantity = 3, sold = pot): Promise<Purchase> {
  const purchase = await buy(quantity, sold);
  await sandbox.applyAction(purchase.sessionId, 'pay');
  await t.app.drainJobs();
  return purchase;
}

interface State {
  status: string;
  currentPaymentStatus: string;
  captured: number;
  refunded: number;
  refunds: { amount: number; status: string; reason: string | null }[];
}

async function stateOf(orderId: string): Promise<State> {
  const { data } = await t.graphql(
    `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) {
      status currentPaymentStatus captured refunded refunds { amount status reason } } }`,
    { b: shop.businessId, id: orderId },
    { as: shop.admin },
  );
  return (data as unknown as { order: State }).order;
}

describe('webhooks', () => {
  it('are accepted only with a valid, recent signature', async () => {
    const { orderId } = await buy();
    const event = createPaymentEvent(orderId, { amount: 3838 });
    const { body, headers } = signEventRequest(sandbox, event);
    const post = (request: object) => t.rest<{ details: { error: string }[] }>('POST', webhookPath, request);
    const old = signEventRequest(sandbox, event, now() - 400);
    const early = signEventRequest(sandbox, event, now() + 400);
    for (const request of [
      { body },
      { body, headers: { [signatureHeader]: 'nonsense' } },
      { body, headers: { [signatureHeader]: `t=${now()},v1=${'0'.repeat(64)}` } },
      { body: body.replace('3838', '1'), headers },
      { body: `${body} `, headers },
      old,
      early,
    ]) {
      const answer = await post(request);
      expect([answer.status, answer.body.details[0]?.error]).toEqual([400, 'INVALID_SIGNATURE']);
    }
    expect(await stateOf(orderId)).toMatchObject({ status: 'PENDING', captured: 0 });
    expect(await post({ body, headers })).toMatchObject({ status: 200, body: { received: true } });
    expect(await stateOf(orderId)).toMatchObject({
      status: 'PROCESSING',
      currentPaymentStatus: 'PAID',
      captured: 3838,
    });
    expect((await t.rest('GET', webhookPath)).status).toBe(405);
    expect((await t.rest('POST', '/v1/payments/webhooks/stripe', { body, headers })).status).toBe(404);
  });

  it('acknowledge unknown events with 200', async () => {
    expect(
      await deliverPaymentEvent(t, createPaymentEvent(newId(), { type: 'unknown', reference: undefined })),
    ).toBe(200);
    expect(await deliverPaymentEvent(t, createPaymentEvent(newId(), { type: 'paid', amount: 1 }))).toBe(200);
    expect(await deliverPaymentEvent(t, createPaymentEvent(newId(), { reference: 'parcel:7' }))).toBe(200);
    expect(await deliverPaymentEvent(t, createPaymentEvent('not-an-id'))).toBe(200);
  });

  it.each([
    ['an amount', { amount: 3837 }],
    ['a currency', { amount: 3838, currency: 'EUR' }],
  ])('refund a payment with %s that differs from the order', async (_name, more) => {
    const purchase = await buy();
    // The sandbox needs a payment to refund.
    await t.db.write(`update sandbox_payments set state = 'PAID' where id = $1`, [purchase.sessionId]);
    await deliverPaymentEvent(
      t,
      createPaymentEvent(purchase.orderId, { paymentId: `pay_${purchase.sessionId}`, ...more }),
    );
    await t.app.drainJobs();
    expect(await stateOf(purchase.orderId)).toEqual({
      status: 'PENDING',
      currentPaymentStatus: 'PENDING',
      captured: 0,
      refunded: 0,
      refunds: [{ amount: more.amount, status: 'SUCCEEDED', reason: 'Wrong amount' }],
    });
  });

  it('refund a second payment of the same order in full', async () => {
    const purchase = await buyAndPay();
    const twin = await buy();
    await t.db.write(`update sandbox_payments set state = 'PAID' where id = $1`, [twin.sessionId]);
    await deliverPaymentEvent(
      t,
      createPaymentEvent(purchase.orderId, { paymentId: `pay_${twin.sessionId}`, amount: 3838 }),
    );
    await t.app.drainJobs();
    expect(await stateOf(purchase.orderId)).toEqual({
      status: 'PROCESSING',
      currentPaymentStatus: 'PAID',
      captured: 3838,
      refunded: 0,
      refunds: [{ amount: 3838, status: 'SUCCEEDED', reason: 'Paid twice' }],
    });
  });

  it('cancel an order whose session expired at the provider, unless it was paid', async () => {
    const before = await loadStock(t, pot);
    const { orderId } = await buy();
    await deliverPaymentEvent(t, createPaymentEvent(orderId, { type: 'expired' }));
    expect(await stateOf(orderId)).toMatchObject({ status: 'CANCELLED', currentPaymentStatus: 'FAILED' });
    expect(await loadStock(t, pot)).toBe(before);
    const paid = await buyAndPay();
    await deliverPaymentEvent(t, createPaymentEvent(paid.orderId, { type: 'expired' }));
    expect(await stateOf(paid.orderId)).toMatchObject({ status: 'PROCESSING', currentPaymentStatus: 'PAID' });
  });

  it('lead to the same state in any order and with duplicates', async () => {
    const plan: Partial<PaymentEvent>[] = [
      { type: 'failed', paymentId: undefined },
      { type: 'failed', paymentId: undefined },
      { type: 'paid', amount: 3838 },
      { type: 'refunded', amount: 500 },
      { type: 'refunded', amount: 838 },
      { type: 'unknown' },
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(
          plan.flatMap((_event, index) => [index, index]),
          { minLength: 12 },
        ),
        async (deliveries) => {
          const { orderId } = await buy();
          const events = plan.map((more) => createPaymentEvent(orderId, more));
          for (const index of deliveries) {
            const event = events[index];
            if (event) expect(await deliverPaymentEvent(t, event)).toBe(200);
          }
          expect(await stateOf(orderId)).toEqual({
            status: 'PROCESSING',
            currentPaymentStatus: 'PARTIALLY_REFUNDED',
            captured: 3838,
            refunded: 838,
            refunds: [],
          });
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('refunds', () => {
  const refund = (
    orderId: string,
    input: object,
    as: Person = shop.admin,
    headers = {},
    businessId = shop.businessId,
  ) =>
    t.graphql(
      `mutation ($b: ID!, $id: ID!, $input: RefundInput!) { refundOrder(businessId: $b, id: $id, input: $input) {
        order { status currentPaymentStatus captured refunded refunds { amount status reason } } } }`,
      { b: businessId, id: orderId, input },
      { as, headers },
    );
  const detailsOf = (answer: Awaited<ReturnType<typeof refund>>) =>
    answer.errors.flatMap(({ extensions }) =>
      extensions.details.map(({ field, error }) => `${field} ${error}`),
    );

  it('refund units including their share of tax, and restock them', async () => {
    const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
    const { orderId } = await buyAndPay(3, sold);
    // 3000 + 248 tax for three units: 1082, 1083 and 1083.
    const first = await refund(orderId, {
      lines: [{ line: 0, quantity: 1 }],
      restock: true,
      reason: 'Broken',
    });
    expect(first.data).toEqual({
      refundOrder: {
        order: {
          status: 'PROCESSING',
          currentPaymentStatus: 'PARTIALLY_REFUNDED',
          captured: 3838,
          refunded: 1082,
          refunds: [{ amount: 1082, status: 'SUCCEEDED', reason: 'Broken' }],
        },
      },
    });
    expect(await loadStock(t, sold)).toBe(8);
    expect(detailsOf(await refund(orderId, { lines: [{ line: 0, quantity: 3 }] }))).toEqual([
      'lines.0.quantity TOO_BIG',
    ]);
    expect(detailsOf(await refund(orderId, { lines: [{ line: 1, quantity: 1 }] }))).toEqual([
      'lines.0.line LINE_NOT_FOUND',
    ]);
    await refund(orderId, { lines: [{ line: 0, quantity: 2 }] });
    expect(await stateOf(orderId)).toMatchObject({ refunded: 3248 });
    // The remaining amount is shipping.
    await refund(orderId, {});
    expect(await stateOf(orderId)).toMatchObject({
      status: 'REFUNDED',
      currentPaymentStatus: 'REFUNDED',
      refunded: 3838,
    });
    expect(await loadStock(t, sold)).toBe(8);
    expect(detailsOf(await refund(orderId, {}))).toEqual(['amount NOTHING_TO_REFUND']);
  });

  it('never exceed the captured amount, also with concurrent requests', async () => {
    const { orderId } = await buyAndPay();
    expect(detailsOf(await refund(orderId, { amount: 3839 }))).toEqual(['amount REFUND_TOO_LARGE']);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund(orderId, { amount: 1000 })));
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(3);
    expect(await stateOf(orderId)).toMatchObject({
      refunded: 3000,
      currentPaymentStatus: 'PARTIALLY_REFUNDED',
    });
    const unpaid = await buy();
    expect(detailsOf(await refund(unpaid.orderId, { amount: 1 }))).toEqual(['amount NOTHING_TO_REFUND']);
  });

  it('do not restock units again when the order is cancelled', async () => {
    const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
    const { orderId } = await buyAndPay(3, sold);
    await refund(orderId, { lines: [{ line: 0, quantity: 2 }], restock: true });
    expect(await loadStock(t, sold)).toBe(9);
    await t.rest('PUT', `${shop.orders}/${orderId}/status`, {
      as: shop.admin,
      body: { status: 'CANCELLED' },
    });
    expect(await loadStock(t, sold)).toBe(10);
    await t.app.drainJobs();
    expect(await stateOf(orderId)).toMatchObject({ status: 'CANCELLED', currentPaymentStatus: 'REFUNDED' });
    expect(await loadStock(t, sold)).toBe(10);
  });

  it('are made once per Idempotency-Key, and are retried after a provider failure', async () => {
    const { orderId } = await buyAndPay();
    const headers = { 'idempotency-key': newId() };
    await refund(orderId, { amount: 100 }, shop.admin, headers);
    await refund(orderId, { amount: 100 }, shop.admin, headers);
    expect(await stateOf(orderId)).toMatchObject({ refunded: 100 });
    const original = sandbox.refund;
    sandbox.refund = () => Promise.reject(new Error('unavailable'));
    const waiting = await refund(orderId, { amount: 200 });
    sandbox.refund = () => Promise.reject(new PaymentRejectedError('Already disputed.'));
    const refused = await refund(orderId, { amount: 300 });
    sandbox.refund = original;
    expect(waiting.data).toMatchObject({
      refundOrder: { order: { refunded: 100, refunds: [{ status: 'SUCCEEDED' }, { status: 'PENDING' }] } },
    });
    expect(detailsOf(refused)).toEqual(['amount REFUND_REFUSED']);
    await t.app.drainJobs();
    expect(await stateOf(orderId)).toMatchObject({
      refunded: 300,
      refunds: [
        { amount: 100, status: 'SUCCEEDED' },
        { amount: 200, status: 'SUCCEEDED' },
        { amount: 300, status: 'FAILED' },
      ],
    });
  });

  it('require staff of the business and a positive integer amount', async () => {
    const { orderId } = await buyAndPay();
    const codeOf = async (answer: Promise<Awaited<ReturnType<typeof refund>>>) =>
      (await answer).errors[0]?.extensions.code;
    expect(await codeOf(refund(orderId, {}, guest))).toBe('FORBIDDEN');
    expect(await codeOf(refund(orderId, {}, other.admin))).toBe('NOT_FOUND');
    expect(await codeOf(refund(orderId, {}, other.admin, {}, other.businessId))).toBe('NOT_FOUND');
    for (const amount of [0, -1, 1.5]) {
      expect(await codeOf(refund(orderId, { amount }))).toBe('VALIDATION_FAILED');
    }
    expect(await stateOf(orderId)).toMatchObject({ refunded: 0, refunds: [] });
  });

  it('are not triggered by recording a payment status', async () => {
    const { orderId } = await buyAndPay();
    await t.rest('PUT', `${shop.orders}/${orderId}/payment-status`, {
      as: shop.admin,
      body: { status: 'REFUNDED' },
    });
    expect(await stateOf(orderId)).toMatchObject({
      currentPaymentStatus: 'REFUNDED',
      refunded: 0,
      refunds: [],
    });
  });
});
