/** Finds the product and the variant of a new cart line, which may name the variant only, by its id or its SKU. */
import type { QueryHandle } from '../../../db/index.ts';
import { validationErrorFrom } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import type { AddCartLineArgs } from '../schemas.ts';

export interface VariantOfLine {
  productId: string;
  variantId: string;
}

/** Without a product, a variant that is not sold is not found: otherwise a SKU would reveal drafts. */
export async function findVariantOfNewLine(
  tx: QueryHandle,
  businessId: string,
  { productId, variantId, sku }: AddCartLineArgs['input'],
): Promise<VariantOfLine> {
  if (productId !== undefined && variantId !== undefined) return { productId, variantId };
  const isFindable = sku !== undefined || isId(variantId ?? '');
  const [row] = isFindable
    ? await tx.sql<VariantOfLine>(
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
