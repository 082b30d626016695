/** Records by their id alone: every kind is asked once, and shows to a viewer what its own query shows. */
import type { Context } from '../../context.ts';
import { nodeType } from '../../graphql/interfaces.ts';
import { isId } from '../../lib/ids.ts';
import { perRequest } from '../../lib/per-request.ts';
import { loadBulkOperationsAnywhere } from '../bulk/find.ts';
import { loadBusinesses, loadPromoCodes, loadRoles } from '../businesses/load-configuration.ts';
import { loadCartsAnywhere } from '../carts/find-cart.ts';
import { loadCollectionsAnywhere } from '../collections/find-collection.ts';
import { loadEntriesAnywhere } from '../entries/find-entry.ts';
import { loadMediaAnywhere } from '../media/files.ts';
import { loadOrdersAnywhere } from '../orders/load-orders.ts';
import { loadVisibleProducts } from '../products/load-products.ts';
import { findMe } from '../users/me.ts';
import { loadDeliveriesAnywhere } from '../webhooks/deliveries.ts';
import { loadEndpointsAnywhere } from '../webhooks/endpoints.ts';

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
  Order: loadOrdersAnywhere,
  Collection: loadCollectionsAnywhere,
  Entry: loadEntriesAnywhere,
  PromoCode: forStaff(loadPromoCodes),
  Role: forStaff(loadRoles),
  Cart: loadCartsAnywhere,
  MediaFile: forStaff(loadMediaAnywhere),
  WebhookEndpoint: forStaff(loadEndpointsAnywhere),
  WebhookDelivery: forStaff(loadDeliveriesAnywhere),
  BulkOperation: forStaff(loadBulkOperationsAnywhere),
  // People are found by themselves alone.
  User: async (ctx, ids) => {
    const own = ctx.viewer.person?.userId;
    return own && ids.includes(own) ? new Map([[own, await findMe(ctx)]]) : new Map();
  },
};

const load = perRequest(async (ctx: Context, ids) => {
  const all = await Promise.all(
    Object.entries(kinds).map(async ([type, find]) =>
      [...(await find(ctx, ids))].map(([id, record]) => [id, { ...record, [nodeType]: type }] as const),
    ),
  );
  return new Map(all.flat());
});

export const findNode = async (ctx: Context, id: string) =>
  isId(id) ? ((await load(ctx, id.toLowerCase())) ?? null) : null;
