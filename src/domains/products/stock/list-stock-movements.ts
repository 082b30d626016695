/** Lists the stock movements of a product, newest first. */
import type { Context } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { loadKeysetPage, type Page } from '../../../lib/paging.ts';
import { findProduct } from '../read/find-product.ts';
import type { ListStockMovementsArgs } from '../schemas.ts';
import { type StockMovement, stockLedgerTable } from './stock-ledger.ts';

/** `number` is assigned under the lock of the product, so its order is the order of the balances. */
interface NumberedMovement extends StockMovement {
  number: number;
}

const pageStatement = (direction: 'asc' | 'desc') => `
  select ${stockLedgerTable.columns}, m.number from ${stockLedgerTable.from}
  where m.business_id = $5 and m.product_id = $1 and m.number < $3 and m.number > $4 order by m.number ${direction} limit $2`;
const [oldestFirst, newestFirst] = [pageStatement('asc'), pageStatement('desc')];

export async function listStockMovements(
  ctx: Context,
  filter: ListStockMovementsArgs,
): Promise<Page<StockMovement>> {
  const product = await findProduct(ctx, filter);
  if (!product) throw notFoundError('Product');
  return loadKeysetPage<NumberedMovement>({
    secret: ctx.keys.secret,
    list: `stock:${product.id}`,
    args: filter,
    keyOf: ({ number }) => String(number),
    async fetch({ after = Number.MAX_SAFE_INTEGER, before = 0, backward }, limit) {
      const rows = await ctx.db.sql<UntypedRow & { number: number }>(backward ? oldestFirst : newestFirst, [
        product.id,
        limit,
        after,
        before,
        product.businessId,
      ]);
      return rows.map((row) => ({ ...stockLedgerTable.read(row), number: row.number }));
    },
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        'select count(*)::int as count from stock_movements where business_id = $2 and product_id = $1',
        [product.id, product.businessId],
      );
      return row?.count ?? 0;
    },
  });
}
