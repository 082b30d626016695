/** Sale prices, quantity tiers and tax rates by category: the same in quote, cart, checkout and order. */
import { beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../src/lib/time.ts';
import type { Person } from '../support/app.ts';
import { addProduct, detailErrors, postQuote, type SoldProduct } from '../support/shop-fixtures.ts';
import { call, cartOf, open, other, pot, shop, t } from './setup.ts';

const hour = 3600;
let cup: SoldProduct;
let guest: Person;

beforeEach(async () => {
  cup = await addProduct(t, shop, { price: 1000, name: 'Cup' });
  guest = await t.guest();
});

const pathOf = ({ productId }: SoldProduct) => `/v1/businesses/${shop.businessId}/products/${productId}`;

interface Priced {
  variants: { pricing: { markets: Record<string, unknown>[] } }[];
}

const reprice = (more: object, of = cup) =>
  t.rest<Priced>('PUT', pathOf(of), {
    as: shop.admin,
    body: {
      variants: [
        {
          id: of.variantId,
          pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 1000, ...more }] },
        },
      ],
    },
  });

const priceOf = ({ body }: { body: Priced }) => body.variants[0]?.pricing.markets[0];

interface Quoted {
  id: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  lines: {
    unitPrice: number;
    totalPrice: number;
    discount: number;
    tax: number;
    taxBps?: number;
    applied?: object[];
  }[];
}

const quoted = async (as: Person, quantities = [1], more: object = {}) =>
  (
    await postQuote<Quoted>(t, as, {
      businessId: shop.businessId,
      market: 'US',
      shippingMethodId: 'standard',
      lines: quantities.map((quantity) => ({ ...cup, quantity })),
      ...more,
    })
  ).body;

const unitPrices = async (as: Person, quantities?: number[]) =>
  (await quoted(as, quantities)).lines.map(({ unitPrice }) => unitPrice);

const orderUnitPrices = async (as: Person, more: object = {}) => {
  const answer = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...cup, quantity: 1 }], ...more },
  });
  if (answer.status !== 200) return detailErrors(answer.body);
  const order = await t.rest<Quoted>('GET', `${shop.orders}/${answer.body.orderId}`, { as: shop.admin });
  return order.body.lines.map(({ unitPrice }) => unitPrice);
};

describe('a sale', () => {
  it('is stored with the price, is public, and applies everywhere during its period', async () => {
    const sale = { amount: 800, startsAt: now() - hour, endsAt: now() + hour };
    expect(priceOf(await reprice({ sale }))).toEqual({ marketId: 'US', currency: 'USD', price: 1000, sale });
    expect(priceOf(await t.rest<Priced>('GET', pathOf(cup), { as: guest }))).toMatchObject({ sale });
    await open(guest);
    await call(guest, 'POST', '/me/lines', { ...cup, quantity: 2 });
    expect((await cartOf(guest)).lines[0]).toMatchObject({ unitPrice: 800, addedPrice: 800, changes: [] });
    expect(await quoted(guest)).toMatchObject({
      subtotal: 800,
      lines: [{ unitPrice: 800, totalPrice: 800 }],
    });
    expect(await orderUnitPrices(guest)).toEqual([800]);
    const { data } = await t.graphql(
      'query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { variants { price(market: "us") { amount } } } }',
      { b: shop.businessId, id: cup.productId },
      { as: guest },
    );
    expect(data).toEqual({ product: { variants: [{ price: { amount: 800 } }] } });
    const manual = { market: 'US', currency: 'USD', lines: [{ ...cup, quantity: 1 }] };
    const totals = { subtotal: 800, tax: 0, shipping: 0, total: 800 };
    const order = await t.rest<Quoted>('POST', shop.orders, {
      as: shop.admin,
      body: { ...manual, ...totals },
    });
    expect(order.body, JSON.stringify(order.body)).toMatchObject({ lines: [{ unitPrice: 800 }] });
  });

  it('does not apply before and after its period, but a quote from the period remains valid', async () => {
    await reprice({ sale: { amount: 800 } });
    const { id } = await quoted(guest);
    for (const dates of [{ startsAt: now() + hour }, { endsAt: now() }]) {
      await reprice({ sale: { amount: 700, ...dates } });
      expect(await unitPrices(guest)).toEqual([1000]);
    }
    expect(await orderUnitPrices(guest)).toEqual([1000]);
    expect(await orderUnitPrices(guest, { quote: id })).toEqual([800]);
  });

  it('is rejected with an invalid amount or period', async () => {
    const faults = async (sale: object) => {
      const { status, body } = await reprice({ sale });
      return [status, ...detailErrors(body)];
    };
    const at = 'variants.0.pricing.markets.0.sale';
    expect(await faults({ amount: 1001 })).toEqual([422, `${at}.amount ABOVE_PRICE`]);
    expect(await faults({ amount: 1, startsAt: 10, endsAt: 10 })).toEqual([
      422,
      `${at}.endsAt INVALID_RANGE`,
    ]);
    expect(await faults({ amount: -1, startsAt: -1 })).toEqual([
      422,
      `${at}.amount TOO_SMALL`,
      `${at}.startsAt TOO_SMALL`,
    ]);
    // Milliseconds instead of seconds.
    expect(await faults({ amount: 1, endsAt: Date.now() })).toEqual([422, `${at}.endsAt TOO_BIG`]);
    expect(await faults({ startsAt: 1.5 })).toEqual([
      422,
      expect.stringContaining(`${at}.`),
      expect.stringContaining(`${at}.`),
    ]);
    expect(await unitPrices(guest)).toEqual([1000]);
  });
});

