/** Seeds the carts of the demo admin and the demo customer. */
import type { QueryHandle } from '../db/handles.ts';
import { cartTable, type StoredCartLine } from '../domains/carts/model.ts';
import { now } from '../lib/time.ts';
import { demoProducts } from './products-data.ts';
import { buildSeedId, demoShopIdsAndLogins, disposableRecordIds } from './shop-data.ts';

/** Created at the time of seeding: the retention job would delete carts from the opening day. */
export async function seedCarts(queries: QueryHandle): Promise<void> {
  const time = now();
  /** Line with the first variant of a product. */
  const line = (id: string, product: number): StoredCartLine => ({
    ...{ id, productId: buildSeedId(3, product + 1), variantId: buildSeedId(4, product * 16 + 1) },
    ...{ name: demoProducts[product]?.name ?? '', quantity: 1, blocks: [], addedAt: time },
  });
  const cart = (id: string, customerId: string, lines: StoredCartLine[]) => ({
    ...{ id, businessId: demoShopIdsAndLogins.businessId, customerId, market: 'US', lines, blocks: [] },
    ...{ shippingMethodId: 'standard', version: 1, createdAt: time, updatedAt: time },
  });
  const newCarts = [
    cart(disposableRecordIds.adminCartId, demoShopIdsAndLogins.adminId, [
      line(disposableRecordIds.cartLineId, 0),
      line(disposableRecordIds.oldCartLineId, 1),
    ]),
    cart(disposableRecordIds.cartId, demoShopIdsAndLogins.customerId, [line(buildSeedId(0x10, 5), 0)]),
  ];
  await queries.write(cartTable.insertRows('$1'), [cartTable.rowsParam(newCarts)]);
}
