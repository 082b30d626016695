/** What orders point at, fetched once per request however many orders ask. */
import type { Context } from '../../../context.ts';
import { createRequestLoader } from '../../../lib/cache/request-loader.ts';
import { loadShippingMethods } from '../../businesses/load-configuration.ts';
import { loadRefundsBySubject as refundsBySubject } from '../../payments/refunds.ts';
import { loadVisibleProducts } from '../../products/read/load-products.ts';
import { loadContactDetails } from '../../users/people/contact-details.ts';

export const loadOrderCustomer = createRequestLoader((ctx: Context, ids) => loadContactDetails(ctx.db, ids));

/** Only products the viewer may see: an order is no way to look at drafts. */
export const loadOrderProduct = createRequestLoader(loadVisibleProducts);

export const loadOrderRefunds = createRequestLoader((ctx: Context, ids) =>
  refundsBySubject(ctx.db, 'order', ids),
);

/** By `<businessId>/<id>`: the business chooses the ids of its shipping methods. */
export const loadOrderShippingMethod = createRequestLoader((ctx: Context, keys) =>
  loadShippingMethods(ctx.db, keys),
);
