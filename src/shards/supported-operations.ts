/** Supported operations of a gateway on several servers. All others are rejected, so that no response lacks rows of another server. */

/** Root fields without a business that need accounts alone. */
const accountFields: ReadonlySet<string> = new Set([
  '__schema',
  '__type',
  '__typename',
  '_service',
  'changePassword',
  'confirmEmail',
  'confirmPhoneNumber',
  'createBusiness',
  'forgotPassword',
  'login',
  'loginUrl',
  'logout',
  'me',
  'refresh',
  'register',
  'resendConfirmation',
  'resetForgottenPassword',
  'revokeAllSessions',
  'revokeSession',
  'sendPhoneCode',
  'sessions',
  'templateVariables',
  'tryLogin',
  'tryRegister',
  'updateMe',
]);

/** Root fields whose records are on the home server, although no argument names their business. */
const homeServerFields: ReadonlySet<string> = new Set(['acceptInvitation']);

/** Root fields of a business on another server than the home server. */
const otherServerFields: ReadonlySet<string> = new Set([
  ...['business', 'viewerCan', 'changes'],
  ...['market', 'markets', 'createMarket', 'updateMarket', 'deleteMarket'],
  ...[
    'shippingMethod',
    'shippingMethods',
    'createShippingMethod',
    'updateShippingMethod',
    'deleteShippingMethod',
  ],
  ...['promoCode', 'promoCodes', 'createPromoCode', 'updatePromoCode', 'deletePromoCode'],
  ...['category', 'categories', 'createCategory', 'updateCategory', 'deleteCategory'],
  ...['product', 'products', 'suggestions', 'createProduct', 'updateProduct', 'deleteProduct'],
  ...['adjustStock', 'tryAdjustStock', 'stockMovements'],
  ...['order', 'orders', 'refunds', 'createOrder', 'updateOrder', 'setOrderStatus', 'setPaymentStatus'],
  ...['createFulfilment', 'updateFulfilment', 'refundOrder', 'retryRefund', 'createPaymentLink'],
  ...['quote', 'tryQuote', 'quoteCheckout', 'checkout', 'tryCheckout'],
]);

export type FieldPlace = 'accounts' | 'home' | 'unsupported';

/** Place of a root field that names no business. */
export function placeOfFieldWithoutBusiness(field: string): FieldPlace {
  if (accountFields.has(field)) return 'accounts';
  return homeServerFields.has(field) ? 'home' : 'unsupported';
}

export const isSupportedOnOtherServers = (field: string): boolean => otherServerFields.has(field);
