/** Batch loaders of businesses and their configuration, for records that reference them. */
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import type { Business, Market, PromoCode, Role, ShippingMethod } from '../../generated/prisma/client.ts';
import { createPerRequestLoader } from '../../lib/cache/per-request-loader.ts';
import { filterRecordsVisibleToStaff } from '../shared/filter-records-by-permission.ts';

/** Existing businesses among `ids`, by id. */
export async function loadBusinesses(
  { prisma }: QueryHandle,
  ids: readonly string[],
): Promise<Map<string, Business>> {
  const businesses = await prisma.business.findMany({ where: { id: { in: [...ids] } } });
  return new Map(businesses.map((business) => [business.id, business]));
}

/** Existing shipping methods by `<businessId>/<id>`. */
export async function loadShippingMethods(
  { prisma }: QueryHandle,
  keys: readonly string[],
): Promise<Map<string, ShippingMethod>> {
  const idsByBusiness = new Map<string, string[]>();
  for (const key of keys) {
    const [businessId = '', ...id] = key.split('/');
    idsByBusiness.set(businessId, [...(idsByBusiness.get(businessId) ?? []), id.join('/')]);
  }
  const methods = await prisma.shippingMethod.findMany({
    where: { OR: [...idsByBusiness].map(([businessId, ids]) => ({ businessId, id: { in: ids } })) },
  });
  return new Map(methods.map((method) => [`${method.businessId}/${method.id}`, method]));
}

/** Markets by business id. */
async function loadMarketsByBusiness(
  { prisma }: QueryHandle,
  businessIds: readonly string[],
): Promise<Map<string, Market[]>> {
  const where = { businessId: { in: [...businessIds] } };
  return groupByBusiness(await prisma.market.findMany({ where, orderBy: { key: 'asc' } }));
}

/** Shipping methods by business id. */
async function loadShippingMethodsByBusiness(
  { prisma }: QueryHandle,
  businessIds: readonly string[],
): Promise<Map<string, ShippingMethod[]>> {
  const where = { businessId: { in: [...businessIds] } };
  return groupByBusiness(await prisma.shippingMethod.findMany({ where, orderBy: { id: 'asc' } }));
}

/** Promo codes among `ids` in businesses that the viewer administers, by id. */
export async function loadAdministeredPromoCodes(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, PromoCode>> {
  const promoCodes = await ctx.db.prisma.promoCode.findMany({ where: { id: { in: [...ids] } } });
  return filterRecordsVisibleToStaff(ctx, ['ADMIN'], promoCodes);
}

/** Roles among `ids` in businesses that the viewer administers, by id. */
export async function loadAdministeredRoles(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Role>> {
  const roles = await ctx.db.prisma.role.findMany({ where: { id: { in: [...ids] } } });
  return filterRecordsVisibleToStaff(ctx, ['ADMIN'], roles);
}

function groupByBusiness<T extends { businessId: string }>(records: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records)
    groups.set(record.businessId, [...(groups.get(record.businessId) ?? []), record]);
  return groups;
}

// Request loaders: batched and cached per request, so that many records with the same business cause one query.
export const loadBusiness = createPerRequestLoader((ctx: Context, ids) => loadBusinesses(ctx.db, ids));

export const loadMarketsOfBusiness = createPerRequestLoader((ctx: Context, ids) =>
  loadMarketsByBusiness(ctx.db, ids),
);

export const loadShippingMethodsOfBusiness = createPerRequestLoader((ctx: Context, ids) =>
  loadShippingMethodsByBusiness(ctx.db, ids),
);
