/** Product rules without any I/O: variants. */
import { type ErrorDetail, validationError } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Inventory, type Product, unlimitedStock, type Variant } from './model.ts';
import type { VariantValues } from './schemas.ts';

/** New variants get ids from us: an id sent by the caller can only mean one that exists. */
export function createVariants(businessId: string, inputs: readonly VariantValues[]): Variant[] {
  return inputs.map((input) =>
    Object.assign({}, input, { id: newId(), businessId, inventory: inventoryOf(input) }),
  );
}

/** The array that replaces the variants of `current`: those matched by id keep their identity and stock, unknown ids are refused. */
export function replaceVariants(
  { businessId, variants: current }: Pick<Product, 'businessId' | 'variants'>,
  inputs: readonly VariantValues[],
): Variant[] {
  const known = new Map(current.map((variant) => [variant.id, variant]));
  const faults: ErrorDetail[] = [];
  const variants = inputs.map((input, index) => {
    if (input.id !== undefined && !known.has(input.id)) {
      faults.push({
        field: `variants.${index}.id`,
        error: 'VARIANT_NOT_FOUND',
        message: 'This product has no such variant.',
      });
    }
    const kept = input.id === undefined ? undefined : known.get(input.id);
    return { ...input, id: input.id ?? newId(), businessId, inventory: inventoryOf(input, kept?.inventory) };
  });
  if (faults.length > 0) throw validationError(...faults);
  return variants;
}

/** What is not said about stock stays as it is: a list sent without it must not make stock unlimited, nor empty. */
function inventoryOf({ inventory }: VariantValues, kept = unlimitedStock): Inventory {
  if (!inventory) return kept;
  const { tracked, quantity, lowStockThreshold } = inventory;
  return {
    tracked: tracked ?? (quantity !== undefined || kept.tracked),
    quantity: quantity ?? kept.quantity,
    ...(lowStockThreshold === undefined ? {} : { lowStockThreshold }),
  };
}
