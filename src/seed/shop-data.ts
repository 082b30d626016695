/** Data of the demo shop with stable ids: users, markets, shipping methods, promo codes, disposable records. */

export const demoShopIdsAndLogins = {
  businessId: '01900000-0000-7000-8000-00000000000b',
  adminId: '01900000-0000-7000-8000-000000000001',
  customerId: '01900000-0000-7000-8000-000000000002',
  email: 'admin@demo.example',
  customerEmail: 'customer@demo.example',
  password: 'duet-demo-password',
} as const;

/** Deterministic UUID; `group` distinguishes kinds of records. */
export const buildSeedId = (group: number, number: number): string =>
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
      { marketId: 'CH', price: 790, freeAbove: 8000 },
    ],
  },
  {
    id: 'express',
    name: 'Express, next day',
    prices: [
      { marketId: 'US', price: 1990 },
      { marketId: 'EU', price: 1490 },
      { marketId: 'CH', price: 1890 },
    ],
  },
];

export const demoPromoCodes = [
  { code: 'WELCOME10', type: 'PERCENTAGE', bps: 1000, minSubtotal: 2000 },
] as const;

/** Customer group with wholesale prices; the demo customer is a member. */
export const demoWholesaleGroup = { id: 'wholesale', name: 'Wholesale' } as const;

/** Category tree of the demo shop in tree order. Slugs are the `category` of its products. */
export const demoCategories = [
  { slug: 'coffee', name: 'Coffee', de: 'Kaffee', description: 'Roasted on Mondays and Thursdays.' },
  { slug: 'equipment', name: 'Equipment', de: 'Zubehör', description: 'For brewing and serving.' },
  { slug: 'brewing', name: 'Brewing', de: 'Zubereitung', parent: 'equipment' },
  { slug: 'cups', name: 'Cups', de: 'Tassen', parent: 'equipment' },
  { slug: 'classes', name: 'Classes', de: 'Kurse' },
  { slug: 'gifts', name: 'Gifts', de: 'Geschenke' },
  { slug: 'seasonal', name: 'Seasonal', de: 'Saisonales' },
] as const;

export const getDemoCategoryId = (slug: (typeof demoCategories)[number]['slug']): string =>
  buildSeedId(0x11, demoCategories.findIndex((category) => category.slug === slug) + 1);

/** Address of the demo customer. */
export const demoAddress = {
  name: 'Demo Customer',
  line1: '1 Market St',
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94103',
  country: 'US',
};

/** Unconfirmed phone numbers of the demo admin. Two, because the REST reference has two routes for the confirmation and each consumes a code. */
export const demoPhoneConfirmations = [
  { phoneNumber: '+4915112345678', code: '314159' },
  { phoneNumber: '+4915112345679', code: '271828' },
] as const;

/** Ids of records that the examples of the REST reference update and delete, so that running them leaves the rest of the shop unchanged. */
export const disposableRecordIds = {
  businessId: buildSeedId(0xe, 1),
  roasteryId: buildSeedId(0xe, 2),
  marketCode: 'CH',
  shippingMethodId: 'pickup',
  promoCodeId: buildSeedId(2, 2),
  customerGroupId: 'founders',
  categorySlug: 'seasonal',
  clerkRoleId: buildSeedId(1, 4),
  internRoleId: buildSeedId(1, 5),
  baristaId: buildSeedId(0xa, 1),
  formerBaristaId: buildSeedId(0xa, 2),
  productId: buildSeedId(3, 0),
  collectionId: buildSeedId(6, 3),
  /** Lower than the id of the newsletter that storefronts show, so that lists contain it later. */
  newsletterId: buildSeedId(6, 0),
  entryId: buildSeedId(7, 0),
  orderId: buildSeedId(0xb, 1),
  shippedOrderId: buildSeedId(0xb, 2),
  fulfilmentId: buildSeedId(0xb, 3),
  returnId: buildSeedId(0xb, 4),
  openedReturnId: buildSeedId(0xb, 5),
  withdrawnReturnId: buildSeedId(0xb, 6),
  paidOrderId: buildSeedId(0xb, 7),
  failedRefundId: buildSeedId(0xb, 9),
  cartId: buildSeedId(0x10, 1),
  adminCartId: buildSeedId(0x10, 2),
  cartLineId: buildSeedId(0x10, 3),
  oldCartLineId: buildSeedId(0x10, 4),
  sessionId: buildSeedId(0xa, 3),
  supporterId: buildSeedId(9, 2),
  patronId: buildSeedId(9, 3),
  mediaId: buildSeedId(0xf, 1),
  oldMediaId: buildSeedId(0xf, 2),
  bulkId: buildSeedId(0xf, 3),
  oldBulkId: buildSeedId(0xf, 4),
  webhookId: buildSeedId(0xc, 1),
  oldWebhookId: buildSeedId(0xc, 2),
  deliveryId: buildSeedId(0xd, 1),
} as const;