describe('tiers', () => {
  const tiers = [
    { minQuantity: 10, amount: 700 },
    { minQuantity: 5, amount: 900 },
  ];

  it('count the units of a variant in the whole order, in quote, cart, checkout and manual order', async () => {
    expect(priceOf(await reprice({ tiers }))).toMatchObject({ tiers });
    expect(await unitPrices(guest, [4])).toEqual([1000]);
    expect(await unitPrices(guest, [2, 3])).toEqual([900, 900]);
    expect(await unitPrices(guest, [1, 9])).toEqual([700, 700]);
    const items = [1, 9].map((quantity) => ({ ...cup, quantity }));
    expect(await orderUnitPrices(guest, { items })).toEqual([700, 700]);
    const { id } = await quoted(guest, [10]);
    expect(await orderUnitPrices(guest, { items, quote: id })).toEqual([700, 700]);
    expect(await orderUnitPrices(guest, { quote: id })).toEqual(['quote QUOTE_MISMATCH']);
    await open(guest);
    await call(guest, 'POST', '/me/lines', { ...cup, quantity: 1 });
    const blocks = [{ id: 'engraving', type: 'TEXT', value: 'Ada' }];
    const { body } = await call(guest, 'POST', '/me/lines', { ...cup, quantity: 4, blocks });
    expect(body.lines).toMatchObject([
      { unitPrice: 900, addedPrice: 1000, changes: ['PRICE_CHANGED'] },
      { unitPrice: 900, addedPrice: 900, changes: [] },
    ]);
    const manual = { market: 'US', currency: 'USD', subtotal: 7000, tax: 0, shipping: 0, total: 7000 };
    const order = await t.rest<Quoted>('POST', shop.orders, {
      as: shop.admin,
      body: { ...manual, lines: items },
    });
    expect(order.body).toMatchObject({ lines: [{ unitPrice: 700 }, { unitPrice: 700, totalPrice: 6300 }] });
  });

  it('are rejected when invalid, with all errors at once', async () => {
    const { status, body } = await reprice({
      tiers: [
        { minQuantity: 2, amount: 1001 },
        { minQuantity: 2, amount: 1 },
      ],
    });
    const at = 'variants.0.pricing.markets.0.tiers';
    expect([status, ...detailErrors(body)]).toEqual([
      422,
      `${at}.0.amount ABOVE_PRICE`,
      `${at}.1.minQuantity DUPLICATE_TIER`,
    ]);
    expect(detailErrors((await reprice({ tiers: [{ minQuantity: 1, amount: 1 }] })).body)).toEqual([
      `${at}.0.minQuantity TOO_SMALL`,
    ]);
    const tooMany = Array.from({ length: 21 }, (_, index) => ({ minQuantity: index + 2, amount: 1 }));
    expect(detailErrors((await reprice({ tiers: tooMany })).body)).toEqual([`${at} TOO_LONG`]);
    expect(priceOf(await reprice({ tiers: [] }))).toEqual({ marketId: 'US', currency: 'USD', price: 1000 });
  });
});

