/** `/v1/businesses` and the configuration below it. */
import * as operations from '../../generated/operations.ts';
import { deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const businesses = '/v1/businesses';
const business = `${businesses}/:id` as const;
const markets = `${businesses}/:businessId/markets` as const;
const shippingMethods = `${businesses}/:businessId/shipping-methods` as const;
const promoCodes = `${businesses}/:businessId/promo-codes` as const;
const roles = `${businesses}/:businessId/roles` as const;

export const routes = [
  postRoute(businesses, operations.CreateBusinessDocument, { answer: 'createBusiness.business' }),
  listRoute(businesses, operations.ListBusinessesDocument, { answer: 'businesses' }),
  getRoute(business, operations.GetBusinessDocument, { answer: 'business', missing: 'Business' }),
  putRoute(business, operations.UpdateBusinessDocument, { answer: 'updateBusiness.business' }),
  deleteRoute(business, operations.DeleteBusinessDocument, { answer: 'deleteBusiness' }),

  postRoute(markets, operations.CreateMarketDocument, { answer: 'createMarket.market' }),
  listRoute(markets, operations.ListMarketsDocument, { answer: 'markets' }),
  getRoute(`${markets}/:code`, operations.GetMarketDocument, { answer: 'market', missing: 'Market' }),
  putRoute(`${markets}/:code`, operations.UpdateMarketDocument, { answer: 'updateMarket.market' }),
  deleteRoute(`${markets}/:code`, operations.DeleteMarketDocument, { answer: 'deleteMarket' }),

  postRoute(shippingMethods, operations.CreateShippingMethodDocument, {
    answer: 'createShippingMethod.shippingMethod',
  }),
  listRoute(shippingMethods, operations.ListShippingMethodsDocument, { answer: 'shippingMethods' }),
  getRoute(`${shippingMethods}/:id`, operations.GetShippingMethodDocument, {
    answer: 'shippingMethod',
    missing: 'Shipping method',
  }),
  putRoute(`${shippingMethods}/:id`, operations.UpdateShippingMethodDocument, {
    answer: 'updateShippingMethod.shippingMethod',
  }),
  deleteRoute(`${shippingMethods}/:id`, operations.DeleteShippingMethodDocument, {
    answer: 'deleteShippingMethod',
  }),

  postRoute(promoCodes, operations.CreatePromoCodeDocument, { answer: 'createPromoCode.promoCode' }),
  listRoute(promoCodes, operations.ListPromoCodesDocument, { answer: 'promoCodes' }),
  getRoute(`${promoCodes}/:id`, operations.GetPromoCodeDocument, {
    answer: 'promoCode',
    missing: 'Promo code',
  }),
  putRoute(`${promoCodes}/:id`, operations.UpdatePromoCodeDocument, { answer: 'updatePromoCode.promoCode' }),
  deleteRoute(`${promoCodes}/:id`, operations.DeletePromoCodeDocument, { answer: 'deletePromoCode' }),

  postRoute(roles, operations.CreateRoleDocument, { answer: 'createRole.role' }),
  listRoute(roles, operations.ListRolesDocument, { answer: 'roles' }),
  getRoute(`${roles}/:id`, operations.GetRoleDocument, { answer: 'role', missing: 'Role' }),
  putRoute(`${roles}/:id`, operations.UpdateRoleDocument, { answer: 'updateRole.role' }),
  deleteRoute(`${roles}/:id`, operations.DeleteRoleDocument, { answer: 'deleteRole' }),
];
