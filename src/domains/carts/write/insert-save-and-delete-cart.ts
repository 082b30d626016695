/** Inserts, saves and deletes carts. A unique key allows one cart per customer and business. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { maxCustomerRecordBytes, requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { cartTable, type StoredCart } from '../model.ts';

export const cartSizeLimit = { maxBytes: maxCustomerRecordBytes };

/** Returns false when the customer already has a cart in the business. */
export async function insertCart(tx: QueryHandle, cart: StoredCart): Promise<boolean> {
  const statement = `${cartTable.insert} on conflict (business_id, customer_id) do nothing returning id`;
  return (await tx.write(statement, requireRecordWithinSizeLimit(cartTable.insertParams(cart)))).length > 0;
}

/** Throws when the cart exceeds the maximum size of a record. */
export const assertCartSize = (cart: StoredCart): void =>
  void requireRecordWithinSizeLimit(cartTable.updateParams(cart), cartSizeLimit);

/** Saves a locked cart and clears `abandonedAt`, because its owner has returned to it. */
export async function saveCart(tx: QueryHandle, before: StoredCart, cart: StoredCart): Promise<StoredCart> {
  const saved = {
    ...cart,
    abandonedAt: undefined,
    version: tx.nextVersion(before.version),
    updatedAt: now(),
  };
  await tx.write(
    `${cartTable.update} returning id`,
    requireRecordWithinSizeLimit(cartTable.updateParams(saved), {
      ...cartSizeLimit,
      before: () => cartTable.updateParams(before),
    }),
  );
  return saved;
}

export async function deleteStoredCart(tx: QueryHandle, { id, businessId }: StoredCart): Promise<void> {
  await tx.write('delete from carts where business_id = $1 and id = $2', [businessId, id]);
}
