/** Price computation and promo codes: tables of examples, and property tests. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AmountTooLargeError,
  allocateByWeight,
  type CartPriceParams,
  computeCartPrice,
  type LineWithUnitPrice,
  type PricedLine,
  prorateToUnitRange,
} from '../../src/domains/pricing/compute-cart-price.ts';
import { findPromoCodeError, type PromoCodeTerms } from '../../src/domains/pricing/promo-code-eligibility.ts';

const runs = Number(process.env.QUOTE_RUNS ?? 5_000);

const singleLine = (unitPrice: number, quantity = 1) => [{ key: 'a', unitPrice, quantity }];

describe('totals', () => {
  it.each([
    ['tax rounds half up', { lines: singleLine(50), taxBps: 100 }, { subtotal: 50, tax: 1, total: 51 }],
    [
      'tax below half rounds down',
      { lines: singleLine(49), taxBps: 100 },
      { subtotal: 49, tax: 0, total: 49 },
    ],
    [
      'tax is rounded once, not per line',
      { lines: [...singleLine(50), { key: 'b', unitPrice: 50, quantity: 1 }], taxBps: 50 },
      { subtotal: 100, tax: 1, total: 101 },
    ],
    [
      'tax is rounded once for each rate',
      {
        lines: [
          ...singleLine(150),
          { key: 'b', unitPrice: 50, quantity: 1, taxRate: { taxBps: 700, category: 'books' } },
          { key: 'c', unitPrice: 50, quantity: 1, taxRate: { taxBps: 700, category: 'tea' } },
          { key: 'd', unitPrice: 999, quantity: 1, taxRate: { taxBps: 0, category: 'stamps' } },
        ],
        taxBps: 1900,
      },
      { subtotal: 1249, tax: 36, total: 1285, lines: [{ tax: 29 }, { tax: 4 }, { tax: 3 }, { tax: 0 }] },
    ],
    [
      'tax applies to the price after discount',
      { lines: singleLine(1000), taxBps: 1000, reduction: { type: 'PERCENTAGE', bps: 5000 } },
      { discount: 500, tax: 50, total: 550 },
    ],
    [
      'a discount rounds half up',
      { lines: singleLine(5), taxBps: 0, reduction: { type: 'PERCENTAGE', bps: 1000 } },
      { discount: 1, total: 4 },
    ],
    [
      'a fixed discount is limited to the subtotal',
      {
        lines: singleLine(300),
        taxBps: 2000,
        shipping: { price: 0 },
        reduction: { type: 'FIXED', amount: 500 },
      },
      { discount: 300, tax: 0, total: 0 },
    ],
    [
      'free shipping does not count as a discount',
      { lines: singleLine(1000), taxBps: 0, shipping: { price: 590 }, reduction: { type: 'FREE_SHIPPING' } },
      { discount: 0, shipping: 0, total: 1000 },
    ],
    [
      'shipping is not taxed',
      { lines: singleLine(1000), taxBps: 1000, shipping: { price: 500 } },
      { tax: 100, shipping: 500, total: 1600 },
    ],
    [
      'shipping is free at `freeAbove`',
      { lines: singleLine(1000), taxBps: 0, shipping: { price: 590, freeAbove: 1000 } },
      { shipping: 0 },
    ],
    [
      'shipping is not free when the discount lowers the price below `freeAbove`',
      {
        lines: singleLine(1000),
        taxBps: 0,
        shipping: { price: 590, freeAbove: 1000 },
        reduction: { type: 'FIXED', amount: 1 },
      },
      { shipping: 590, total: 1589 },
    ],
    [
      'large amounts stay exact',
      { lines: singleLine(9_007_199_254_740_991), taxBps: 0 },
      { total: 9_007_199_254_740_991 },
    ],
    [
      'amounts with three decimals are multiples of ten',
      {
        currency: 'KWD',
        lines: [...singleLine(1110), { key: 'b', unitPrice: 1230, quantity: 1 }],
        taxBps: 525,
        shipping: { price: 1255 },
        reduction: { type: 'PERCENTAGE', bps: 700 },
      },
      {
        ...{ subtotal: 2340, discount: 160, tax: 110, shipping: 1260, total: 3550 },
        lines: [
          { discount: 80, tax: 50 },
          { discount: 80, tax: 60 },
        ],
      },
    ],
    [
      'a fixed discount with three decimals is rounded half up to a multiple of ten',
      { currency: 'KWD', lines: singleLine(1000), taxBps: 0, reduction: { type: 'FIXED', amount: 105 } },
      { discount: 110, total: 890 },
    ],
    [
      'amounts paid in whole units are rounded to them',
      { currency: 'MGA', lines: singleLine(10_000), taxBps: 150, shipping: { price: 49 } },
      { tax: 200, shipping: 100, total: 10_300 },
    ],
  ] as [string, Omit<CartPriceParams, 'currency'> & { currency?: string }, object][])(
    '%s',
    (_name, request, expected) => {
      expect(computeCartPrice({ currency: 'USD', ...request })).toMatchObject(expected);
    },
  );

  it.each([
    [singleLine(9_007_199_254_740_991, 2), 0],
    [singleLine(9_007_199_254_740_991), 1],
  ])('rejects amounts beyond the safe integer range', (lines, taxBps) => {
    expect(() => computeCartPrice({ currency: 'USD', lines, taxBps })).toThrow(AmountTooLargeError);
  });
});

const lines = fc.array(
  fc.record({
    key: fc.uuid(),
    unitPrice: fc.integer({ min: 0, max: 50_000_000 }),
    quantity: fc.integer({ min: 1, max: 1000 }),
    taxRate: fc.option(fc.record({ taxBps: fc.constantFrom(0, 700, 1900), category: fc.constant('tea') }), {
      nil: undefined,
    }),
    rule: fc.option(fc.constant({ kind: 'SALE' as const }), { nil: undefined }),
    listPrice: fc.option(fc.integer({ min: 50_000_000, max: 60_000_000 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
);

const request: fc.Arbitrary<CartPriceParams> = fc.record({
  currency: fc.constant('USD'),
  lines,
  taxBps: fc.integer({ min: 0, max: 10_000 }),
  shipping: fc.option(
    fc.record({
      price: fc.integer({ min: 0, max: 100_000 }),
      freeAbove: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  reduction: fc.option(
    fc.oneof(
      fc.record({
        type: fc.constant('PERCENTAGE' as const),
        bps: fc.integer({ min: 1, max: 10_000 }),
      }),
      fc.record({
        type: fc.constant('FIXED' as const),
        amount: fc.integer({ min: 1, max: 1_000_000_000 }),
      }),
      fc.record({ type: fc.constant('FREE_SHIPPING' as const) }),
    ),
    { nil: undefined },
  ),
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Each step starts with the amount of the previous one; the last step ends with the final price of the line. */
function isExplained(
  { applied, totalPrice, discount, tax }: PricedLine,
  line: LineWithUnitPrice | undefined,
): boolean {
  const { rule, quantity = 0, unitPrice = 0, listPrice = unitPrice } = line ?? {};
  const amounts = [rule ? listPrice * quantity : totalPrice, ...applied.map(({ after }) => after)];
  return (
    applied.every(({ before }, index) => before === amounts[index]) &&
    amounts.at(-1) === totalPrice - discount + tax
  );
}

