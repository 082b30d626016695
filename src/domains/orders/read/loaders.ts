/** Request-scoped data loaders for records that orders reference. */
import type { Context } from '../../../context.ts';
import { createPerRequestLoader } from '../../../lib/cache/request-loader.ts';
import { loadShippingMethods } from '../../businesses/load-configuration.ts';
import { loadRefundsBySubject } from '../../payments/refunds.ts';
import { loadVisibleProducts } from '../../products/read/load-products.ts';
import { loadUserContactDetails } from '../../users/people/contact-details.ts';

export const loadOrderCustomer = createPerRequestLoader((ctx: Context, ids) =>
  loadUserContactDetails(ctx.db, ids),
);

/** Only products that the viewer may see: an order line must not expose a draft. */
export const loadOrderProduct = createPerRequestLoader(loadVisibleProducts);

export const loadOrderRefunds = createPerRequestLoader((ctx: Context, ids) =>
  loadRefundsBySubject(ctx.db, 'order', ids),
);

/** Keyed by `<businessId>/<id>`: ids of shipping methods are unique only within a business. */
export const loadOrderShippingMethod = createPerRequestLoader((ctx: Context, keys) =>
  loadShippingMethods(ctx.db, keys),
);
