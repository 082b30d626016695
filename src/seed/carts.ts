/** What the demo admin and the demo customer have in their carts. */
import type { Queries } from '../db/sql.ts';
import { carts, type KeptLine } from '../domains/carts/model.ts';
import { now } from '../lib/time.ts';
import { demo, seedId, spare } from './data.ts';
import { products } from './products-data.ts';

/** Young ones: nobody keeps an old cart. */
export async function seedCarts(queries: Queries): Promise<void> {
  const time = now();
  /** The first variant of a product. */
  const line = (id: string, product: number): KeptLine => ({
    ...{ id, productId: seedId(3, product + 1), variantId: seedId(4, product * 16 + 1) },
    ...{ name: products[product]?.name ?? '', quantity: 1, blocks: [], addedAt: time },
  });
  const cart = (id: string, customerId: string, lines: KeptLine[]) => ({
    ...{ id, businessId: demo.businessId, customerId, market: 'US', lines, blocks: [] },
    ...{ shippingMethodId: 'standard', version: 1, createdAt: time, updatedAt: time },
  });
  const kept = [
    cart(spare.adminCartId, demo.adminId, [line(spare.cartLineId, 0), line(spare.oldCartLineId, 1)]),
    cart(spare.cartId, demo.customerId, [line(seedId(0x10, 5), 0)]),
  ];
  await queries.sql(carts.insertRows('$1'), [carts.rowsParam(kept)]);
}
