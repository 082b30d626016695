/** REST routes of `/v1/businesses` and the configuration of a business. */
import * as operations from '../../generated/operations.ts';
import { deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const businesses = '/v1/businesses';
const business = `${businesses}/:id` as const;
const markets = `${businesses}/:businessId/markets` as const;
const shippingMethods = `${businesses}/:businessId/shipping-methods` as const;
const promoCodes = `${businesses}/:businessId/promo-codes` as const;
const roles = `${businesses}/:businessId/roles` as const;

export const routes = [
  postRoute(businesses, operations.CreateBusinessDocument, { response: 'createBusiness.business' }),
  listRoute(businesses, operations.ListBusinessesDocument, { response: 'businesses' }),
  getRoute(business, operations.GetBusinessDocument, { response: 'business', recordName: 'Business' }),
  putRoute(business, operations.UpdateBusinessDocument, { response: 'updateBusiness.business' }),
  deleteRoute(business, operations.DeleteBusinessDocument, { response: 'deleteBusiness' }),

  postRoute(markets, operations.CreateMarketDocument, { response: 'createMarket.market' }),
  listRoute(markets, operations.ListMarketsDocument, { response: 'markets' }),
  getRoute(`${markets}/:code`, operations.GetMarketDocument, { response: 'market', recordName: 'Market' }),
  putRoute(`${markets}/:code`, operations.UpdateMarketDocument, { response: 'updateMarket.market' }),
  deleteRoute(`${markets}/:code`, operations.DeleteMarketDocument, { response: 'deleteMarket' }),

  postRoute(shippingMethods, operations.CreateShippingMethodDocument, {
    response: 'createShippingMethod.shippingMethod',
  }),
  listRoute(shippingMethods, operations.ListShippingMethodsDocument, { response: 'shippingMethods' }),
  getRoute(`${shippingMethods}/:id`, operations.GetShippingMethodDocument, {
    response: 'shippingMethod',
    recordName: 'Shipping method',
  }),
  putRoute(`${shippingMethods}/:id`, operations.UpdateShippingMethodDocument, {
    response: 'updateShippingMethod.shippingMethod',
  }),
  deleteRoute(`${shippingMethods}/:id`, operations.DeleteShippingMethodDocument, {
    response: 'deleteShippingMethod',
  }),

  postRoute(promoCodes, operations.CreatePromoCodeDocument, { response: 'createPromoCode.promoCode' }),
  listRoute(promoCodes, operations.ListPromoCodesDocument, { response: 'promoCodes' }),
  getRoute(`${promoCodes}/:id`, operations.GetPromoCodeDocument, {
    response: 'promoCode',
    recordName: 'Promo code',
  }),
  putRoute(`${promoCodes}/:id`, operations.UpdatePromoCodeDocument, {
    response: 'updatePromoCode.promoCode',
  }),
  deleteRoute(`${promoCodes}/:id`, operations.DeletePromoCodeDocument, { response: 'deletePromoCode' }),

  postRoute(roles, operations.CreateRoleDocument, { response: 'createRole.role' }),
  listRoute(roles, operations.ListRolesDocument, { response: 'roles' }),
  getRoute(`${roles}/:id`, operations.GetRoleDocument, { response: 'role', recordName: 'Role' }),
  putRoute(`${roles}/:id`, operations.UpdateRoleDocument, { response: 'updateRole.role' }),
  deleteRoute(`${roles}/:id`, operations.DeleteRoleDocument, { response: 'deleteRole' }),
];
