/** Finds records of any type by id, one batched query per type, with the visibility rules of each type's own query. */
import type { Context } from '../../context.ts';
import { nodeTypeSymbol } from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPerRequestLoader } from '../../lib/cache/per-request-loader.ts';
import { isId } from '../../lib/ids.ts';
import { loadBulkOperationsByIdInAnyBusiness } from '../bulk/lifecycle/find-and-cancel-operations.ts';
import {
  loadAdministeredPromoCodes,
  loadAdministeredRoles,
  loadBusinesses,
} from '../businesses/load-businesses-and-configuration.ts';
import { loadVisibleCarts } from '../carts/read/find-cart.ts';
import { loadCategoryMap } from '../categories/read/load-categories.ts';
import { loadVisibleCollections } from '../collections/read/load-collections.ts';
import { loadVisibleEntries } from '../entries/read/load-entries.ts';
import { loadVisibleMediaFiles } from '../media/manage-media-files.ts';
import { loadOrdersByIdInAnyBusiness } from '../orders/read/load-orders.ts';
import { loadVisibleProducts } from '../products/read/load-products.ts';
import { requireOwnAccount } from '../users/account/load-own-account.ts';
import { loadAdministeredWebhookDeliveries } from '../webhooks/delivery/find-and-replay-deliveries.ts';
import { loadAdministeredWebhookEndpoints } from '../webhooks/manage-webhook-endpoints.ts';

interface Node {
  id: string;
}

/** Records that the viewer may see, by key. */
export type LoadRecordsByIds<Value> = (
  ctx: Context,
  keys: readonly string[],
) => Promise<ReadonlyMap<string, Value>>;

/** Skips the query for guests, who have no permissions. */
const skipForGuests =
  <Value>(loadRecords: LoadRecordsByIds<Value>): LoadRecordsByIds<Value> =>
  async (ctx, ids) =>
    ctx.viewer.user?.isGuest === false ? loadRecords(ctx, ids) : new Map();

/** Loader by GraphQL type name. */
export const recordLoadersByType = {
  Business: (ctx, ids) => loadBusinesses(ctx.db, ids),
  Product: loadVisibleProducts,
  Category: loadCategoryMap,
  Order: loadOrdersByIdInAnyBusiness,
  Collection: loadVisibleCollections,
  Entry: loadVisibleEntries,
  PromoCode: skipForGuests(loadAdministeredPromoCodes),
  Role: skipForGuests(loadAdministeredRoles),
  Cart: loadVisibleCarts,
  MediaFile: skipForGuests(loadVisibleMediaFiles),
  WebhookEndpoint: skipForGuests(loadAdministeredWebhookEndpoints),
  WebhookDelivery: skipForGuests(loadAdministeredWebhookDeliveries),
  BulkOperation: skipForGuests(loadBulkOperationsByIdInAnyBusiness),
  // A user can only find their own record.
  User: async (ctx, ids) => {
    const viewerId = ctx.viewer.accountUser?.userId;
    return viewerId && ids.includes(viewerId)
      ? new Map([[viewerId, await requireOwnAccount(ctx)]])
      : new Map();
  },
} satisfies Readonly<Record<string, LoadRecordsByIds<Node>>>;

/** Copy of a record with its type, for interfaces and unions. */
export const addNodeType = <Value extends object>(record: Value, type: string) => ({
  ...record,
  [nodeTypeSymbol]: type,
});

const loadNode = createPerRequestLoader(async (ctx: Context, ids) => {
  const recordsByType = await Promise.all(
    Object.entries<LoadRecordsByIds<Node>>(recordLoadersByType).map(async ([type, loadRecords]) =>
      [...(await loadRecords(ctx, ids))].map(([id, record]) => [id, addNodeType(record, type)] as const),
    ),
  );
  return new Map(recordsByType.flat());
});

export const findNode = async (ctx: Context, id: string) =>
  isId(id) ? ((await loadNode(ctx, id.toLowerCase())) ?? null) : null;
