/** Selling terms and products of a cart, loaded by one statement. */
import type { QueryHandle } from '../../db/index.ts';
import { isId } from '../../lib/ids.ts';
import {
  type SellingTerms,
  type SellingTermsRequest,
  sellingTermsOfUnknownBusiness,
  sellingTermsParams,
  sellingTermsSql,
} from '../businesses/selling-terms.ts';
import { type PricingProduct, type ProductRow, toPricingProduct } from '../products/model.ts';
import { buildProductsOfAnyStatusColumnSql } from '../products/read/load-products-of-any-status.ts';

interface CartData {
  terms: SellingTerms;
  /** By id, in any status, without a permission check. */
  products: ReadonlyMap<string, PricingProduct>;
}

const statement = `${sellingTermsSql}, ${buildProductsOfAnyStatusColumnSql('$1', '$6')} as products`;

export async function loadCartData(
  queries: QueryHandle,
  request: SellingTermsRequest & { lines: readonly { productId: string }[] },
): Promise<CartData> {
  if (!isId(request.businessId)) return { terms: sellingTermsOfUnknownBusiness, products: new Map() };
  const ids = new Set(request.lines.map(({ productId }) => productId).filter(isId));
  const [row] = await queries.sql<SellingTerms & { products: ProductRow[] | null }>(statement, [
    ...sellingTermsParams(request),
    [...ids],
  ]);
  return {
    terms: row ?? sellingTermsOfUnknownBusiness,
    products: new Map(row?.products?.map((product) => [product.id, toPricingProduct(product)])),
  };
}
