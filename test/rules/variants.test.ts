/** Rules of variants: who keeps identity and stock when a product is edited, and what the ledger says about it. */
import { describe, expect, it } from 'vitest';
import type { Variant } from '../../src/domains/products/model.ts';
import { createVariants, replaceVariants } from '../../src/domains/products/rules.ts';
import type { VariantValues } from '../../src/domains/products/schemas.ts';
import { outcome } from './setup.ts';

const input = (more: object = {}) =>
  ({ name: 'Tin', attributes: [], pricing: { markets: [] }, ...more }) as unknown as VariantValues;
const businessId = 'shop';
const known: Variant = {
  ...input(),
  id: 'known',
  businessId,
  name: 'Bag',
  inventory: { tracked: true, quantity: 7, lowStockThreshold: 2 },
};
const current = { businessId, variants: [known] };

describe('stock', () => {
  it.each([
    ['nothing is said', undefined, { tracked: false, quantity: 0 }],
    ['a quantity is', { quantity: 3 }, { tracked: true, quantity: 3 }],
    ['a quantity that is not tracked is', { tracked: false, quantity: 3 }, { tracked: false, quantity: 3 }],
    ['it is tracked', { tracked: true }, { tracked: true, quantity: 0 }],
    ['a threshold is', { lowStockThreshold: 5 }, { tracked: false, quantity: 0, lowStockThreshold: 5 }],
  ])('of a new variant, when %s', (_name, inventory, expected) => {
    const [made] = createVariants(businessId, [input({ id: 'chosen', inventory })]);
    expect(made).toEqual({ ...input(), id: expect.any(String), businessId, inventory: expected });
    expect(made?.id).not.toBe('chosen');
  });

  it.each([
    ['nothing is said', undefined, known.inventory],
    ['a quantity is', { quantity: 3 }, { tracked: true, quantity: 3 }],
    ['a threshold is', { lowStockThreshold: 5 }, { tracked: true, quantity: 7, lowStockThreshold: 5 }],
    ['it is tracked no longer', { tracked: false }, { tracked: false, quantity: 7 }],
  ])('of a known variant, when %s', (_name, inventory, expected) => {
    const [made] = replaceVariants(current, [input({ id: 'known', inventory })]);
    expect(made).toEqual({ ...input(), id: 'known', businessId, inventory: expected });
  });
});

it('new variants beside known ones get an id of their own and stock of their own', () => {
  const [first, second] = replaceVariants(current, [input(), input({ id: 'known' })]);
  expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(first?.inventory).toEqual({ tracked: false, quantity: 0 });
  expect(second?.inventory).toBe(known.inventory);
});

it('refuses every id that the product does not have', () => {
  const inputs = [input({ id: 'other' }), input(), input({ id: 'another' })];
  expect(outcome(() => replaceVariants(current, inputs))).toEqual([
    'variants.0.id VARIANT_NOT_FOUND This product has no such variant.',
    'variants.2.id VARIANT_NOT_FOUND This product has no such variant.',
  ]);
});
