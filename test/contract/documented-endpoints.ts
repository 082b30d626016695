/** The documented endpoints as data: query parameters, body fields and responses. */

import { brandingEndpoints } from './branding-endpoints.ts';
import { bulkEndpoints } from './bulk-endpoints.ts';
import { categoryEndpoints } from './category-endpoints.ts';
import { customerGroupEndpoints } from './customer-group-endpoints.ts';
import { resources, type Shape } from './documented-resources.ts';
import { entryEditingEndpoints } from './entry-editing-endpoints.ts';
import { invitationEndpoints } from './invitation-endpoints.ts';
import { requestLogEndpoints } from './request-log-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';

export interface Endpoint {
  query?: readonly string[];
  body?: readonly string[];
  /** Schemas of the response; several are alternatives. */
  answers: readonly Shape[];
}

const listOf = (item: Shape): Shape => ({ items: [item], cursor: 'string' });
const paged = ['limit', 'cursor'];
const business = '/v1/businesses/{businessId}';

const crud = (
  path: string,
  resource: keyof typeof resources,
  fields: string[],
  more: string[] = [],
  id = 'id',
) => ({
  [`POST ${path}`]: { body: fields, answers: [resource] },
  [`GET ${path}`]: { query: [...paged, ...more], answers: [listOf(resource)] },
  [`GET ${path}/{${id}}`]: { answers: [resource] },
  [`PUT ${path}/{${id}}`]: { body: fields, answers: [resource] },
  [`DELETE ${path}/{${id}}`]: { answers: ['Deleted'] },
});

const productFields = [
  ...['name', 'slug', 'description', 'category'],
  ...['gallery', 'variants', 'statuses', 'blocks'],
];
const orderFields = ['customerId', 'market', 'currency', 'lines', 'subtotal', 'tax', 'shipping', 'total'];
const order = `${business}/orders/{id}` as const;
const tracking = ['carrier', 'trackingNumber', 'trackingUrl'];
const cartFields = ['blocks', 'note', 'promoCode', 'shippingMethodId'];
const promoFields = Object.keys(resources.PromoCode).filter((field) => field !== 'id');
const refund: Shape = {
  id: 'string',
  amount: 'integer',
  currency: 'string',
  status: 'string',
  reason: 'string?',
  restock: 'boolean',
  failure: 'string?',
  createdAt: 'integer',
  settledAt: 'integer?',
};
const piece: Shape = { text: 'string', matches: 'boolean' };
const movement: Shape = {
  id: 'string',
  businessId: 'string',
  productId: 'string',
  variantId: 'string',
  kind: 'string',
  change: 'integer',
  balance: 'integer',
  reason: 'string?',
  orderId: 'string?',
  userId: 'string?',
  createdAt: 'integer',
};
const success: Endpoint['answers'] = ['Success'];

