/** Exact prices: price breakdown, allocation, and errors of promo codes. */
import { describe, expect, it } from 'vitest';
import {
  AmountTooLargeError,
  allocateByWeight,
  type CartPriceParams,
  catchAmountTooLarge,
  computeCartPrice,
  computePriceTotals,
  multiplyAmount,
  prorateToUnitRange,
  sumAmounts,
} from '../../src/domains/pricing/compute-cart-price.ts';
import {
  breakDownLinePrice,
  linePriceStepKinds,
  type PricedLineAmounts,
} from '../../src/domains/pricing/line-price-breakdown.ts';
import {
  findPromoCodeError,
  type PromoCodeTerms,
  toPromoCodeErrorDetail,
  toPromoReduction,
} from '../../src/domains/pricing/promo-code-eligibility.ts';
import { computeUnitPrice } from '../../src/domains/pricing/unit-price.ts';
import { outcome } from './setup.ts';

describe('the price breakdown', () => {
  const line: PricedLineAmounts = {
    listTotal: 1000,
    totalPrice: 800,
    discount: 0,
    tax: 0,
    rate: { taxBps: 0 },
  };
  const sale = { kind: 'SALE', before: 1000, after: 800 };
  it.each([
    ['without any step', {}, []],
    ['a sale', { rule: { kind: 'SALE' } }, [{ ...sale, why: 'On sale.' }]],
    [
      'a sale with an end',
      { rule: { kind: 'SALE', endsAt: 1_767_225_600 } },
      [{ ...sale, why: 'On sale until 2026-01-01T00:00:00Z.', endsAt: 1_767_225_600 }],
    ],
    [
      'a sale that never ends',
      { rule: { kind: 'SALE', endsAt: 9e12 } },
      [{ ...sale, why: 'On sale until +275760-09-13T00:00:00Z.', endsAt: 9e12 }],
    ],
    [
      'a tier',
      { rule: { kind: 'TIER', minQuantity: 5 } },
      [{ kind: 'TIER', before: 1000, after: 800, why: 'The price from 5 pieces on.', minQuantity: 5 }],
    ],
    [
      'a group price',
      { rule: { kind: 'GROUP', group: 'CAFES' } },
      [{ kind: 'GROUP', before: 1000, after: 800, why: 'The price for CAFES.', group: 'CAFES' }],
    ],
    [
      'a promo code',
      { discount: 1, promoCode: 'TEN' },
      [{ kind: 'PROMO', before: 800, after: 799, why: 'Promo code TEN.', promoCode: 'TEN' }],
    ],
    [
      'a promo code without its name',
      { discount: 100 },
      [{ kind: 'PROMO', before: 800, after: 700, why: 'Promo code.' }],
    ],
    [
      'a discount and tax',
      { discount: 100, tax: 133, rate: { taxBps: 1950, category: 'tea' } },
      [
        { kind: 'PROMO', before: 800, after: 700, why: 'Promo code.' },
        { kind: 'TAX', before: 700, after: 833, why: 'Tax of 19.5 % on tea.', taxBps: 1950, category: 'tea' },
      ],
    ],
    [
      'the smallest tax',
      { rate: { taxBps: 1 } },
      [{ kind: 'TAX', before: 800, after: 800, why: 'Tax of 0.01 %.', taxBps: 1 }],
    ],
  ] as [string, Partial<PricedLineAmounts>, object[]][])('%s', (_name, more, expected) => {
    const applied = breakDownLinePrice({ ...line, ...more });
    expect(applied).toEqual(expected);
    for (const { kind } of applied) expect(linePriceStepKinds).toContain(kind);
  });
});

