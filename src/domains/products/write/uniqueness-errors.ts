/** The errors for a slug or SKU that another product or variant has. */
import type { Queries } from '../../../db/handles.ts';
import { AppError, type ErrorDetail, validationError } from '../../../errors.ts';

export const productSlugTakenError = () =>
  validationError({
    field: 'slug',
    error: 'SLUG_TAKEN',
    message: 'Another product of this business has this slug.',
  });

/** Names every SKU in `variants` that another product of the business holds. */
export async function buildSkuTakenError(
  queries: Queries,
  businessId: string,
  exceptProductId: string | undefined,
  variants: readonly { sku?: string | undefined }[],
): Promise<AppError> {
  const rows = await queries.sql<{ sku: string }>(
    'select sku from variants where business_id = $1 and sku = any($2::text[]) and product_id is distinct from $3::uuid',
    [businessId, variants.flatMap(({ sku }) => sku ?? []), exceptProductId ?? null],
  );
  const taken = new Set(rows.map((row) => row.sku));
  const details = variants.flatMap(({ sku }, index): ErrorDetail[] =>
    sku !== undefined && taken.has(sku)
      ? [
          {
            field: `variants.${index}.sku`,
            error: 'SKU_TAKEN',
            message: 'Another product of this business has this SKU.',
          },
        ]
      : [],
  );
  // The clash may be gone by now: then the caller only needs to try again.
  return details.length > 0
    ? validationError(...details)
    : new AppError('CONFLICT', 'A SKU was taken at the same time. Try again.');
}
