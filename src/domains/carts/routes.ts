/** REST routes under `/v1/businesses/{businessId}/carts`. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const carts = '/v1/businesses/:businessId/carts';
const ownCart = `${carts}/me` as const;
const line = `${ownCart}/lines/:lineId` as const;

export const routes = [
  // Opens the cart, or changes the open one.
  defineCustomRoute('POST', carts, operations.OpenCartDocument),
  defineCustomRoute('POST', `${ownCart}/lines`, operations.AddCartLineDocument),
  ...defineUpdateRoutes(line, operations.UpdateCartLineDocument),
  defineDeleteRoute(line, operations.RemoveCartLineDocument),
  defineCustomRoute('POST', `${ownCart}/merge`, operations.MergeCartDocument),
  defineCustomRoute('POST', `${ownCart}/checkout`, operations.CheckoutCartDocument),
  defineGetRoute(ownCart, operations.GetMyCartDocument, { recordName: 'Cart' }),
  ...defineUpdateRoutes(ownCart, operations.UpdateCartDocument),
  defineDeleteRoute(ownCart, operations.DeleteCartDocument),
  defineGetRoute(`${carts}/:id`, operations.GetCartDocument, { recordName: 'Cart' }),
];
