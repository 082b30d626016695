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
  defineCustomRoute('POST', carts, operations.OpenCartDocument, { response: 'openCart.cart' }),
  defineCustomRoute('POST', `${ownCart}/lines`, operations.AddCartLineDocument, {
    response: 'addCartLine.cart',
  }),
  ...defineUpdateRoutes(line, operations.UpdateCartLineDocument, { response: 'updateCartLine.cart' }),
  defineDeleteRoute(line, operations.RemoveCartLineDocument, { response: 'removeCartLine.cart' }),
  defineCustomRoute('POST', `${ownCart}/merge`, operations.MergeCartDocument, { response: 'mergeCart.cart' }),
  defineCustomRoute('POST', `${ownCart}/checkout`, operations.CheckoutCartDocument, {
    response: 'checkoutCart',
  }),
  defineGetRoute(ownCart, operations.GetMyCartDocument, { response: 'myCart', recordName: 'Cart' }),
  ...defineUpdateRoutes(ownCart, operations.UpdateCartDocument, { response: 'updateCart.cart' }),
  defineDeleteRoute(ownCart, operations.DeleteCartDocument, { response: 'deleteCart' }),
  defineGetRoute(`${carts}/:id`, operations.GetCartDocument, { response: 'cart', recordName: 'Cart' }),
];
