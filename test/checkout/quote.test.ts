/** Quotes in REST and GraphQL: exact prices, no writes, validation errors. */
import { beforeAll, describe, expect, it } from 'vitest';
import { quoteLifetimeSeconds } from '../../src/domains/checkout/quote-token.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  detailErrors,
  postQuote,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let guest: Person;
let pot: SoldProduct;
let cup: SoldProduct;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  guest = await t.guest();
  pot = await addProduct(t, shop, { price: 2999, name: 'Pot' });
  cup = await addProduct(t, shop, { price: 450, stock: 5, name: 'Cup' });
  await addPromoCode(t, shop, { code: 'TEN', type: 'PERCENTAGE', bps: 1000 });
  await addPromoCode(t, shop, { code: 'FREESHIP', type: 'FREE_SHIPPING' });
  await addPromoCode(t, shop, {
    code: 'RICH',
    type: 'FIXED',
    amount: 100,
    currency: 'USD',
    minSubtotal: 1_000_000,
  });
  await addPromoCode(t, shop, { code: 'OLD', type: 'PERCENTAGE', bps: 1000, endsAt: now() - 1 });
  await addPromoCode(t, other, { code: 'FOREIGN', type: 'PERCENTAGE', bps: 1000 });
});

const cart = (more: Record<string, unknown> = {}) => ({
  businessId: shop.businessId,
  market: 'us',
  currency: 'usd',
  paymentMethod: 'CREDIT_CARD',
  lines: [
    { type: 'PRODUCT_VARIANT', ...pot, quantity: 1 },
    { type: 'PRODUCT_VARIANT', ...cup, quantity: 2 },
  ],
  shippingMethodId: 'standard',
  ...more,
});

