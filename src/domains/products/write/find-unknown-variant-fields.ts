/** Finds fields that a variant does not have, such as a `price` outside of `pricing`: without an error, the product would have no price. */
import { type ErrorDetail, isErrorDetailLimitReached } from '../../../errors.ts';
import { unknownFieldMessage } from '../../../lib/validation/unknown-field.ts';
import { variantFieldNames } from '../schemas.ts';

/** Exported variants have it. */
const ignoredField = 'businessId';

/** Values of a wrong type have no fields: the schema of the product reports them. */
export function findUnknownVariantFields(variants: unknown): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  const check = (value: unknown, path: string, declared: readonly string[]) => {
    for (const name of Object.keys(toFields(value))) {
      if (isErrorDetailLimitReached(errors)) return;
      if (declared.includes(name) || name === ignoredField) continue;
      const message = unknownFieldMessage(name, declared, errors.length);
      errors.push({ field: `${path}.${name}`, error: 'UNKNOWN_FIELD', message });
    }
  };
  for (const [index, variant] of toList(variants).entries()) {
    const { pricing, inventory } = toFields(variant);
    const path = `variants.${index}`;
    check(variant, path, variantFieldNames.variant);
    check(pricing, `${path}.pricing`, variantFieldNames.pricing);
    for (const [position, price] of toList(toFields(pricing).markets).entries())
      check(price, `${path}.pricing.markets.${position}`, variantFieldNames.marketPrice);
    check(inventory, `${path}.inventory`, variantFieldNames.inventory);
  }
  return errors;
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const toFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