describe('a promo code', () => {
  const promo: PromoCodeTerms = {
    id: 'p',
    code: 'TEN',
    type: 'PERCENTAGE',
    bps: 1000,
    amount: 500,
    currency: 'EUR',
    minSubtotal: null,
    startsAt: null,
    endsAt: null,
    maxUses: null,
    maxUsesPerCustomer: null,
    uses: 5,
    customerUses: 5,
  };
  it.each([
    ['with a percentage, in any currency', {}, undefined],
    ['with a fixed amount, in another currency', { type: 'FIXED' }, 'PROMO_CODE_INVALID'],
    ['with a fixed amount, in this currency', { type: 'FIXED', currency: 'USD' }, undefined],
    ['with uses left', { maxUses: 6 }, undefined],
    ['with no uses at all', { maxUses: 0 }, 'PROMO_CODE_EXHAUSTED'],
    ['with uses left for the customer', { maxUsesPerCustomer: 6 }, undefined],
    ['without uses left for the customer', { maxUsesPerCustomer: 5 }, 'PROMO_CODE_EXHAUSTED'],
  ] as [string, Partial<PromoCodeTerms>, string | undefined][])('%s', (_name, more, error) => {
    expect(findPromoCodeError({ ...promo, ...more }, { currency: 'USD', subtotal: 0, now: 0 })).toBe(error);
  });

  it('has a message for every error code', () => {
    const errorCodes = ['INVALID', 'EXPIRED', 'EXHAUSTED', 'MINIMUM_NOT_MET'] as const;
    expect(errorCodes.map((code) => toPromoCodeErrorDetail(`PROMO_CODE_${code}`))).toEqual(
      [
        'This promo code does not exist or does not apply to this cart.',
        'This promo code has expired.',
        'This promo code has reached its maximum number of uses.',
        'The subtotal is below the minimum of this promo code.',
      ].map((message, index) => ({ field: 'promoCode', error: `PROMO_CODE_${errorCodes[index]}`, message })),
    );
  });

  it('has the reduction of its type', () => {
    const of = (more: Partial<PromoCodeTerms>) => toPromoReduction({ ...promo, ...more });
    expect([of({}), of({ bps: null }), of({ type: 'FIXED' }), of({ type: 'FIXED', amount: null })]).toEqual([
      { type: 'PERCENTAGE', bps: 1000 },
      { type: 'PERCENTAGE', bps: 0 },
      { type: 'FIXED', amount: 500 },
      { type: 'FIXED', amount: 0 },
    ]);
    expect(of({ type: 'FREE_SHIPPING' })).toEqual({ type: 'FREE_SHIPPING' });
  });
});

describe('amounts', () => {
  const most = Number.MAX_SAFE_INTEGER;
  it('are added and multiplied within the safe integer range', () => {
    expect([
      sumAmounts(),
      sumAmounts(1, 2, -4),
      multiplyAmount(7, 6),
      sumAmounts(most, 0),
      sumAmounts(-most),
    ]).toEqual([0, -1, 42, most, -most]);
    for (const work of [
      () => sumAmounts(most, 1),
      () => sumAmounts(-most, -1),
      () => multiplyAmount(most, 2),
    ])
      expect(work).toThrow(new AmountTooLargeError('The amount is too large.'));
    expect(new AmountTooLargeError('x').name).toBe('AmountTooLargeError');
  });

  it('out of range become a validation error of their field; other errors are rethrown', () => {
    expect(catchAmountTooLarge('total', () => 5)).toBe(5);
    expect(outcome(() => catchAmountTooLarge('total', () => multiplyAmount(most, 2)))).toEqual([
      'total AMOUNT_TOO_LARGE The amount is too large.',
    ]);
    expect(() =>
      catchAmountTooLarge('total', () => {
        throw new TypeError('other');
      }),
    ).toThrow(TypeError);
  });

  it('are allocated by largest remainder, then weight, then key, then index', () => {
    const split = (amount: bigint, weights: bigint[], keys: string[] = []) =>
      allocateByWeight(amount, weights, keys).map(Number);
    expect(split(10n, [1n, 1n, 1n], ['c', 'a', 'b'])).toEqual([3, 4, 3]);
    expect(split(11n, [1n, 1n, 1n], ['c', 'a', 'b'])).toEqual([3, 4, 4]);
    expect(split(10n, [1n, 1n, 1n])).toEqual([4, 3, 3]);
    expect(split(1n, [1n, 3n])).toEqual([0, 1]);
    // Equal remainders: the larger weight wins.
    expect(split(2n, [1n, 3n])).toEqual([0, 2]);
    expect(split(3n, [3n, 1n, 2n], ['a', 'b', 'c'])).toEqual([2, 0, 1]);
    expect(split(5n, [0n, 0n])).toEqual([0, 0]);
    expect(split(0n, [1n, 2n])).toEqual([0, 0]);
    expect([
      prorateToUnitRange(10, 0, 1, 3),
      prorateToUnitRange(10, 1, 2, 3),
      prorateToUnitRange(10, 2, 3, 3),
    ]).toEqual([3, 3, 4]);
  });
});

