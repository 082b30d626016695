/** Resolves the ids of a product and its variant from an id or SKU of a variant that is on sale. */
import type { QueryHandle } from '../../../db/index.ts';
import { validationErrorFrom } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';

interface VariantAddress {
  productId?: string | undefined;
  variantId?: string | undefined;
  /** Instead of `variantId`. */
  sku?: string | undefined;
}

export interface VariantIds {
  productId: string;
  variantId: string;
}

/** Ids of both are returned unchecked. Otherwise a variant that is not on sale is not found: a SKU must not reveal drafts. */
export async function resolveProductAndVariantIds(
  tx: QueryHandle,
  businessId: string,
  { productId, variantId, sku }: VariantAddress,
): Promise<VariantIds> {
  if (productId !== undefined && variantId !== undefined) return { productId, variantId };
  const isFindable = sku !== undefined || isId(variantId ?? '');
  const [row] = isFindable
    ? await tx.sql<VariantIds>(
        `select v.product_id as "productId", v.id as "variantId" from variants v join products p on p.business_id = $1 and p.id = v.product_id
         where v.business_id = $1 and p.status = 'ACTIVE' and ${sku === undefined ? 'v.id' : 'v.sku'} = $2`,
        [businessId, sku ?? variantId],
      )
    : [];
  if (row && (productId ?? row.productId) === row.productId) return row;
  throw validationErrorFrom([
    {
      field: sku === undefined ? 'variantId' : 'sku',
      error: 'VARIANT_NOT_FOUND',
      message: 'The business sells no such variant.',
    },
  ]);
}
