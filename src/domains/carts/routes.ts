/** `/v1/businesses/{businessId}/carts` */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, postRoute, putRoute } from '../../rest/route.ts';

const carts = '/v1/businesses/:businessId/carts';
const mine = `${carts}/me` as const;
const line = `${mine}/lines/:lineId` as const;

export const routes = [
  postRoute(carts, operations.OpenCartDocument, { answer: 'openCart.cart' }),
  postRoute(`${mine}/lines`, operations.AddCartLineDocument, { answer: 'addCartLine.cart' }),
  putRoute(line, operations.UpdateCartLineDocument, { answer: 'updateCartLine.cart' }),
  deleteRoute(line, operations.RemoveCartLineDocument, { answer: 'removeCartLine.cart' }),
  customRoute('POST', `${mine}/merge`, operations.MergeCartDocument, { answer: 'mergeCart.cart' }),
  customRoute('POST', `${mine}/checkout`, operations.CheckoutCartDocument, { answer: 'checkoutCart' }),
  getRoute(mine, operations.GetMyCartDocument, { answer: 'myCart', missing: 'Cart' }),
  putRoute(mine, operations.UpdateCartDocument, { answer: 'updateCart.cart' }),
  deleteRoute(mine, operations.DeleteCartDocument, { answer: 'deleteCart' }),
  getRoute(`${carts}/:id`, operations.GetCartDocument, { answer: 'cart', missing: 'Cart' }),
];
