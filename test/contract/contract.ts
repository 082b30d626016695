/** The documented interface as data: resources with their fields, and endpoints with what they take and give. */

/** A field: a scalar type, `type?` when optional, another resource, or a list of one. */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

export const resources = {
  StatusEntry: {
    id: 'string',
    status: 'string',
    changedBy: 'string',
    userId: 'string?',
    timestamp: 'integer',
  },
  Media: { id: 'string', url: 'string', mimeType: 'string' },
  Block: {
    id: 'string',
    type: 'string',
    label: 'string?',
    required: 'boolean?',
    settings: 'object?',
    value: 'any?',
  },
  Product: {
    id: 'string',
    businessId: 'string',
    name: 'string',
    slug: 'string',
    description: 'string?',
    category: 'string?',
    gallery: ['Media'],
    variants: ['Variant'],
    statuses: ['StatusEntry'],
    blocks: ['Block'],
    createdAt: 'integer',
    updatedAt: 'integer',
  },
  Variant: {
    id: 'string',
    name: 'string?',
    sku: 'string?',
    attributes: [{ name: 'string', value: 'string' }],
    pricing: {
      markets: [{ marketId: 'string', currency: 'string', price: 'integer', compareAtPrice: 'integer?' }],
    },
    inventory: { tracked: 'boolean', quantity: 'integer', lowStockThreshold: 'integer?' },
    gallery: ['Media'],
  },
  OrderLine: {
    type: 'string',
    productId: 'string',
    variantId: 'string',
    quantity: 'integer',
    unitPrice: 'integer',
    totalPrice: 'integer',
  },
  Order: {
    id: 'string',
    businessId: 'string',
    customerId: 'string?',
    market: 'string',
    currency: 'string',
    lines: ['OrderLine'],
    subtotal: 'integer',
    tax: 'integer',
    shipping: 'integer',
    discount: 'integer',
    total: 'integer',
    promoCode: 'string?',
    shippingMethodId: 'string?',
    blocks: ['Block'],
    statuses: ['StatusEntry'],
    paymentStatus: ['StatusEntry'],
    createdAt: 'integer',
    updatedAt: 'integer',
    version: 'integer',
  },
  Quote: {
    id: 'string',
    expiresAt: 'integer',
    lines: ['OrderLine'],
    subtotal: 'integer',
    tax: 'integer',
    taxBps: 'integer',
    shipping: 'integer',
    discount: 'integer',
    total: 'integer',
    currency: 'string',
  },
  User: {
    id: 'string',
    name: 'string?',
    email: 'string?',
    isConfirmed: 'boolean',
    phoneNumbers: ['string'],
    addresses: [{ street: 'string?', city: 'string?', state: 'string?', zip: 'string?', country: 'string?' }],
    roleIds: ['string'],
    roles: [{ id: 'string', name: 'string', permissions: ['string'] }],
    apiTokens: [{ id: 'string', name: 'string?', value: 'string', provider: 'string' }],
    businessUserConfigs: [{ businessId: 'string', settings: 'any' }],
    lifecycle: { lastLoginAt: 'integer?', onboardingCompleted: 'boolean' },
  },
  AuthResult: {
    userId: 'string',
    provider: 'string',
    accessToken: 'string',
    refreshToken: 'string',
    tokenType: 'string',
    expiresAt: 'integer',
    scope: 'string?',
    isGuest: 'boolean',
  },
  Collection: {
    id: 'string',
    businessId: 'string',
    name: 'string',
    slug: 'string',
    description: 'string?',
    type: 'string?',
    blocks: ['Block'],
    statuses: ['StatusEntry'],
    plans: [
      {
        id: 'string',
        name: 'string',
        description: 'string?',
        price: { amount: 'integer', currency: 'string', interval: 'string' },
        features: ['string'],
      },
    ],
    createdAt: 'integer',
    updatedAt: 'integer',
  },
  Entry: {
    id: 'string',
    owner: 'string',
    locale: 'string?',
    blocks: ['Block'],
    statuses: ['StatusEntry'],
  },
  Subscription: {
    id: 'string',
    entity: 'string',
    email: 'string',
    planId: 'string?',
    status: 'string',
    createdAt: 'integer',
    updatedAt: 'integer',
  },
  Business: { id: 'string', name: 'string', slug: 'string', createdAt: 'integer', updatedAt: 'integer' },
  Market: { code: 'string', currency: 'string', taxBps: 'integer' },
  ShippingMethod: {
    id: 'string',
    name: 'string',
    prices: [{ marketId: 'string', price: 'integer', freeAbove: 'integer?' }],
  },
  PromoCode: {
    id: 'string',
    code: 'string',
    type: 'string',
    bps: 'integer?',
    amount: 'integer?',
    currency: 'string?',
    minSubtotal: 'integer?',
    startsAt: 'integer?',
    endsAt: 'integer?',
    maxUses: 'integer?',
    maxUsesPerCustomer: 'integer?',
  },
  Role: { id: 'string', name: 'string', permissions: ['string'] },
  WebhookEndpoint: {
    id: 'string',
    businessId: 'string',
    url: 'string',
    description: 'string',
    events: ['string'],
    secret: 'string',
    status: 'string',
    disabledReason: 'string?',
    failingSince: 'integer?',
    version: 'integer',
    createdAt: 'integer',
    updatedAt: 'integer',
  },
  WebhookDelivery: {
    id: 'string',
    endpointId: 'string',
    eventId: 'string',
    type: 'string',
    data: 'any',
    status: 'string',
    attempts: 'integer',
    lastAttemptAt: 'integer?',
    lastStatusCode: 'integer?',
    lastError: 'string?',
    lastResponse: 'string?',
    lastDurationMs: 'integer?',
    nextAttemptAt: 'integer?',
    deliveredAt: 'integer?',
    createdAt: 'integer',
  },
  Deleted: { id: 'string', deleted: 'boolean' },
  Success: { success: 'boolean' },
  SendResult: { success: 'boolean', sendId: 'string', scheduledAt: 'integer?', recipients: 'integer?' },
} as const satisfies Record<string, Shape>;

