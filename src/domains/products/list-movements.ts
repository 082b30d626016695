/** Lists what happened to the stock of a product, newest first. */

import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { notFound } from '../../errors.ts';
import { type Page, page } from '../../lib/paging.ts';
import type { MovementFilter } from './checks.ts';
import { findProduct } from './find-product.ts';
import { movements, type StockMovement } from './ledger.ts';

/** Numbers are given out under the lock of the product: their order is the order of the balances. */
interface Numbered extends StockMovement {
  number: number;
}

const below = (condition: string) => `
  select ${movements.columns}, m.number from ${movements.from}
  where m.product_id = $1 and ${condition} order by m.number desc limit $2`;
const [newest, older] = [below('true'), below('m.number < $3')];

export async function stockMovements(ctx: Context, filter: MovementFilter): Promise<Page<StockMovement>> {
  const product = await findProduct(ctx, filter);
  if (!product) throw notFound('Product');
  return page<Numbered>({
    secret: ctx.keys.secret,
    list: `stock:${product.id}`,
    args: filter,
    keyOf: ({ number }) => String(number),
    async fetch(after, limit) {
      const rows = await ctx.db.sql<Row & { number: number }>(
        after === undefined ? newest : older,
        after === undefined ? [product.id, limit] : [product.id, limit, after],
      );
      return rows.map((row) => ({ ...movements.read(row), number: row.number }));
    },
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        'select count(*)::int as count from stock_movements where product_id = $1',
        [product.id],
      );
      return row?.count ?? 0;
    },
  });
}
