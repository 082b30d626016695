/** `/v1/businesses` and the configuration below it. */
import * as operations from '../../generated/operations.ts';
import { create, get, list, remove, update } from '../../rest/row.ts';

const businesses = '/v1/businesses';
const business = `${businesses}/:id` as const;
const markets = `${businesses}/:businessId/markets` as const;
const shippingMethods = `${businesses}/:businessId/shipping-methods` as const;
const promoCodes = `${businesses}/:businessId/promo-codes` as const;
const roles = `${businesses}/:businessId/roles` as const;

export const routes = [
  create(businesses, operations.CreateBusinessDocument, { answer: 'createBusiness.business' }),
  list(businesses, operations.ListBusinessesDocument, { answer: 'businesses' }),
  get(business, operations.GetBusinessDocument, { answer: 'business', missing: 'Business' }),
  update(business, operations.UpdateBusinessDocument, { answer: 'updateBusiness.business' }),
  remove(business, operations.DeleteBusinessDocument, { answer: 'deleteBusiness' }),

  create(markets, operations.CreateMarketDocument, { answer: 'createMarket.market' }),
  list(markets, operations.ListMarketsDocument, { answer: 'markets' }),
  get(`${markets}/:code`, operations.GetMarketDocument, { answer: 'market', missing: 'Market' }),
  update(`${markets}/:code`, operations.UpdateMarketDocument, { answer: 'updateMarket.market' }),
  remove(`${markets}/:code`, operations.DeleteMarketDocument, { answer: 'deleteMarket' }),

  create(shippingMethods, operations.CreateShippingMethodDocument, {
    answer: 'createShippingMethod.shippingMethod',
  }),
  list(shippingMethods, operations.ListShippingMethodsDocument, { answer: 'shippingMethods' }),
  get(`${shippingMethods}/:id`, operations.GetShippingMethodDocument, {
    answer: 'shippingMethod',
    missing: 'Shipping method',
  }),
  update(`${shippingMethods}/:id`, operations.UpdateShippingMethodDocument, {
    answer: 'updateShippingMethod.shippingMethod',
  }),
  remove(`${shippingMethods}/:id`, operations.DeleteShippingMethodDocument, {
    answer: 'deleteShippingMethod',
  }),

  create(promoCodes, operations.CreatePromoCodeDocument, { answer: 'createPromoCode.promoCode' }),
  list(promoCodes, operations.ListPromoCodesDocument, { answer: 'promoCodes' }),
  get(`${promoCodes}/:id`, operations.GetPromoCodeDocument, { answer: 'promoCode', missing: 'Promo code' }),
  update(`${promoCodes}/:id`, operations.UpdatePromoCodeDocument, { answer: 'updatePromoCode.promoCode' }),
  remove(`${promoCodes}/:id`, operations.DeletePromoCodeDocument, { answer: 'deletePromoCode' }),

  create(roles, operations.CreateRoleDocument, { answer: 'createRole.role' }),
  list(roles, operations.ListRolesDocument, { answer: 'roles' }),
  get(`${roles}/:id`, operations.GetRoleDocument, { answer: 'role', missing: 'Role' }),
  update(`${roles}/:id`, operations.UpdateRoleDocument, { answer: 'updateRole.role' }),
  remove(`${roles}/:id`, operations.DeleteRoleDocument, { answer: 'deleteRole' }),
];
