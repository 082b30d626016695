/** Businesses and what belongs to them, fetched once per request however many records lead there. */
import type { Context } from '../../context.ts';
import { perRequest } from '../../lib/per-request.ts';
import { loadBusinesses, marketsOf, shippingMethodsOf } from './load-configuration.ts';

export const loadBusiness = perRequest((ctx: Context, ids) => loadBusinesses(ctx.db, ids));

export const loadMarkets = perRequest((ctx: Context, ids) => marketsOf(ctx.db, ids));

export const loadMethods = perRequest((ctx: Context, ids) => shippingMethodsOf(ctx.db, ids));