describe('a price', () => {
  const request: CartPriceParams = {
    currency: 'USD',
    lines: [
      { key: 'a', quantity: 2, unitPrice: 300, listPrice: 400, rule: { kind: 'SALE' } },
      { key: 'b', quantity: 1, unitPrice: 400, taxRate: { taxBps: 0, category: 'stamps' } },
    ],
    taxBps: 1000,
    shipping: { price: 90, freeAbove: 950 },
    reduction: { type: 'FIXED', amount: 100 },
    promoCode: 'TEN',
  };
  const promo = { kind: 'PROMO', why: 'Promo code TEN.', promoCode: 'TEN' };
  const priced = {
    lines: [
      {
        unitPrice: 300,
        totalPrice: 600,
        discount: 60,
        tax: 54,
        applied: [
          { kind: 'SALE', before: 800, after: 600, why: 'On sale.' },
          { ...promo, before: 600, after: 540 },
          { kind: 'TAX', before: 540, after: 594, why: 'Tax of 10 %.', taxBps: 1000 },
        ],
      },
      {
        unitPrice: 400,
        totalPrice: 400,
        discount: 40,
        tax: 0,
        applied: [{ ...promo, before: 400, after: 360 }],
      },
    ],
    subtotal: 1000,
    discount: 100,
    tax: 54,
    shipping: 90,
    total: 1044,
  };

  it('contains totals, lines and price breakdown', () => {
    expect(computeCartPrice(request)).toEqual(priced);
    const { lines, taxBps, promoCode } = request;
    expect(
      computePriceTotals({ currency: 'USD', lines, taxBps, promoCode, discount: 100n, shipping: 90n }),
    ).toEqual(priced);
    expect(computeCartPrice({ currency: 'USD', lines: [], taxBps: 1000 })).toEqual({
      ...{ lines: [], subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0 },
    });
  });

  it('allocates the remaining minor unit by key, regardless of line order', () => {
    const lines = ['c', 'a', 'b'].map((key) => ({ key, quantity: 1, unitPrice: 100 }));
    const shares = (of: typeof lines) =>
      computeCartPrice({
        currency: 'USD',
        lines: of,
        taxBps: 133,
        reduction: { type: 'FIXED', amount: 1 },
      }).lines.map(({ discount, tax }, index) => `${of[index]?.key} ${discount} ${tax}`);
    expect(shares(lines)).toEqual(['c 0 1', 'a 1 1', 'b 0 2']);
    expect(shares(lines.toReversed())).toEqual(['b 0 2', 'a 1 1', 'c 0 1']);
  });

  it.each([
    ['a percentage', { type: 'PERCENTAGE', bps: 1005 }, 101, 90],
    ['a percentage above 100 %', { type: 'PERCENTAGE', bps: 20_000 }, 1000, 90],
    ['a fixed amount equal to the subtotal', { type: 'FIXED', amount: 1000 }, 1000, 90],
    ['a fixed amount that keeps free shipping', { type: 'FIXED', amount: 50 }, 50, 0],
    ['free shipping', { type: 'FREE_SHIPPING' }, 0, 0],
    ['no reduction', undefined, 0, 0],
  ] as [string, CartPriceParams['reduction'], number, number][])(
    'with %s',
    (_name, reduction, discount, shipping) => {
      expect(computeCartPrice({ ...request, reduction })).toMatchObject({ discount, shipping });
    },
  );

  it('of one unit is the lowest applicable price', () => {
    const price = { marketId: 'US', currency: 'USD', price: 10 };
    const at = { quantity: 2, now: 5 };
    expect(computeUnitPrice(price, at)).toEqual({ listPrice: 10, unitPrice: 10 });
    expect(computeUnitPrice({ ...price, sale: { amount: 9 } }, at).rule).toEqual({
      kind: 'SALE',
      endsAt: undefined,
    });
    expect(computeUnitPrice({ ...price, tiers: [{ minQuantity: 3, amount: 1 }] }, at).unitPrice).toBe(10);
  });
});
