/** Records by their id alone: every kind is asked once, and shows to a viewer what its own query shows. */
import type { Context } from '../../context.ts';
import { nodeType } from '../../graphql/schema/interfaces.ts';
import { createRequestLoader } from '../../lib/cache/request-loader.ts';
import { isId } from '../../lib/ids.ts';
import { loadBulkOperationsAnywhere } from '../bulk/lifecycle/find-operations.ts';
import { loadBusinesses, loadPromoCodes, loadRoles } from '../businesses/load-configuration.ts';
import { loadVisibleCarts } from '../carts/read/find-cart.ts';
import { loadVisibleCollections } from '../collections/read/find-collection.ts';
import { loadVisibleEntries } from '../entries/read/find-entry.ts';
import { loadVisibleMediaFiles } from '../media/media-files.ts';
import { loadOrdersAcrossBusinesses } from '../orders/read/load-orders.ts';
import { loadVisibleProducts } from '../products/read/load-products.ts';
import { requireMe } from '../users/account/me.ts';
import { loadDeliveriesForAdmin } from '../webhooks/delivery/deliveries.ts';
import { loadEndpointsForAdmin } from '../webhooks/endpoints.ts';

type Found = ReadonlyMap<string, { id: string }>;

type Find = (ctx: Context, ids: readonly string[]) => Promise<Found>;

/** Guests hold no permission anywhere: nothing is asked for them. */
const forStaff =
  (find: Find): Find =>
  async (ctx, ids) =>
    ctx.viewer.user?.isGuest === false ? find(ctx, ids) : new Map();

/** By the name of the type. */
const kinds: Readonly<Record<string, Find>> = {
  Business: (ctx, ids) => loadBusinesses(ctx.db, ids),
  Product: loadVisibleProducts,
  Order: loadOrdersAcrossBusinesses,
  Collection: loadVisibleCollections,
  Entry: loadVisibleEntries,
  PromoCode: forStaff(loadPromoCodes),
  Role: forStaff(loadRoles),
  Cart: loadVisibleCarts,
  MediaFile: forStaff(loadVisibleMediaFiles),
  WebhookEndpoint: forStaff(loadEndpointsForAdmin),
  WebhookDelivery: forStaff(loadDeliveriesForAdmin),
  BulkOperation: forStaff(loadBulkOperationsAnywhere),
  // People are found by themselves alone.
  User: async (ctx, ids) => {
    const own = ctx.viewer.accountUser?.userId;
    return own && ids.includes(own) ? new Map([[own, await requireMe(ctx)]]) : new Map();
  },
};

const load = createRequestLoader(async (ctx: Context, ids) => {
  const all = await Promise.all(
    Object.entries(kinds).map(async ([type, find]) =>
      [...(await find(ctx, ids))].map(([id, record]) => [id, { ...record, [nodeType]: type }] as const),
    ),
  );
  return new Map(all.flat());
});

export const findNode = async (ctx: Context, id: string) =>
  isId(id) ? ((await load(ctx, id.toLowerCase())) ?? null) : null;
