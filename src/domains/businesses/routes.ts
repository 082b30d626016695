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
  definePostRoute(businesses, operations.CreateBusinessDocument),
  defineListRoute(businesses, operations.ListBusinessesDocument),
  defineGetRoute(business, operations.GetBusinessDocument, { recordName: 'Business' }),
  ...defineUpdateRoutes(business, operations.UpdateBusinessDocument),
  defineDeleteRoute(business, operations.DeleteBusinessDocument),

  definePostRoute(markets, operations.CreateMarketDocument),
  defineListRoute(markets, operations.ListMarketsDocument),
  defineGetRoute(`${markets}/:code`, operations.GetMarketDocument, { recordName: 'Market' }),
  ...defineUpdateRoutes(`${markets}/:code`, operations.UpdateMarketDocument),
  defineDeleteRoute(`${markets}/:code`, operations.DeleteMarketDocument),

  definePostRoute(shippingMethods, operations.CreateShippingMethodDocument),
  defineListRoute(shippingMethods, operations.ListShippingMethodsDocument),
  defineGetRoute(`${shippingMethods}/:id`, operations.GetShippingMethodDocument, {
    recordName: 'Shipping method',
  }),
  ...defineUpdateRoutes(`${shippingMethods}/:id`, operations.UpdateShippingMethodDocument),
  defineDeleteRoute(`${shippingMethods}/:id`, operations.DeleteShippingMethodDocument),

  definePostRoute(promoCodes, operations.CreatePromoCodeDocument),
  defineListRoute(promoCodes, operations.ListPromoCodesDocument),
  defineGetRoute(`${promoCodes}/:id`, operations.GetPromoCodeDocument, { recordName: 'Promo code' }),
  ...defineUpdateRoutes(`${promoCodes}/:id`, operations.UpdatePromoCodeDocument),
  defineDeleteRoute(`${promoCodes}/:id`, operations.DeletePromoCodeDocument),

  definePostRoute(roles, operations.CreateRoleDocument),
  defineListRoute(roles, operations.ListRolesDocument),
  defineGetRoute(`${roles}/:id`, operations.GetRoleDocument, { recordName: 'Role' }),
  ...defineUpdateRoutes(`${roles}/:id`, operations.UpdateRoleDocument),
  defineDeleteRoute(`${roles}/:id`, operations.DeleteRoleDocument),
];
