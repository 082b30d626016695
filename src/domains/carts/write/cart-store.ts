/** Carts in the database: found, locked, written. One cart per person and business: the unique key decides. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { maxCustomerRecordBytes, requireRecordSize } from '../../shared/record-size.ts';
import { carts, type StoredCart } from '../model.ts';

const room = { most: maxCustomerRecordBytes };

const own = `select ${carts.columns} from ${carts.from} where c.business_id = $1 and c.customer_id = $2`;

export function requireCartOwner({ viewer }: Context): string {
  if (!viewer.accountUser) throw unauthenticatedError();
  return viewer.accountUser.userId;
}

export const findStoredCart = async (
  queries: Queries,
  businessId: string,
  customerId: string,
): Promise<StoredCart | undefined> =>
  isId(businessId) ? first(await queries.sql<TableRow>(own, [businessId, customerId])) : undefined;

/** Reads somebody's cart for writing. Carts are locked before products, promo codes and orders. */
export async function lockCart(tx: Queries, businessId: string, customerId: string): Promise<StoredCart> {
  const found = isId(businessId)
    ? first(await tx.sql<TableRow>(`${own} for update`, [businessId, customerId]))
    : undefined;
  if (!found) throw notFoundError('Cart');
  return found;
}

const several = `select ${carts.columns} from ${carts.from}
  where c.business_id = $1 and c.customer_id = any($2::uuid[]) order by c.id for update`;

/** Those carts of these people that there are, locked in an order that everybody keeps. */
export const lockCarts = async (tx: Queries, businessId: string, customerIds: readonly string[]) =>
  (await tx.sql<TableRow>(several, [businessId, customerIds])).map((row) => carts.read(row));

/** False when there is one already. */
export async function insertCart(tx: Queries, cart: StoredCart): Promise<boolean> {
  const statement = `${carts.insert} on conflict (business_id, customer_id) do nothing returning id`;
  return (await tx.sql(statement, requireRecordSize(carts.insertParams(cart)))).length > 0;
}

/** Throws when it is longer than a record may be. */
export const assertCartSize = (cart: StoredCart): void =>
  void requireRecordSize(carts.updateParams(cart), room);

/** Saves what became of a cart that was locked: somebody has come back to it. */
export async function saveCart(tx: Queries, before: StoredCart, cart: StoredCart): Promise<StoredCart> {
  const saved = {
    ...cart,
    abandonedAt: undefined,
    version: tx.nextVersion(before.version),
    updatedAt: now(),
  };
  await tx.sql(
    `${carts.update} returning id`,
    requireRecordSize(carts.updateParams(saved), { ...room, before: () => carts.updateParams(before) }),
  );
  return saved;
}

export async function deleteStoredCart(tx: Queries, { id, businessId }: StoredCart): Promise<void> {
  await tx.sql('delete from carts where business_id = $1 and id = $2', [businessId, id]);
}

const first = ([row]: TableRow[]): StoredCart | undefined => row && carts.read(row);