describe('tax rates by category', () => {
  const market = () => `/v1/businesses/${shop.businessId}/markets/US`;
  const setRates = (taxRates: object[]) =>
    t.rest<{ taxRates?: object[] }>('PUT', market(), { as: shop.admin, body: { taxRates } });
  const setCategory = (category: string) =>
    t.rest('PUT', pathOf(cup), { as: shop.admin, body: { category } });

  it('apply per line, are fixed by a quote, stored in the order, and explained', async () => {
    const rates = [{ category: 'books', taxBps: 700 }];
    expect((await setRates(rates)).body).toMatchObject({ taxBps: 825, taxRates: rates });
    await setCategory('books');
    const lines = [
      { ...cup, quantity: 1 },
      { ...pot, quantity: 1 },
    ];
    const quote = await quoted(guest, [], { lines });
    expect(quote).toMatchObject({
      tax: 153,
      taxBps: 825,
      lines: [
        {
          tax: 70,
          taxBps: 700,
          applied: [
            {
              kind: 'TAX',
              before: 1000,
              after: 1070,
              why: 'Tax of 7 % on books.',
              category: 'books',
              taxBps: 700,
            },
          ],
        },
        {
          tax: 83,
          applied: [{ kind: 'TAX', before: 1000, after: 1083, why: 'Tax of 8.25 %.', taxBps: 825 }],
        },
      ],
    });
    expect(quote.lines[1]).not.toHaveProperty('taxBps');
    expect((await setRates([])).body).not.toHaveProperty('taxRates');
    expect(await quoted(guest, [], { lines })).toMatchObject({ tax: 165 });
    const body = { market: 'US', items: lines, quote: quote.id };
    const { orderId } = (
      await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, { as: guest, body })
    ).body;
    const order = (await t.rest<Quoted>('GET', `${shop.orders}/${orderId}`, { as: guest })).body;
    expect(order).toMatchObject({ tax: 153, lines: [{ tax: 70, taxBps: 700 }, { tax: 83 }] });
    expect(order.lines.some((line) => 'applied' in line)).toBe(false);
  });

  it('can be set by ADMIN only, one per category', async () => {
    const duplicate = await setRates([
      { category: 'books', taxBps: 1 },
      { category: ' books ', taxBps: 10_001 },
    ]);
    expect([duplicate.status, ...detailErrors(duplicate.body)]).toEqual([
      422,
      'taxRates.1.taxBps TOO_BIG',
      'taxRates.1.category DUPLICATE_CATEGORY',
    ]);
    const body = { taxRates: [{ category: 'books', taxBps: 0 }] };
    expect((await t.rest('PUT', market(), { as: guest, body })).status).toBe(403);
    expect((await t.rest('PUT', market(), { as: other.admin, body })).status).toBe(404);
    await setCategory('books');
    expect(await quoted(guest)).toMatchObject({ tax: 83 });
  });
});

it('explains every line of quote and cart, from the regular price to the final amount', async () => {
  const endsAt = now() + hour;
  await reprice({ sale: { amount: 900, endsAt }, tiers: [{ minQuantity: 2, amount: 800 }] });
  const tax = { kind: 'TAX', why: 'Tax of 8.25 %.', taxBps: 825 };
  const sale = {
    kind: 'SALE',
    before: 1000,
    after: 900,
    why: `On sale until ${new Date(endsAt * 1000).toISOString().replace('.000', '')}.`,
    endsAt,
  };
  expect((await quoted(guest)).lines[0]?.applied).toEqual([sale, { ...tax, before: 900, after: 974 }]);
  const steps = [
    { kind: 'TIER', before: 2000, after: 1600, why: 'The price from 2 pieces on.', minQuantity: 2 },
    { kind: 'PROMO', before: 1600, after: 800, why: 'Promo code HALF.', promoCode: 'HALF' },
    { ...tax, before: 800, after: 866 },
  ];
  expect((await quoted(guest, [2], { promoCode: 'half' })).lines[0]?.applied).toEqual(steps);
  await open(guest, { promoCode: 'half' });
  const { body } = await call<Quoted>(guest, 'POST', '/me/lines', { ...cup, quantity: 2 });
  expect(body.lines[0]?.applied).toEqual(steps);
});
