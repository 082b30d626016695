/** The demo shop: a small store for coffee people, with ids that never change. */

export const demo = {
  businessId: '01900000-0000-7000-8000-00000000000b',
  adminId: '01900000-0000-7000-8000-000000000001',
  customerId: '01900000-0000-7000-8000-000000000002',
  email: 'admin@demo.example',
  customerEmail: 'customer@demo.example',
  password: 'duet-demo-password',
} as const;

/** `seedId(3, 7)` is the same id on every machine; `group` tells kinds of records apart. */
export const seedId = (group: number, number: number): string =>
  `01900000-0000-7${group.toString(16).padStart(3, '0')}-8000-${number.toString(16).padStart(12, '0')}`;

export const demoMarkets = [
  { code: 'US', currency: 'USD', taxBps: 825 },
  { code: 'EU', currency: 'EUR', taxBps: 2000, taxRates: [{ category: 'coffee', taxBps: 700 }] },
];

export const demoShippingMethods = [
  {
    id: 'standard',
    name: 'Standard',
    prices: [
      { marketId: 'US', price: 590, freeAbove: 7500 },
      { marketId: 'EU', price: 490, freeAbove: 6000 },
    ],
  },
  {
    id: 'express',
    name: 'Express, next day',
    prices: [
      { marketId: 'US', price: 1990 },
      { marketId: 'EU', price: 1490 },
    ],
  },
];

export const demoPromoCodes = [
  { code: 'WELCOME10', type: 'PERCENTAGE', bps: 1000, minSubtotal: 2000 },
] as const;

/** Cafés that buy by the kilogram; the demo customer is one of them. */
export const wholesaleGroup = { id: 'wholesale', name: 'Wholesale' } as const;

/** Where the demo customer lives. */
export const demoAddress = {
  name: 'Demo Customer',
  line1: '1 Market St',
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94103',
  country: 'US',
};

/** Numbers that the demo admin has yet to confirm: each address of the operation spends a code. */
export const demoPhones = [
  { phoneNumber: '+4915112345678', code: '314159' },
  { phoneNumber: '+4915112345679', code: '271828' },
] as const;

/** Records that the examples of the REST reference change and delete, so that trying them leaves the shop as it was. */
export const disposableRecords = {
  businessId: seedId(0xe, 1),
  roasteryId: seedId(0xe, 2),
  marketCode: 'CH',
  shippingMethodId: 'pickup',
  promoCodeId: seedId(2, 2),
  customerGroupId: 'founders',
  clerkRoleId: seedId(1, 4),
  internRoleId: seedId(1, 5),
  baristaId: seedId(0xa, 1),
  formerBaristaId: seedId(0xa, 2),
  productId: seedId(3, 0),
  collectionId: seedId(6, 3),
  /** Listed behind the letter that storefronts show. */
  newsletterId: seedId(6, 0),
  entryId: seedId(7, 0),
  orderId: seedId(0xb, 1),
  shippedOrderId: seedId(0xb, 2),
  fulfilmentId: seedId(0xb, 3),
  returnId: seedId(0xb, 4),
  openedReturnId: seedId(0xb, 5),
  keptReturnId: seedId(0xb, 6),
  paidOrderId: seedId(0xb, 7),
  failedRefundId: seedId(0xb, 9),
  cartId: seedId(0x10, 1),
  adminCartId: seedId(0x10, 2),
  cartLineId: seedId(0x10, 3),
  oldCartLineId: seedId(0x10, 4),
  sessionId: seedId(0xa, 3),
  supporterId: seedId(9, 2),
  patronId: seedId(9, 3),
  mediaId: seedId(0xf, 1),
  oldMediaId: seedId(0xf, 2),
  bulkId: seedId(0xf, 3),
  oldBulkId: seedId(0xf, 4),
  webhookId: seedId(0xc, 1),
  oldWebhookId: seedId(0xc, 2),
  deliveryId: seedId(0xd, 1),
} as const;