describe('properties', () => {
  it('the total adds up, no amount is negative, and discount and tax are allocated completely', () => {
    fc.assert(
      fc.property(request, (input) => {
        const price = computeCartPrice(input);
        const { subtotal, tax, shipping, discount, total } = price;
        const parts = (field: 'totalPrice' | 'discount' | 'tax') =>
          sum(price.lines.map((line) => line[field]));
        // PERF: plain comparisons instead of expect, for runs with a million cases.
        return (
          total === subtotal + tax + shipping - discount &&
          [subtotal, tax, shipping, discount, total].every(
            (amount) => Number.isSafeInteger(amount) && amount >= 0,
          ) &&
          discount <= subtotal &&
          parts('totalPrice') === subtotal &&
          parts('discount') === discount &&
          parts('tax') === tax &&
          price.lines.every((line) => line.discount <= line.totalPrice) &&
          price.lines.every((line, index) => isExplained(line, input.lines[index]))
        );
      }),
      { numRuns: runs },
    );
  });

  it('the price does not depend on the order of the lines', () => {
    fc.assert(
      fc.property(request, fc.infiniteStream(fc.nat()), (input, random) => {
        const shuffled = input.lines
          .map((line) => ({ line, at: random.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ line }) => line);
        const byKey = (of: CartPriceParams) => {
          const { lines: priced, ...totals } = computeCartPrice(of);
          const keyed = priced.map((line, index) => JSON.stringify([of.lines[index]?.key, line]));
          return { ...totals, lines: keyed.sort() };
        };
        expect(byKey({ ...input, lines: shuffled })).toEqual(byKey(input));
      }),
      { numRuns: Math.min(runs, 2_000) },
    );
  });

  it('each allocated part is within one unit of its exact share', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(weights, fc.bigInt({ min: 0n, max: 10n ** 15n }), (input, amount) => {
        const keys = input.map(String);
        const whole = input.reduce((a, b) => a + b, 0n);
        const parts = allocateByWeight(amount, input, keys);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(whole === 0n ? 0n : amount);
        for (const [index, part] of parts.entries()) {
          const exact = whole === 0n ? 0n : (amount * (input[index] ?? 0n)) / whole;
          expect(part === exact || part === exact + 1n).toBe(true);
        }
      }),
      { numRuns: Math.min(runs, 2_000) },
    );
  });

  it('shares of the units of a line add up to its amount', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.integer({ min: 1, max: 50 }), fc.nat(50), (amount, of, cut) => {
        const at = Math.min(cut, of);
        expect(prorateToUnitRange(amount, 0, at, of) + prorateToUnitRange(amount, at, of, of)).toBe(amount);
      }),
    );
  });
});

