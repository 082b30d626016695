/** Rules of variants: ids and stock of variants when a product is created or edited. */
import { describe, expect, it } from 'vitest';
import { buildNewVariants, buildUpdatedVariants } from '../../src/domains/products/build-variants.ts';
import type { Variant } from '../../src/domains/products/model.ts';
import type { VariantInputValues } from '../../src/domains/products/schemas.ts';
import { outcome } from './setup.ts';

const input = (more: object = {}) =>
  ({ name: 'Tin', attributes: [], pricing: { markets: [] }, ...more }) as unknown as VariantInputValues;
const businessId = 'shop';
const existing: Variant = {
  ...input(),
  id: 'known',
  businessId,
  name: 'Bag',
  inventory: { tracked: true, quantity: 7, lowStockThreshold: 2 },
};
const current = { businessId, variants: [existing] };

describe('inventory', () => {
  it.each([
    ['nothing is said', undefined, { tracked: false, quantity: 0 }],
    ['a quantity is', { quantity: 3 }, { tracked: true, quantity: 3 }],
    [
      'a quantity is sent with tracked: false',
      { tracked: false, quantity: 3 },
      { tracked: false, quantity: 3 },
    ],
    ['tracked: true is sent', { tracked: true }, { tracked: true, quantity: 0 }],
    ['a threshold is', { lowStockThreshold: 5 }, { tracked: false, quantity: 0, lowStockThreshold: 5 }],
  ])('of a new variant when %s', (_name, inventory, expected) => {
    const [created] = buildNewVariants(businessId, [input({ id: 'chosen', inventory })]);
    expect(created).toEqual({ ...input(), id: expect.any(String), businessId, inventory: expected });
    expect(created?.id).not.toBe('chosen');
  });

  it.each([
    ['nothing is said', undefined, existing.inventory],
    ['a quantity is', { quantity: 3 }, { tracked: true, quantity: 3 }],
    ['a threshold is', { lowStockThreshold: 5 }, { tracked: true, quantity: 7, lowStockThreshold: 5 }],
    ['tracked: false is sent', { tracked: false }, { tracked: false, quantity: 7 }],
  ])('of an existing variant when %s', (_name, inventory, expected) => {
    const [created] = buildUpdatedVariants(current, [input({ id: 'known', inventory })]);
    expect(created).toEqual({ ...input(), id: 'known', businessId, inventory: expected });
  });
});

it('new variants next to existing ones get a new id and their own stock', () => {
  const [first, second] = buildUpdatedVariants(current, [input(), input({ id: 'known' })]);
  expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(first?.inventory).toEqual({ tracked: false, quantity: 0 });
  expect(second?.inventory).toBe(existing.inventory);
});

it('rejects every variant id that the product does not have', () => {
  const inputs = [input({ id: 'other' }), input(), input({ id: 'another' })];
  expect(outcome(() => buildUpdatedVariants(current, inputs))).toEqual([
    'variants.0.id VARIANT_NOT_FOUND The product has no variant with this id.',
    'variants.2.id VARIANT_NOT_FOUND The product has no variant with this id.',
  ]);
});
