/** `/v1/businesses` and the configuration below it. */
import * as operations from '../../generated/operations.ts';
import { list, pageVariables, paging, row } from '../row.ts';

const businesses = '/v1/businesses';
const business = `${businesses}/:id`;

const ofBusiness = (noun: string, key = 'id') => ({
  all: `${businesses}/:businessId/${noun}`,
  one: `${businesses}/:businessId/${noun}/:${key}`,
});

const markets = ofBusiness('markets', 'code');
const shippingMethods = ofBusiness('shipping-methods');
const promoCodes = ofBusiness('promo-codes');
const roles = ofBusiness('roles');

export const businessRows = [
  row('POST', businesses, operations.CreateBusinessDocument, {
    variables: ({ body }) => ({ input: body }),
    body: (data) => data.createBusiness.business,
  }),
  row('GET', businesses, operations.ListBusinessesDocument, {
    query: paging,
    variables: pageVariables,
    body: (data) => list(data.businesses),
  }),
  row('GET', business, operations.GetBusinessDocument, {
    variables: ({ path }) => path,
    body: (data) => data.business,
    missing: 'Business',
  }),
  row('PUT', business, operations.UpdateBusinessDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateBusiness.business,
  }),
  row('DELETE', business, operations.DeleteBusinessDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteBusiness,
  }),

  row('POST', markets.all, operations.CreateMarketDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createMarket.market,
  }),
  row('GET', markets.all, operations.ListMarketsDocument, {
    query: paging,
    variables: (request) => ({ ...request.path, ...pageVariables(request) }),
    body: (data) => list(data.markets),
  }),
  row('GET', markets.one, operations.GetMarketDocument, {
    variables: ({ path }) => path,
    body: (data) => data.market,
    missing: 'Market',
  }),
  row('PUT', markets.one, operations.UpdateMarketDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateMarket.market,
  }),
  row('DELETE', markets.one, operations.DeleteMarketDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteMarket,
  }),

  row('POST', shippingMethods.all, operations.CreateShippingMethodDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createShippingMethod.shippingMethod,
  }),
  row('GET', shippingMethods.all, operations.ListShippingMethodsDocument, {
    query: paging,
    variables: (request) => ({ ...request.path, ...pageVariables(request) }),
    body: (data) => list(data.shippingMethods),
  }),
  row('GET', shippingMethods.one, operations.GetShippingMethodDocument, {
    variables: ({ path }) => path,
    body: (data) => data.shippingMethod,
    missing: 'Shipping method',
  }),
  row('PUT', shippingMethods.one, operations.UpdateShippingMethodDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateShippingMethod.shippingMethod,
  }),
  row('DELETE', shippingMethods.one, operations.DeleteShippingMethodDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteShippingMethod,
  }),

  row('POST', promoCodes.all, operations.CreatePromoCodeDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createPromoCode.promoCode,
  }),
  row('GET', promoCodes.all, operations.ListPromoCodesDocument, {
    query: paging,
    variables: (request) => ({ ...request.path, ...pageVariables(request) }),
    body: (data) => list(data.promoCodes),
  }),
  row('GET', promoCodes.one, operations.GetPromoCodeDocument, {
    variables: ({ path }) => path,
    body: (data) => data.promoCode,
    missing: 'Promo code',
  }),
  row('PUT', promoCodes.one, operations.UpdatePromoCodeDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updatePromoCode.promoCode,
  }),
  row('DELETE', promoCodes.one, operations.DeletePromoCodeDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deletePromoCode,
  }),

  row('POST', roles.all, operations.CreateRoleDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createRole.role,
  }),
  row('GET', roles.all, operations.ListRolesDocument, {
    query: paging,
    variables: (request) => ({ ...request.path, ...pageVariables(request) }),
    body: (data) => list(data.roles),
  }),
  row('GET', roles.one, operations.GetRoleDocument, {
    variables: ({ path }) => path,
    body: (data) => data.role,
    missing: 'Role',
  }),
  row('PUT', roles.one, operations.UpdateRoleDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateRole.role,
  }),
  row('DELETE', roles.one, operations.DeleteRoleDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteRole,
  }),
];