describe('promo codes', () => {
  const promo: PromoCodeTerms = {
    id: 'p',
    code: 'TEN',
    type: 'PERCENTAGE',
    bps: 1000,
    amount: null,
    currency: null,
    minSubtotal: null,
    startsAt: null,
    endsAt: null,
    maxUses: null,
    maxUsesPerCustomer: null,
    uses: 0,
    customerUses: 0,
  };
  const context = { currency: 'USD', subtotal: 1000, now: 100 };
  it.each([
    ['unknown', undefined, 'PROMO_CODE_INVALID'],
    ['without conditions', promo, undefined],
    ['not started', { ...promo, startsAt: 101 }, 'PROMO_CODE_INVALID'],
    ['starts now', { ...promo, startsAt: 100 }, undefined],
    ['ends now', { ...promo, endsAt: 100 }, 'PROMO_CODE_EXPIRED'],
    ['ends later', { ...promo, endsAt: 101 }, undefined],
    ['used up', { ...promo, maxUses: 3, uses: 3 }, 'PROMO_CODE_EXHAUSTED'],
    ['one use left', { ...promo, maxUses: 3, uses: 2 }, undefined],
    [
      'used up by this customer',
      { ...promo, maxUsesPerCustomer: 1, customerUses: 1 },
      'PROMO_CODE_EXHAUSTED',
    ],
    ['below the minimum', { ...promo, minSubtotal: 1001 }, 'PROMO_CODE_MINIMUM_NOT_MET'],
    ['at the minimum', { ...promo, minSubtotal: 1000 }, undefined],
    [
      'fixed, in another currency',
      { ...promo, type: 'FIXED', amount: 1, currency: 'EUR' },
      'PROMO_CODE_INVALID',
    ],
  ] as [string, PromoCodeTerms | undefined, string | undefined][])('%s: %s', (_name, candidate, error) => {
    expect(findPromoCodeError(candidate, context)).toBe(error);
  });
});
