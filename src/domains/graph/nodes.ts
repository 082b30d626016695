/** Records by their id alone: every kind is asked once, and shows to a viewer what its own query shows. */
import type { Context } from '../../context.ts';
import { nodeType } from '../../graphql/interfaces.ts';
import { isId } from '../../lib/ids.ts';
import { perRequest } from '../../lib/per-request.ts';
import { loadBusinesses, loadPromoCodes, loadRoles } from '../businesses/load-configuration.ts';
import { loadCollectionsAnywhere } from '../collections/find-collection.ts';
import { loadEntriesAnywhere } from '../entries/find-entry.ts';
import { loadOrdersAnywhere } from '../orders/load-orders.ts';
import { loadVisibleProducts } from '../products/load-products.ts';
import { findMe } from '../users/me.ts';

type Found = ReadonlyMap<string, { id: string }>;

/** By the name of the type. */
const kinds: Readonly<Record<string, (ctx: Context, ids: readonly string[]) => Promise<Found>>> = {
  Business: (ctx, ids) => loadBusinesses(ctx.db, ids),
  Product: loadVisibleProducts,
  Order: loadOrdersAnywhere,
  Collection: loadCollectionsAnywhere,
  Entry: loadEntriesAnywhere,
  PromoCode: loadPromoCodes,
  Role: loadRoles,
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
