/** Request-scoped data loaders for records that orders reference. */
import type { Context } from '../../../context.ts';
import { createRequestLoader } from '../../../lib/cache/request-loader.ts';
import { loadShippingMethods } from '../../businesses/load-configuration.ts';
import { loadRefundsBySubject as refundsBySubject } from '../../payments/refunds.ts';
import { loadVisibleProducts } from '../../products/read/load-products.ts';
import { loadContactDetails } from '../../users/people/contact-details.ts';

export const loadOrderCustomer = createRequestLoader((ctx: Context, ids) => loadContactDetails(ctx.db, ids));

/** Only products that the viewer may see: an order line must not expose a draft. */
export const loadOrderProduct = createRequestLoader(loadVisibleProducts);

export const loadOrderRefunds = createRequestLoader((ctx: Context, ids) =>
  refundsBySubject(ctx.db, 'order', ids),
);

/** Keyed by `<businessId>/<id>`: ids of shipping methods are unique only within a business. */
export const loadOrderShippingMethod = createRequestLoader((ctx: Context, keys) =>
  loadShippingMethods(ctx.db, keys),
);
