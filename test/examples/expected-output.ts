/** Expected output of the programs in packages/try and of the compiler. */

/** Invalid documents, and the reason that the compiler reports. */
export const invalidDocuments: Readonly<Record<string, string>> = {
  '{ products(businessId: "b") { nodes { nam } } }': 'Product has no field nam.',
  '{ products(busines: "b", businessId: "b") { totalCount } }': 'Query.products has no argument busines.',
  '{ products { totalCount } }': 'Query.products requires the argument businessId.',
  '{ me }': 'Query.me requires a selection of fields.',
  '{ me { id { x } } }': 'User.id has no fields.',
  'query ($id: UUID!) { node(id: $id) { id } }': 'There is no type UUID.',
  '{ node(id: "n") { ... on Produkt { id } } }': 'There is no type Produkt.',
  '{ me { ...Who } }': 'There is no fragment Who.',
  'query (': 'This is not a GraphQL document.',
};

/** What `live-gateway.ts` prints. */
export const liveGatewayOutput = {
  products: { onPages: true, inGraphql: true },
  outOfStock: ['ValidationError', 'OUT_OF_STOCK', true],
  forbidden: ['ForbiddenError', 'FORBIDDEN'],
  lostResponse: { requests: 2, keys: 1, orders: 1, ofThisGuest: 1 },
  lostRequest: { requests: 2 },
  refreshed: { isSameGuest: true, refreshes: 2 },
  ended: ['UnauthenticatedError', null],
  trusted: [['documentId', 'variables'], 2],
  watched: 'number',
  openedStreams: 2,
  reconnected: [2, ['object', true, 'object', false]],
  aborted: 'AbortError',
  webhook: ['order.created', 4200, 'WebhookError'],
};
