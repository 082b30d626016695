/** Reads one product by id, slug or slug triple. */
import type { Context } from '../../graphql/context.ts';
import { isId, parseAddress } from '../../lib/ids.ts';
import { type Product, type ProductRow, productColumns, toProduct } from './model.ts';
import { draftReader, isVisible } from './visibility.ts';

const select = (condition: string) =>
  `select ${productColumns} from products p where p.business_id = $1 and ${condition} and ${isVisible('$1', '$3')}`;

const byId = select('p.id = $2');
const bySlug = select('p.slug = $2');

export async function findProduct(
  ctx: Context,
  at: { businessId: string; id: string },
): Promise<Product | undefined> {
  if (!isId(at.businessId)) return undefined;
  const address = parseAddress(at.id);
  const reader = draftReader(ctx.viewer);
  if (address.by === 'id')
    return first(await ctx.db.sql<ProductRow>(byId, [at.businessId, address.id, reader]));
  if (address.businessId && address.businessId !== at.businessId) return undefined;
  return first(await ctx.db.sql<ProductRow>(bySlug, [at.businessId, address.slug, reader]));
}

const first = (rows: ProductRow[]) => rows[0] && toProduct(rows[0]);
