/** Errors for a slug or SKU that another product of the business has. */
import type { QueryHandle } from '../../../db/index.ts';
import { AppError, type ErrorDetail, validationError, validationErrorFrom } from '../../../errors.ts';

export const productSlugTakenError = () =>
  validationError('slug', 'SLUG_TAKEN', 'Another product of this business has this slug.');

/** One error detail for each SKU in `variants` that another product of the business has. */
export async function findSkuTakenError(
  queries: QueryHandle,
  businessId: string,
  exceptProductId: string | undefined,
  variants: readonly { sku?: string | undefined }[],
): Promise<AppError> {
  const rows = await queries.sql<{ sku: string }>(
    'select sku from variants where business_id = $1 and sku = any($2::text[]) and product_id is distinct from $3::uuid',
    [businessId, variants.flatMap(({ sku }) => sku ?? []), exceptProductId ?? null],
  );
  const takenSkus = new Set(rows.map((row) => row.sku));
  const details = variants.flatMap(({ sku }, index): ErrorDetail[] =>
    sku !== undefined && takenSkus.has(sku)
      ? [
          {
            field: `variants.${index}.sku`,
            error: 'SKU_TAKEN',
            message: 'Another product of this business has this SKU.',
          },
        ]
      : [],
  );
  // The other variant may have been deleted since the constraint violation: a retry then succeeds.
  return details.length > 0
    ? validationErrorFrom(details)
    : new AppError('CONFLICT', 'A concurrent request used one of the SKUs. Try again.');
}