export interface Endpoint {
  query?: readonly string[];
  body?: readonly string[];
  /** What it answers; alternatives when there are several. */
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
  'name',
  'slug',
  'description',
  'category',
  'gallery',
  'variants',
  'statuses',
  'blocks',
];
const orderFields = ['customerId', 'market', 'currency', 'lines', 'subtotal', 'tax', 'shipping', 'total'];
const promoFields = Object.keys(resources.PromoCode).filter((field) => field !== 'id');
const success: Endpoint['answers'] = ['Success'];

/** By method and path, in the order of the document; the second half is what the gateway adds to it. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  ...crud(
    `${business}/products`,
    'Product',
    [...productFields, 'status'],
    ['category', 'query', 'categoryIds', 'status', 'ids'],
  ),

  [`POST ${business}/orders`]: { body: [...orderFields, 'statuses', 'paymentStatus'], answers: ['Order'] },
  [`GET ${business}/orders`]: {
    query: [...paged, 'status', 'customerId', 'userId', 'statuses', 'ids'],
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
  [`GET ${business}/collections/{id}/subscribers`]: { query: paged, answers: [listOf('Subscription')] },
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
  ...crud(`${business}/webhooks`, 'WebhookEndpoint', ['url', 'description', 'events']),
  [`POST ${business}/webhooks/{id}/rotate-secret`]: { answers: ['WebhookEndpoint'] },
  [`POST ${business}/webhooks/{id}/test`]: { answers: ['WebhookDelivery'] },
  [`GET ${business}/webhooks/{endpointId}/deliveries`]: {
    query: [...paged, 'status'],
    answers: [listOf('WebhookDelivery')],
  },
  [`GET ${business}/webhooks/{endpointId}/deliveries/{id}`]: { answers: ['WebhookDelivery'] },
  [`POST ${business}/webhooks/{endpointId}/deliveries/{id}/replay`]: { answers: ['WebhookDelivery'] },
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
  [`DELETE ${business}/members/{userId}`]: { answers: [{ id: 'string', deleted: 'boolean' }] },
};
