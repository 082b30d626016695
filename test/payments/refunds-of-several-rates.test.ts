/** Refunds unit by unit of orders with several tax rates, a discount and shipping, in currencies of no, two and three decimals. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { smallestPayableStep } from '../../src/lib/commerce/round-to-payable-amount.ts';
import type { SoldProduct } from '../support/shop-fixtures.ts';
import { actOnPage, guest, type Page, refund, shop, stateOf, t } from './setup.ts';

const markets = { US2: 'USD', JP: 'JPY', KW: 'KWD' } as const;
type MarketCode = keyof typeof markets;
const categories = [undefined, 'books', 'food', 'tools'] as const;
const listPrices = [333, 1235, 4999] as const;

let products: SoldProduct[];
beforeAll(async () => {
  const create = async (resource: string, body: object) => {
    const path = `/v1/businesses/${shop.businessId}/${resource}`;
    const response = await t.rest<{ id: string; variants: { id: string }[] }>('POST', path, {
      as: shop.admin,
      body,
    });
    expect(response.status).toBe(200);
    return response.body;
  };
  const taxRates = Object.entries({ books: 333, food: 0, tools: 2500 }).map(([category, taxBps]) => ({
    category,
    taxBps,
  }));
  for (const [code, currency] of Object.entries(markets))
    await create('markets', { code, currency, taxBps: 825, taxRates });
  const marketIds = Object.keys(markets);
  await create('shipping-methods', {
    id: 'parcel',
    name: 'Parcel',
    prices: marketIds.map((marketId) => ({ marketId, price: 777 })),
  });
  await create('promo-codes', { code: 'ODD', type: 'PERCENTAGE', bps: 1111 });
  products = [];
  for (const category of categories)
    for (const price of listPrices) {
      const prices = Object.entries(markets).map(([marketId, currency]) => ({ marketId, currency, price }));
      const { id, variants } = await create('products', {
        name: 'Thing',
        ...(category ? { category } : {}),
        variants: [{ name: 'One', pricing: { markets: prices } }],
      });
      products.push({ productId: id, variantId: variants[0]?.id ?? '' });
    }
});

interface Case {
  market: MarketCode;
  hasPromo: boolean;
  lines: { product: number; quantity: number }[];
  /** Seed of the order in which units are refunded. */
  order: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  market: fc.constantFrom<MarketCode>('US2', 'JP', 'KW'),
  hasPromo: fc.boolean(),
  lines: fc.array(
    fc.record({
      product: fc.nat(categories.length * listPrices.length - 1),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  order: fc.nat(),
});

async function buyPaid({ market, hasPromo, lines }: Case): Promise<Page> {
  const { status, body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: {
      market,
      shippingMethodId: 'parcel',
      items: lines.map(({ product, quantity }) => ({ ...products[product], quantity })),
      ...(hasPromo ? { promoCode: 'ODD' } : {}),
    },
  });
  expect(status).toBe(200);
  await actOnPage(body, 'pay');
  return body;
}

it('returns all but the shipping, in amounts that can be paid, and asks for nothing again', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (candidate) => {
      const { orderId } = await buyPaid(candidate);
      const step = smallestPayableStep(markets[candidate.market]);
      const { total } = await stateOf(orderId);
      const units = candidate.lines.flatMap(({ quantity }, line) =>
        Array.from({ length: quantity }, () => line),
      );
      let returned = 0;
      for (let left = units; left.length > 0; ) {
        const next = (candidate.order + left.length * 7) % left.length;
        const line = left[next];
        left = left.filter((_line, index) => index !== next);
        const { status, body } = await refund(orderId, { lines: [{ line, quantity: 1 }] });
        expect([status, body.status, body.amount % step]).toEqual([200, 'SUCCEEDED', 0]);
        returned += body.amount;
        expect(await stateOf(orderId)).toMatchObject({ captured: total, refunded: returned, amountDue: 0 });
      }
      const shipping = Math.round(777 / step) * step;
      expect(returned).toBe(total - shipping);
      const { body } = await refund(orderId, {});
      expect(body.amount).toBe(shipping);
      expect(await stateOf(orderId)).toMatchObject({ status: 'REFUNDED', refunded: total, amountDue: 0 });
    }),
    { numRuns: 12 },
  );
});
