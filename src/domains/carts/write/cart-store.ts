/** Database access for carts: find, lock, insert, save, delete. A unique key allows one cart per customer and business. */
import type { Context } from '../../../context.ts';
import type { QueryHandle, TableRow } from '../../../db/index.ts';
import { AppError, unauthenticatedError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { maxCustomerRecordBytes, requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import { cartTable, type StoredCart } from '../model.ts';

const sizeLimit = { maxBytes: maxCustomerRecordBytes };

const byOwner = `select ${cartTable.columns} from ${cartTable.from} where c.business_id = $1 and c.customer_id = $2`;

export function requireCartOwnerId({ viewer }: Context): string {
  if (!viewer.accountUser) throw unauthenticatedError();
  return viewer.accountUser.userId;
}

export const findStoredCart = async (
  queries: QueryHandle,
  businessId: string,
  customerId: string,
): Promise<StoredCart | undefined> =>
  isId(businessId) ? firstCart(await queries.sql<TableRow>(byOwner, [businessId, customerId])) : undefined;

export const cartNotFoundError = () =>
  new AppError(
    'NOT_FOUND',
    'Cart not found. Open one first: `openCart`, or POST /v1/businesses/{businessId}/carts.',
  );

/** Locks and reads the cart of a customer. Lock order: carts, then products, promo codes and orders. */
export async function lockCart(tx: QueryHandle, businessId: string, customerId: string): Promise<StoredCart> {
  const cart = isId(businessId)
    ? firstCart(await tx.sql<TableRow>(`${byOwner} for update`, [businessId, customerId]))
    : undefined;
  if (!cart) throw cartNotFoundError();
  return cart;
}

const byOwnersForUpdate = `select ${cartTable.columns} from ${cartTable.from}
  where c.business_id = $1 and c.customer_id = any($2::uuid[]) order by c.id for update`;

/** Locks and reads the existing carts of the customers. Lock order: by id. */
export const lockCarts = async (tx: QueryHandle, businessId: string, customerIds: readonly string[]) =>
  (await tx.sql<TableRow>(byOwnersForUpdate, [businessId, customerIds])).map((row) => cartTable.read(row));

/** Returns false when the customer already has a cart in the business. */
export async function insertCart(tx: QueryHandle, cart: StoredCart): Promise<boolean> {
  const statement = `${cartTable.insert} on conflict (business_id, customer_id) do nothing returning id`;
  return (await tx.write(statement, requireRecordWithinSizeLimit(cartTable.insertParams(cart)))).length > 0;
}

/** Throws when the cart exceeds the maximum size of a record. */
export const assertCartSize = (cart: StoredCart): void =>
  void requireRecordWithinSizeLimit(cartTable.updateParams(cart), sizeLimit);

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
      ...sizeLimit,
      before: () => cartTable.updateParams(before),
    }),
  );
  return saved;
}

export async function deleteStoredCart(tx: QueryHandle, { id, businessId }: StoredCart): Promise<void> {
  await tx.write('delete from carts where business_id = $1 and id = $2', [businessId, id]);
}

const firstCart = ([row]: TableRow[]): StoredCart | undefined => row && cartTable.read(row);