describe('a cart', () => {
  it('has the same price in REST, with `items`, and in GraphQL', async () => {
    const answer = await postQuote<{ id: string; expiresAt: number }>(t, guest, cart({ promoCode: 'ten' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(String),
      expiresAt: expect.any(Number),
      lines: [
        {
          type: 'PRODUCT_VARIANT',
          ...pot,
          name: 'Pot',
          variantName: 'Small',
          sku: expect.stringMatching(/^SKU-/),
          quantity: 1,
          unitPrice: 2999,
          totalPrice: 2999,
          discount: 300,
          tax: 222,
          applied: [
            { kind: 'PROMO', before: 2999, after: 2699, why: 'Promo code TEN.', promoCode: 'TEN' },
            { kind: 'TAX', before: 2699, after: 2921, why: 'Tax of 8.25 %.', taxBps: 825 },
          ],
        },
        {
          type: 'PRODUCT_VARIANT',
          ...cup,
          name: 'Cup',
          variantName: 'Small',
          sku: expect.stringMatching(/^SKU-/),
          quantity: 2,
          unitPrice: 450,
          totalPrice: 900,
          discount: 90,
          tax: 67,
          applied: [
            { kind: 'PROMO', before: 900, after: 810, why: 'Promo code TEN.', promoCode: 'TEN' },
            { kind: 'TAX', before: 810, after: 877, why: 'Tax of 8.25 %.', taxBps: 825 },
          ],
        },
      ],
      subtotal: 3899,
      discount: 390,
      tax: 289,
      taxBps: 825,
      shipping: 590,
      total: 4388,
      currency: 'USD',
    });
    expect(answer.body.expiresAt).toBeGreaterThan(now() + quoteLifetimeSeconds - 5);
    const { lines, ...rest } = cart({ promoCode: 'TEN' }) as Record<string, unknown>;
    const { id: _id, expiresAt: _expiresAt, ...amounts } = answer.body;
    expect((await postQuote(t, guest, { ...rest, items: lines })).body).toMatchObject(amounts);
    const viaGraphql = await t.graphql(
      'query ($input: QuoteInput!) { quote(input: $input) { subtotal discount tax shipping total promoCode lines { product { name } variant { name } } } }',
      { input: cart({ promoCode: 'TEN' }) },
      { as: guest },
    );
    expect(viaGraphql.data).toEqual({
      quote: {
        subtotal: 3899,
        discount: 390,
        tax: 289,
        shipping: 590,
        total: 4388,
        promoCode: 'TEN',
        lines: [
          { product: { name: 'Pot' }, variant: { name: 'Small' } },
          { product: { name: 'Cup' }, variant: { name: 'Small' } },
        ],
      },
    });
  });

  it('executes one select statement at any size', async () => {
    const large = cart({ lines: Array.from({ length: 100 }, () => ({ ...pot, quantity: 1 })) });
    t.statements.length = 0;
    expect((await postQuote(t, guest, large)).status).toBe(200);
    expect(t.statements).toHaveLength(1);
    expect(t.statements.every((text) => text.trimStart().startsWith('select'))).toBe(true);
  });

  it('needs no shipping method, and applies free shipping', async () => {
    expect((await postQuote(t, guest, cart({ shippingMethodId: null }))).body).toMatchObject({ shipping: 0 });
    expect((await postQuote(t, guest, cart({ promoCode: 'freeship' }))).body).toMatchObject({
      shipping: 0,
      discount: 0,
    });
    const many = cart({ lines: [{ ...pot, quantity: 4 }] });
    expect((await postQuote(t, guest, many)).body).toMatchObject({ subtotal: 11_996, shipping: 0 });
  });

  it('ignores prices sent by the client', async () => {
    const lines = [{ ...pot, quantity: 1, unitPrice: 1, totalPrice: 1 }];
    expect((await postQuote(t, guest, cart({ lines, subtotal: 1, tax: 0, total: 1 }))).body).toMatchObject({
      subtotal: 2999,
    });
  });
});

describe('quote rejects', () => {
  it('requests without a token', async () => {
    expect((await postQuote(t, undefined, cart())).status).toBe(401);
    expect((await postQuote(t, undefined, { lines: 7 })).status).toBe(401);
  });

  it.each([
    ['an unknown market', { market: 'MARS', currency: null }, ['market MARKET_NOT_FOUND']],
    ['another currency', { currency: 'EUR' }, ['currency CURRENCY_MISMATCH']],
    [
      'an unknown shipping method',
      { shippingMethodId: 'rocket' },
      ['shippingMethodId SHIPPING_METHOD_NOT_FOUND'],
    ],
    ['an unknown promo code', { promoCode: 'NOPE' }, ['promoCode PROMO_CODE_INVALID']],
    ['a promo code of another business', { promoCode: 'FOREIGN' }, ['promoCode PROMO_CODE_INVALID']],
    ['an expired promo code', { promoCode: 'old' }, ['promoCode PROMO_CODE_EXPIRED']],
    ['a promo code with a minimum', { promoCode: 'RICH' }, ['promoCode PROMO_CODE_MINIMUM_NOT_MET']],
    ['an unknown payment method', { paymentMethod: 'SHELLS' }, ['paymentMethod INVALID_VALUE']],
    ['no lines', { lines: [] }, ['lines TOO_SHORT']],
    [
      'too many lines',
      { lines: Array(1000).fill({ productId: 'x', variantId: 'y', quantity: 1 }) },
      ['lines TOO_LONG'],
    ],
    [
      'an unknown product',
      { lines: [{ productId: newId(), variantId: newId(), quantity: 1 }] },
      ['lines.0.productId PRODUCT_NOT_FOUND'],
    ],
    [
      'an unknown product, with an unknown promo code',
      { lines: [{ productId: newId(), variantId: newId(), quantity: 1 }], promoCode: 'NOPE' },
      ['lines.0.productId PRODUCT_NOT_FOUND', 'promoCode PROMO_CODE_INVALID'],
    ],
    [
      'an unknown product, with a promo code whose minimum cannot be checked',
      { lines: [{ productId: newId(), variantId: newId(), quantity: 1 }], promoCode: 'RICH' },
      ['lines.0.productId PRODUCT_NOT_FOUND'],
    ],
    [
      'an unknown market and promo code',
      { market: 'MARS', currency: null, promoCode: 'old' },
      ['market MARKET_NOT_FOUND', 'promoCode PROMO_CODE_EXPIRED'],
    ],
  ])('%s', async (_name, more, expected) => {
    const answer = await postQuote(t, guest, cart(more));
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, expected]);
  });

  it.each([
    [0, 'TOO_SMALL'],
    [-1, 'TOO_SMALL'],
    [1.5, 'INVALID_TYPE'],
    [1_000_001, 'TOO_BIG'],
    [2 ** 53, 'INVALID_TYPE'],
    ['2', 'INVALID_TYPE'],
    [null, 'REQUIRED'],
  ])('a quantity of %s', async (quantity, error) => {
    const answer = await postQuote(t, guest, cart({ lines: [{ ...pot, quantity }] }));
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, [`lines.0.quantity ${error}`]]);
  });

  it('every line that cannot be sold, naming each', async () => {
    const foreign = await addProduct(t, other);
    const draft = await addProduct(t, shop, { status: 'DRAFT' });
    const answer = await postQuote(
      t,
      shop.admin,
      cart({
        lines: [
          { ...pot, quantity: 1 },
          { ...foreign, quantity: 1 },
          { ...draft, quantity: 1 },
          { productId: pot.productId, variantId: cup.variantId, quantity: 1 },
        ],
      }),
    );
    expect(detailErrors(answer.body)).toEqual([
      'lines.1.productId PRODUCT_NOT_FOUND',
      'lines.2.productId PRODUCT_NOT_FOUND',
      'lines.3.variantId VARIANT_NOT_FOUND',
    ]);
    const unpriced = await postQuote(
      t,
      guest,
      cart({ market: 'EU', currency: 'EUR', shippingMethodId: null }),
    );
    expect(detailErrors(unpriced.body)).toEqual([
      'lines.0 PRICE_NOT_AVAILABLE',
      'lines.1 PRICE_NOT_AVAILABLE',
    ]);
  });

  it('amounts beyond the safe integer range', async () => {
    const dear = await addProduct(t, shop, { price: Number.MAX_SAFE_INTEGER });
    const answer = await postQuote(t, guest, cart({ lines: [{ ...dear, quantity: 2 }] }));
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, ['lines AMOUNT_TOO_LARGE']]);
  });

  it('an unknown business with 404', async () => {
    expect((await postQuote(t, guest, cart({ businessId: newId() }))).status).toBe(404);
    expect((await postQuote(t, guest, cart({ businessId: 'nobody' }))).status).toBe(404);
  });
});
