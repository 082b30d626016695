/** REST routes under `/v1/businesses/{businessId}/carts`. */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, postRoute, putRoute } from '../../rest/route.ts';

const carts = '/v1/businesses/:businessId/carts';
const ownCart = `${carts}/me` as const;
const line = `${ownCart}/lines/:lineId` as const;

export const routes = [
  postRoute(carts, operations.OpenCartDocument, { response: 'openCart.cart' }),
  postRoute(`${ownCart}/lines`, operations.AddCartLineDocument, { response: 'addCartLine.cart' }),
  putRoute(line, operations.UpdateCartLineDocument, { response: 'updateCartLine.cart' }),
  deleteRoute(line, operations.RemoveCartLineDocument, { response: 'removeCartLine.cart' }),
  customRoute('POST', `${ownCart}/merge`, operations.MergeCartDocument, { response: 'mergeCart.cart' }),
  customRoute('POST', `${ownCart}/checkout`, operations.CheckoutCartDocument, { response: 'checkoutCart' }),
  getRoute(ownCart, operations.GetMyCartDocument, { response: 'myCart', recordName: 'Cart' }),
  putRoute(ownCart, operations.UpdateCartDocument, { response: 'updateCart.cart' }),
  deleteRoute(ownCart, operations.DeleteCartDocument, { response: 'deleteCart' }),
  getRoute(`${carts}/:id`, operations.GetCartDocument, { response: 'cart', recordName: 'Cart' }),
];
