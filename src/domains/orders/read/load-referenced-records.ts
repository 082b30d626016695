/** Request-scoped data loaders for records that orders reference. */
import type { Context } from '../../../context.ts';
import { createPerRequestLoader } from '../../../lib/cache/per-request-loader.ts';
import { loadShippingMethods } from '../../businesses/load-businesses-and-configuration.ts';
import { loadRefundsBySubject } from '../../payments/schedule-submit-and-load-refunds.ts';
import { loadVisibleProducts } from '../../products/read/load-products.ts';
import { loadContactDetailsForBusinesses } from '../../users/people/load-contact-details.ts';
import type { Order } from '../model.ts';

/** Keyed by `<businessId>/<userId>`. Staff see only the id of a customer who had no part in any order of the business. */
const loadCustomerOfBusiness = createPerRequestLoader((ctx: Context, keys) =>
  loadContactDetailsForBusinesses(ctx.db, keys, ctx.viewer.user?.userId),
);

export const loadOrderCustomer = (ctx: Context, { businessId }: Order, customerId: string) =>
  loadCustomerOfBusiness(ctx, `${businessId}/${customerId}`);

/** Only products that the viewer may see: an order line must not expose a draft. */
export const loadOrderProduct = createPerRequestLoader(loadVisibleProducts);

export const loadOrderRefunds = createPerRequestLoader((ctx: Context, ids) =>
  loadRefundsBySubject(ctx.db, 'order', ids),
);

/** Keyed by `<businessId>/<id>`: ids of shipping methods are unique only within a business. */
export const loadOrderShippingMethod = createPerRequestLoader((ctx: Context, keys) =>
  loadShippingMethods(ctx.db, keys),
);
