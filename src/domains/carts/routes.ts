/** `/v1/businesses/{businessId}/carts` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, remove, update } from '../../rest/row.ts';

const carts = '/v1/businesses/:businessId/carts';
const mine = `${carts}/me` as const;
const line = `${mine}/lines/:lineId` as const;

export const routes = [
  create(carts, operations.OpenCartDocument, { answer: 'openCart.cart' }),
  create(`${mine}/lines`, operations.AddCartLineDocument, { answer: 'addCartLine.cart' }),
  update(line, operations.UpdateCartLineDocument, { answer: 'updateCartLine.cart' }),
  remove(line, operations.RemoveCartLineDocument, { answer: 'removeCartLine.cart' }),
  act('POST', `${mine}/merge`, operations.MergeCartDocument, { answer: 'mergeCart.cart' }),
  act('POST', `${mine}/checkout`, operations.CheckoutCartDocument, { answer: 'checkoutCart' }),
  get(mine, operations.GetMyCartDocument, { answer: 'myCart', missing: 'Cart' }),
  update(mine, operations.UpdateCartDocument, { answer: 'updateCart.cart' }),
  remove(mine, operations.DeleteCartDocument, { answer: 'deleteCart' }),
  get(`${carts}/:id`, operations.GetCartDocument, { answer: 'cart', missing: 'Cart' }),
];
