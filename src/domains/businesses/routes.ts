/** REST routes of `/v1/businesses` and the configuration of a business. */
import * as operations from '../../generated/operations.ts';
import {
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const businesses = '/v1/businesses';
const business = `${businesses}/:id` as const;
const markets = `${businesses}/:businessId/markets` as const;
const shippingMethods = `${businesses}/:businessId/shipping-methods` as const;
const promoCodes = `${businesses}/:businessId/promo-codes` as const;
const roles = `${businesses}/:businessId/roles` as const;

export const routes = [
  definePostRoute(businesses, operations.CreateBusinessDocument, { response: 'createBusiness.business' }),
  defineListRoute(businesses, operations.ListBusinessesDocument, { response: 'businesses' }),
  defineGetRoute(business, operations.GetBusinessDocument, { response: 'business', recordName: 'Business' }),
  ...defineUpdateRoutes(business, operations.UpdateBusinessDocument, { response: 'updateBusiness.business' }),
  defineDeleteRoute(business, operations.DeleteBusinessDocument, { response: 'deleteBusiness' }),

  definePostRoute(markets, operations.CreateMarketDocument, { response: 'createMarket.market' }),
  defineListRoute(markets, operations.ListMarketsDocument, { response: 'markets' }),
  defineGetRoute(`${markets}/:code`, operations.GetMarketDocument, {
    response: 'market',
    recordName: 'Market',
  }),
  ...defineUpdateRoutes(`${markets}/:code`, operations.UpdateMarketDocument, {
    response: 'updateMarket.market',
  }),
  defineDeleteRoute(`${markets}/:code`, operations.DeleteMarketDocument, { response: 'deleteMarket' }),

  definePostRoute(shippingMethods, operations.CreateShippingMethodDocument, {
    response: 'createShippingMethod.shippingMethod',
  }),
  defineListRoute(shippingMethods, operations.ListShippingMethodsDocument, { response: 'shippingMethods' }),
  defineGetRoute(`${shippingMethods}/:id`, operations.GetShippingMethodDocument, {
    response: 'shippingMethod',
    recordName: 'Shipping method',
  }),
  ...defineUpdateRoutes(`${shippingMethods}/:id`, operations.UpdateShippingMethodDocument, {
    response: 'updateShippingMethod.shippingMethod',
  }),
  defineDeleteRoute(`${shippingMethods}/:id`, operations.DeleteShippingMethodDocument, {
    response: 'deleteShippingMethod',
  }),

  definePostRoute(promoCodes, operations.CreatePromoCodeDocument, { response: 'createPromoCode.promoCode' }),
  defineListRoute(promoCodes, operations.ListPromoCodesDocument, { response: 'promoCodes' }),
  defineGetRoute(`${promoCodes}/:id`, operations.GetPromoCodeDocument, {
    response: 'promoCode',
    recordName: 'Promo code',
  }),
  ...defineUpdateRoutes(`${promoCodes}/:id`, operations.UpdatePromoCodeDocument, {
    response: 'updatePromoCode.promoCode',
  }),
  defineDeleteRoute(`${promoCodes}/:id`, operations.DeletePromoCodeDocument, { response: 'deletePromoCode' }),

  definePostRoute(roles, operations.CreateRoleDocument, { response: 'createRole.role' }),
  defineListRoute(roles, operations.ListRolesDocument, { response: 'roles' }),
  defineGetRoute(`${roles}/:id`, operations.GetRoleDocument, { response: 'role', recordName: 'Role' }),
  ...defineUpdateRoutes(`${roles}/:id`, operations.UpdateRoleDocument, { response: 'updateRole.role' }),
  defineDeleteRoute(`${roles}/:id`, operations.DeleteRoleDocument, { response: 'deleteRole' }),
];
