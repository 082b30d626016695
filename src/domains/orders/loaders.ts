/** What orders point at, fetched once per request however many orders ask. */
import type { Context } from '../../context.ts';
import { perRequest } from '../../lib/per-request.ts';
import { loadShippingMethods } from '../businesses/load-configuration.ts';
import { loadRefunds as refundsBySubject } from '../payments/refunds.ts';
import { loadVisibleProducts } from '../products/load-products.ts';
import { loadContacts } from '../users/contacts.ts';

export const loadCustomer = perRequest((ctx: Context, ids) => loadContacts(ctx.db, ids));

/** Only products the viewer may see: an order is no way to look at drafts. */
export const loadProduct = perRequest(loadVisibleProducts);

export const loadRefunds = perRequest((ctx: Context, ids) => refundsBySubject(ctx.db, 'order', ids));

/** By `<businessId>/<id>`: the business chooses the ids of its shipping methods. */
export const loadShippingMethod = perRequest((ctx: Context, keys) => loadShippingMethods(ctx.db, keys));
