/** Unit price of a variant: tables of examples, and property tests. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeUnitPrice } from '../../src/domains/pricing/unit-price.ts';
import type { MarketPrice } from '../../src/domains/products/model.ts';

const listPriceOnly: MarketPrice = { marketId: 'US', currency: 'USD', price: 1000 };
const at = { quantity: 1, now: 500 };

describe('a sale', () => {
  it.each([
    ['without dates is active', { amount: 800 }, 800],
    ['is inactive before it starts', { amount: 800, startsAt: 501 }, 1000],
    ['is active from its first second', { amount: 800, startsAt: 500 }, 800],
    ['is active until the second before its end', { amount: 800, endsAt: 501 }, 800],
    ['is inactive at its end', { amount: 800, endsAt: 500 }, 1000],
    ['may be free', { amount: 0 }, 0],
    ['above the list price is ignored', { amount: 1001 }, 1000],
  ] as [string, { amount: number; startsAt?: number; endsAt?: number }, number][])(
    '%s',
    (_name, sale, unitPrice) => {
      const price = computeUnitPrice({ ...listPriceOnly, sale }, at);
      expect(price).toEqual({
        listPrice: 1000,
        unitPrice,
        ...(unitPrice < 1000 ? { rule: { kind: 'SALE', endsAt: sale.endsAt } } : {}),
      });
    },
  );
});

describe('volume prices', () => {
  const tiers = [
    { minQuantity: 50, amount: 600 },
    { minQuantity: 10, amount: 800 },
    { minQuantity: 20, amount: 900 },
  ];
  it.each([
    [9, undefined, 1000, undefined],
    [10, undefined, 800, 10],
    [20, undefined, 800, 10],
    [50, undefined, 600, 50],
    [50, { amount: 600 }, 600, undefined],
    [50, { amount: 700 }, 600, 50],
    [10, { amount: 700 }, 700, undefined],
  ])('%i units with a sale of %j cost %i each', (quantity, sale, unitPrice, minQuantity) => {
    const price = computeUnitPrice({ ...listPriceOnly, tiers, sale }, { ...at, quantity });
    const rule = minQuantity ? { kind: 'TIER', minQuantity } : sale && { kind: 'SALE' };
    expect(price).toEqual({ listPrice: 1000, unitPrice, rule });
  });
});

describe('group prices', () => {
  const groupPrices = [
    { groupId: 'cafes', amount: 700 },
    { groupId: 'friends', amount: 600 },
    { groupId: 'staff', amount: 1200 },
  ];
  const tiers = [{ minQuantity: 10, amount: 650 }];
  it.each([
    ['a customer without groups', [], 1, {}, 1000, undefined],
    ['a member', ['cafes'], 1, {}, 700, { kind: 'GROUP', group: 'CAFES' }],
    ['a member of two', ['cafes', 'friends'], 1, {}, 600, { kind: 'GROUP', group: 'FRIENDS' }],
    ['a member of a group with a price above the list price', ['staff'], 1, {}, 1000, undefined],
    ['a member of an unrelated group', ['gone'], 1, {}, 1000, undefined],
    ['a member during an equal sale', ['cafes'], 1, { sale: { amount: 700 } }, 700, { kind: 'SALE' }],
    [
      'a member during a more expensive sale',
      ['cafes'],
      1,
      { sale: { amount: 701 } },
      700,
      { kind: 'GROUP', group: 'CAFES' },
    ],
    ['a member who buys many', ['cafes'], 10, { tiers }, 650, { kind: 'TIER', minQuantity: 10 }],
    [
      'a member with a lower group price who buys many',
      ['friends'],
      10,
      { tiers },
      600,
      { kind: 'GROUP', group: 'FRIENDS' },
    ],
  ] as [string, string[], number, Partial<MarketPrice>, number, object | undefined][])(
    'for %s',
    (_name, ids, quantity, more, unitPrice, rule) => {
      const groups = new Map(ids.map((id) => [id, id.toUpperCase()]));
      const price = computeUnitPrice({ ...listPriceOnly, groupPrices, ...more }, { ...at, quantity, groups });
      expect(price).toEqual({ listPrice: 1000, unitPrice, rule });
    },
  );
});

const amount = fc.integer({ min: 0, max: 2000 });
const moment = fc.integer({ min: 0, max: 1000 });
const priced: fc.Arbitrary<MarketPrice> = fc.record(
  {
    marketId: fc.constant('US'),
    currency: fc.constant('USD'),
    price: amount,
    sale: fc.record({ amount, startsAt: moment, endsAt: moment }, { requiredKeys: ['amount'] }),
    tiers: fc.array(fc.record({ minQuantity: fc.integer({ min: 2, max: 100 }), amount }), { maxLength: 5 }),
    groupPrices: fc.array(fc.record({ groupId: fc.constantFrom('a', 'b', 'c'), amount }), { maxLength: 5 }),
  },
  { requiredKeys: ['marketId', 'currency', 'price'] },
);
const groups = fc
  .subarray(['a', 'b', 'c'])
  .map((ids): ReadonlyMap<string, string> => new Map(ids.map((id) => [id, `Group ${id}`])));
const cases = fc.record({ quantity: fc.integer({ min: 1, max: 100 }), now: moment, groups });

describe('the unit price', () => {
  it('is never above the list price, and has a rule exactly when it is lower', () => {
    fc.assert(
      fc.property(priced, cases, (price, of) => {
        const { listPrice, unitPrice, rule } = computeUnitPrice(price, of);
        expect(listPrice).toBe(price.price);
        expect(unitPrice).toBeLessThanOrEqual(listPrice);
        expect(rule !== undefined).toBe(unitPrice < listPrice);
      }),
    );
  });

  it('never increases with the quantity', () => {
    fc.assert(
      fc.property(priced, cases, fc.nat(100), (price, of, more) => {
        const { unitPrice } = computeUnitPrice(price, { ...of, quantity: of.quantity + more });
        expect(unitPrice).toBeLessThanOrEqual(computeUnitPrice(price, of).unitPrice);
      }),
    );
  });

  it('never increases with more groups, and group prices apply to members only', () => {
    fc.assert(
      fc.property(priced, cases, (price, of) => {
        const inside = computeUnitPrice(price, of);
        const outside = computeUnitPrice(price, { ...of, groups: undefined });
        expect(inside.unitPrice).toBeLessThanOrEqual(outside.unitPrice);
        expect(outside).toEqual(computeUnitPrice({ ...price, groupPrices: undefined }, of));
        if (inside.rule?.kind === 'GROUP') {
          expect([...of.groups.values()]).toContain(inside.rule.group);
          expect(inside.unitPrice).toBeLessThan(outside.unitPrice);
        } else expect(inside).toEqual(outside);
      }),
    );
  });
});
