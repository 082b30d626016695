/** Finds stored carts by owner and locks them for writing. */
import type { Context } from '../../../context.ts';
import type { QueryHandle, UntypedRow } from '../../../db/index.ts';
import { AppError, unauthenticatedError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { cartTable, type StoredCart } from '../model.ts';

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
  isId(businessId) ? firstCart(await queries.sql<UntypedRow>(byOwner, [businessId, customerId])) : undefined;

export const cartNotFoundError = () =>
  new AppError(
    'NOT_FOUND',
    'Cart not found. Open one first: `openCart`, or POST /v1/businesses/{businessId}/carts.',
  );

/** Locks and reads the cart of a customer. Lock order: carts, then products, promo codes and orders. */
export async function lockCart(tx: QueryHandle, businessId: string, customerId: string): Promise<StoredCart> {
  const cart = isId(businessId)
    ? firstCart(await tx.sql<UntypedRow>(`${byOwner} for update`, [businessId, customerId]))
    : undefined;
  if (!cart) throw cartNotFoundError();
  return cart;
}

const byOwnersForUpdate = `select ${cartTable.columns} from ${cartTable.from}
  where c.business_id = $1 and c.customer_id = any($2::uuid[]) order by c.id for update`;

/** Locks and reads the existing carts of the customers. Lock order: by id. */
export const lockCarts = async (tx: QueryHandle, businessId: string, customerIds: readonly string[]) =>
  (await tx.sql<UntypedRow>(byOwnersForUpdate, [businessId, customerIds])).map((row) => cartTable.read(row));

const firstCart = ([row]: UntypedRow[]): StoredCart | undefined => row && cartTable.read(row);
