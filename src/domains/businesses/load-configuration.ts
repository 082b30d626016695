/** Reads several businesses, or what belongs to several, at once: for records that point at them. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import type { Business, Market, PromoCode, Role, ShippingMethod } from '../../generated/prisma/client.ts';
import { createRequestLoader } from '../../lib/cache/request-loader.ts';
import { filterVisibleToStaff } from '../shared/staff-visibility.ts';

/** The businesses among `ids`, by id. */
export async function loadBusinesses(
  { prisma }: Queries,
  ids: readonly string[],
): Promise<Map<string, Business>> {
  const found = await prisma.business.findMany({ where: { id: { in: [...ids] } } });
  return new Map(found.map((business) => [business.id, business]));
}

/** The shipping methods that are still there, by `<businessId>/<id>`. */
export async function loadShippingMethods(
  { prisma }: Queries,
  keys: readonly string[],
): Promise<Map<string, ShippingMethod>> {
  const ids = new Map<string, string[]>();
  for (const key of keys) {
    const [businessId = '', ...id] = key.split('/');
    ids.set(businessId, [...(ids.get(businessId) ?? []), id.join('/')]);
  }
  const found = await prisma.shippingMethod.findMany({
    where: { OR: [...ids].map(([businessId, among]) => ({ businessId, id: { in: among } })) },
  });
  return new Map(found.map((method) => [`${method.businessId}/${method.id}`, method]));
}

/** The markets of several businesses, by business. */
export async function loadMarketsByBusiness(
  { prisma }: Queries,
  businessIds: readonly string[],
): Promise<Map<string, Market[]>> {
  const where = { businessId: { in: [...businessIds] } };
  return byBusiness(await prisma.market.findMany({ where, orderBy: { key: 'asc' } }));
}

/** The shipping methods of several businesses, by business. */
export async function loadShippingMethodsByBusiness(
  { prisma }: Queries,
  businessIds: readonly string[],
): Promise<Map<string, ShippingMethod[]>> {
  const where = { businessId: { in: [...businessIds] } };
  return byBusiness(await prisma.shippingMethod.findMany({ where, orderBy: { id: 'asc' } }));
}

/** The promo codes among `ids` of businesses that the viewer administers, by id. */
export async function loadPromoCodes(ctx: Context, ids: readonly string[]): Promise<Map<string, PromoCode>> {
  const found = await ctx.db.prisma.promoCode.findMany({ where: { id: { in: [...ids] } } });
  return filterVisibleToStaff(ctx, ['ADMIN'], found);
}

/** The roles among `ids` of businesses that the viewer administers, by id. */
export async function loadRoles(ctx: Context, ids: readonly string[]): Promise<Map<string, Role>> {
  const found = await ctx.db.prisma.role.findMany({ where: { id: { in: [...ids] } } });
  return filterVisibleToStaff(ctx, ['ADMIN'], found);
}

function byBusiness<T extends { businessId: string }>(records: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const record of records)
    found.set(record.businessId, [...(found.get(record.businessId) ?? []), record]);
  return found;
}

/** Businesses and what belongs to them, fetched once per request however many records lead there. */

export const loadBusiness = createRequestLoader((ctx: Context, ids) => loadBusinesses(ctx.db, ids));

export const loadMarketsOfBusiness = createRequestLoader((ctx: Context, ids) =>
  loadMarketsByBusiness(ctx.db, ids),
);

export const loadShippingMethodsOfBusiness = createRequestLoader((ctx: Context, ids) =>
  loadShippingMethodsByBusiness(ctx.db, ids),
);