/** By method and path, in the order of the contract; the second half are endpoints that the gateway adds. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  ...crud(
    `${business}/products`,
    'Product',
    [...productFields, 'status'],
    ['category', 'query', 'categoryIds', 'status', 'ids'],
  ),

  [`POST ${business}/orders`]: { body: [...orderFields, 'statuses', 'paymentStatus'], answers: ['Order'] },
  [`GET ${business}/orders`]: {
    query: [
      ...paged,
      'status',
      'customerId',
      'userId',
      'statuses',
      'ids',
      'sort',
      'minTotal',
      'paymentStatuses',
    ],
    answers: [listOf('Order')],
  },
  [`GET ${business}/orders/{id}`]: { answers: ['Order'] },
  [`PUT ${business}/orders/update`]: { body: ['id', 'lines', 'subtotal', 'total'], answers: ['Order'] },
  [`PUT ${business}/orders/{id}/status`]: {
    body: ['status', 'changedBy', 'userId', 'timestamp'],
    answers: ['Order'],
  },
  [`PUT ${business}/orders/{id}/payment-status`]: {
    body: ['status', 'paymentStatus', 'changedBy', 'timestamp'],
    answers: ['Order'],
  },
  [`POST ${business}/orders/checkout`]: {
    body: [
      'market',
      'paymentMethod',
      'shippingMethodId',
      'items',
      'blocks',
      'promoCode',
      'quote',
      'quoteId',
      'returnUrl',
      'cancelUrl',
    ],
    answers: [{ orderId: 'string', checkoutUrl: 'string?', status: 'string?' }],
  },
  [`POST ${business}/carts`]: { body: ['market', ...cartFields], answers: ['Cart'] },
  [`GET ${business}/carts/me`]: { answers: ['Cart'] },
  [`GET ${business}/carts/{id}`]: { answers: ['Cart'] },
  [`PUT ${business}/carts/me`]: { body: ['market', ...cartFields], answers: ['Cart'] },
  [`POST ${business}/carts/me/lines`]: {
    body: ['productId', 'variantId', 'quantity', 'blocks'],
    answers: ['Cart'],
  },
  [`PUT ${business}/carts/me/lines/{lineId}`]: { body: ['quantity', 'blocks'], answers: ['Cart'] },
  [`DELETE ${business}/carts/me/lines/{lineId}`]: { answers: ['Cart'] },
  [`POST ${business}/carts/me/merge`]: { body: ['guestToken'], answers: ['Cart'] },
  [`POST ${business}/carts/me/checkout`]: {
    body: ['paymentMethod', 'quote', 'returnUrl', 'cancelUrl'],
    answers: [{ orderId: 'string', checkoutUrl: 'string?', status: 'string?' }],
  },
  [`DELETE ${business}/carts/me`]: { answers: ['Deleted'] },
  'POST /v1/payments/quote': {
    body: [
      'businessId',
      'market',
      'currency',
      'paymentMethod',
      'lines',
      'items',
      'shippingMethodId',
      'promoCode',
    ],
    answers: ['Quote'],
  },

  'POST /v1/users/register': { body: ['provider', 'email', 'password', 'reserveDomain'], answers: success },
  'PUT /v1/users/confirm': { body: ['token'], answers: success },
  'POST /v1/users/login': {
    body: ['provider', 'email', 'password', 'code', 'originUrl', 'phoneNumber'],
    answers: ['AuthResult'],
  },
  'GET /v1/users/login/url': {
    query: ['provider', 'originUrl', 'redirectUrl'],
    answers: [{ url: 'string' }],
  },
  'POST /v1/users/refresh': { body: ['provider', 'refreshToken'], answers: ['AuthResult'] },
  'POST /v1/users/logout': { answers: success },
  'GET /v1/users/me': { answers: ['User'] },
  'PUT /v1/users/update': { body: ['name', 'phoneNumbers', 'addresses', 'apiTokens'], answers: ['User'] },
  'POST /v1/users/phone-number': { body: ['phoneNumber'], answers: success },
  'POST /v1/users/phone-number/confirm': { body: ['phoneNumber', 'code'], answers: success },
  'PUT /v1/users/confirm/phone-number': { body: ['phoneNumber', 'code'], answers: success },
  'POST /v1/users/forgot-password': { body: ['email', 'reserveDomain'], answers: success },
  'POST /v1/users/reset-forgot-password': { body: ['token', 'password'], answers: success },
  'POST /v1/users/reset-password': { body: ['oldPassword', 'newPassword'], answers: success },
  'GET /v1/users/search': { query: [...paged, 'query', 'businessId', 'roleIds'], answers: [listOf('User')] },
  'PUT /v1/users/set-role': { body: ['userId', 'roleId', 'businessId'], answers: success },

  ...crud(
    `${business}/collections`,
    'Collection',
    ['name', 'slug', 'description', 'type', 'blocks', 'statuses', 'plans'],
    ['ids'],
  ),
  [`POST ${business}/collections/blocks/generate`]: {
    body: ['prompt', 'blocks'],
    answers: [{ blocks: [{ id: 'string', type: 'string', value: 'any?' }] }],
  },
  [`POST ${business}/collections/{collectionId}/subscribe`]: {
    body: ['email', 'market', 'planId', 'plan_id'],
    answers: ['Subscription', { checkoutUrl: 'string?' }],
  },
  [`GET ${business}/collections/{id}/subscribers`]: {
    query: [...paged, 'sort', 'email', 'planId'],
    answers: [listOf('Subscription')],
  },
  [`POST ${business}/subscriptions/{id}/cancel`]: { body: ['token'], answers: ['Subscription'] },
  [`POST ${business}/subscriptions/confirm`]: { body: ['token'], answers: ['Subscription'] },
  [`POST ${business}/subscriptions/resubscribe`]: { body: ['token'], answers: ['Subscription'] },
  [`POST ${business}/subscriptions/{id}/resume`]: { body: ['token'], answers: ['Subscription'] },
  [`POST ${business}/subscriptions/{id}/plan`]: {
    body: ['planId', 'plan_id', 'token', 'returnUrl', 'cancelUrl'],
    answers: ['Subscription', { checkoutUrl: 'string?' }],
  },
  [`POST ${business}/collections/unsubscribe`]: { body: ['token'], answers: success },
  [`GET ${business}/collections/unsubscribe`]: { query: ['token'], answers: success },

  ...crud(
    `${business}/entries`,
    'Entry',
    ['collectionId', 'owner', 'locale', 'blocks', 'statuses', 'status'],
    ['collectionId', 'owner', 'ids'],
  ),
  [`POST ${business}/entries/{entryId}/send`]: { body: ['scheduledAt'], answers: ['SendResult'] },
  'GET /v1/collections/entry-types/{entryType}/variables': {
    answers: [{ variables: [{ key: 'string', label: 'string', description: 'string', example: 'string' }] }],
  },

  'POST /v1/users/refresh-access-token': { body: ['provider', 'refreshToken'], answers: ['AuthResult'] },
  'PUT /v1/users': { body: ['name', 'phoneNumbers', 'addresses', 'apiTokens'], answers: ['User'] },
  ...crud('/v1/businesses', 'Business', ['name', 'slug']),
  ...crud(`${business}/markets`, 'Market', ['currency', 'taxBps'], [], 'code'),
  ...crud(`${business}/shipping-methods`, 'ShippingMethod', ['name', 'prices']),
  ...crud(`${business}/promo-codes`, 'PromoCode', promoFields),
  ...crud(`${business}/roles`, 'Role', ['name', 'permissions']),
  ...crud(`${business}/media`, 'MediaFile', ['alt'], ['state']),
  [`POST ${business}/media`]: { body: ['fileName', 'contentType', 'size', 'alt'], answers: ['Upload'] },
  ...bulkEndpoints(`${business}/bulk-operations`),
  ...customerGroupEndpoints(`${business}/customer-groups`),
  ...crud(`${business}/webhooks`, 'WebhookEndpoint', ['url', 'description', 'events']),
  [`POST ${business}/webhooks/{id}/rotate-secret`]: { answers: ['WebhookEndpoint'] },
  [`POST ${business}/webhooks/{id}/test`]: { answers: ['WebhookDelivery'] },
  [`GET ${business}/webhooks/{endpointId}/deliveries`]: {
    query: [...paged, 'status'],
    answers: [listOf('WebhookDelivery')],
  },
  [`GET ${business}/webhooks/{endpointId}/deliveries/{id}`]: { answers: ['WebhookDelivery'] },
  [`POST ${business}/webhooks/{endpointId}/deliveries/{id}/replay`]: { answers: ['WebhookDelivery'] },
  [`GET ${business}/changes`]: {
    query: [...paged, 'kind', 'recordId', 'actor', 'userId', 'since', 'until'],
    answers: [listOf('Change')],
  },
  ...requestLogEndpoints(business),
  [`GET ${business}/members`]: {
    query: paged,
    answers: [
      {
        items: [
          {
            user: { id: 'string', name: 'string', email: 'string?' },
            role: { id: 'string', name: 'string', permissions: ['string'] },
            since: 'integer',
          },
        ],
        cursor: 'string?',
      },
    ],
  },
  ...entryEditingEndpoints,
  [`POST ${business}/orders/lookup`]: { body: ['number', 'email'], answers: [{ sent: 'boolean' }] },
  [`POST ${order}/revoke-links`]: { answers: ['Order'] },
  [`POST ${business}/orders/{id}/payment-link`]: {
    body: ['returnUrl', 'cancelUrl'],
    answers: [{ orderId: 'string', checkoutUrl: 'string' }],
  },
  [`POST ${order}/fulfilments`]: { body: ['lines', ...tracking], answers: ['Fulfilment'] },
  [`PUT ${order}/fulfilments/{fulfilmentId}`]: { body: ['status', ...tracking], answers: ['Fulfilment'] },
  [`POST ${order}/returns`]: { body: ['lines', 'reason'], answers: ['OrderReturn'] },
  [`POST ${order}/returns/{returnId}/accept`]: {
    body: ['restock', 'lines', 'refund'],
    answers: ['OrderReturn'],
  },
  [`POST ${order}/returns/{returnId}/refuse`]: { body: ['reason'], answers: ['OrderReturn'] },
  [`POST ${order}/returns/{returnId}/withdraw`]: { answers: ['OrderReturn'] },
  [`POST ${business}/orders/{id}/refunds`]: {
    body: ['amount', 'lines', 'restock', 'reason'],
    answers: [refund],
  },
  [`POST ${business}/orders/{id}/refunds/{refundId}/retry`]: { answers: [refund] },
  [`GET ${business}/orders/{id}/refunds`]: { query: paged, answers: [listOf(refund)] },
  [`POST ${business}/products/{id}/stock`]: {
    body: ['variantId', 'change', 'reason'],
    answers: [movement],
  },
  [`GET ${business}/products/{id}/stock`]: { query: paged, answers: [listOf(movement)] },
  'GET /v1/users/me/export': {
    answers: [
      {
        exportedAt: 'integer',
        mostOfEach: 'integer',
        user: 'User',
        identities: [{ issuer: 'string', subject: 'string', createdAt: 'integer' }],
        places: [{ place: 'string', lastSeenAt: 'integer' }],
        sessions: [{ id: 'string', provider: 'string', address: 'string', createdAt: 'integer' }],
        securityEvents: [{ id: 'string', type: 'string', address: 'string', timestamp: 'integer' }],
        orders: ['Order'],
        subscriptions: [{ id: 'string', entity: 'string', email: 'string', status: 'string' }],
        newsletters: [{ sendId: 'string', entryId: 'string', subscriptionId: 'string', status: 'string' }],
      },
    ],
  },
  'POST /v1/users/me/claim-orders': { answers: [{ claimed: 'integer' }] },
  'POST /v1/users/me/delete': { body: ['password'], answers: ['Deleted'] },
  [`GET ${business}/product-facets`]: {
    query: ['market', 'minPrice', 'maxPrice', 'inStock', 'attributes', 'query', 'categoryIds', 'status'],
    answers: [
      {
        categories: [{ value: 'string', count: 'integer' }],
        attributes: [{ name: 'string', values: [{ value: 'string', count: 'integer' }] }],
        prices: [
          {
            market: 'string',
            min: 'integer',
            max: 'integer',
            ranges: [{ min: 'integer', max: 'integer', count: 'integer' }],
          },
        ],
        inStock: 'integer',
        outOfStock: 'integer',
      },
    ],
  },
  [`GET ${business}/product-highlights`]: {
    query: [...paged, 'query', 'sort'],
    answers: [{ highlights: [{ productId: 'string', name: [piece], description: [piece] }] }],
  },
  [`GET ${business}/product-suggestions`]: {
    query: ['text', 'limit'],
    answers: [{ suggestions: [{ kind: 'string', text: 'string', productId: 'string?' }] }],
  },
  ...sessionEndpoints,
  ...brandingEndpoints,
  ...categoryEndpoints,
  ...invitationEndpoints,
};
