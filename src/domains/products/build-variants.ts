/** Rules for the variants of a product, without I/O. */
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Inventory, type Product, untrackedInventory, type Variant } from './model.ts';
import type { VariantInputValues } from './schemas.ts';

/** Variants of a new product. Ids in the input are ignored: they can only refer to existing variants. */
export function buildNewVariants(businessId: string, inputs: readonly VariantInputValues[]): Variant[] {
  return inputs.map((input) =>
    Object.assign({}, input, { id: newId(), businessId, inventory: inventoryOf(input) }),
  );
}

/** New variant list for an update: variants matched by id keep their id and stock; an id that the product does not have is an error. */
export function buildUpdatedVariants(
  { businessId, variants: current }: Pick<Product, 'businessId' | 'variants'>,
  inputs: readonly VariantInputValues[],
): Variant[] {
  const existingById = new Map(current.map((variant) => [variant.id, variant]));
  const errors: ErrorDetail[] = [];
  const variants = inputs.map((input, index) => {
    if (input.id !== undefined && !existingById.has(input.id)) {
      errors.push({
        field: `variants.${index}.id`,
        error: 'VARIANT_NOT_FOUND',
        message: 'The product has no variant with this id.',
      });
    }
    const existing = input.id === undefined ? undefined : existingById.get(input.id);
    return {
      ...input,
      id: input.id ?? newId(),
      businessId,
      inventory: inventoryOf(input, existing?.inventory),
    };
  });
  if (errors.length > 0) throw validationErrorFrom(errors);
  return variants;
}

/** Omitted stock fields keep their value: an update without inventory must neither make stock unlimited nor empty it. */
function inventoryOf({ inventory }: VariantInputValues, current = untrackedInventory): Inventory {
  if (!inventory) return current;
  const { tracked, quantity, lowStockThreshold } = inventory;
  return {
    tracked: tracked ?? (quantity !== undefined || current.tracked),
    quantity: quantity ?? current.quantity,
    ...(lowStockThreshold === undefined ? {} : { lowStockThreshold }),
  };
}
