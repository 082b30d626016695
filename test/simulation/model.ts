/** What the contract says about who may do what, what follows what, and what things cost. Written from the documents, not from the code. Pure. */

export type ShopNumber = 0 | 1;
export type RoleName = 'ADMIN' | 'MANAGER' | 'EDITOR';

const managerMay = [
  'PRODUCTS_WRITE',
  'ORDERS_READ',
  'ORDERS_WRITE',
  'CONTENT_WRITE',
  'NEWSLETTER_SEND',
  'SUBSCRIBERS_READ',
] as const;
export type Permission = 'ADMIN' | (typeof managerMay)[number];

const roleAllows: Readonly<Record<RoleName, readonly Permission[]>> = {
  ADMIN: ['ADMIN', ...managerMay],
  MANAGER: managerMay,
  EDITOR: ['CONTENT_WRITE', 'NEWSLETTER_SEND'],
};

/** Somebody as the rules see them. */
export interface ModelCaller {
  signedIn: boolean;
  roles: ReadonlyMap<ShopNumber, RoleName>;
}

export const hasPermission = ({ roles }: ModelCaller, permission: Permission, shop: ShopNumber): boolean => {
  const role = roles.get(shop);
  return role !== undefined && roleAllows[role].includes(permission);
};

/** The status that meets somebody who creates, or lists what only staff may list. */
export function createStatus(caller: ModelCaller, permission: Permission, shop: ShopNumber): 200 | 401 | 403 {
  if (!caller.signedIn) return 401;
  return hasPermission(caller, permission, shop) ? 200 : 403;
}

export interface ModelRecord {
  shop: ShopNumber;
  deleted: boolean;
}

/** The status that meets somebody who addresses one record to change it. Records of other businesses are not there. */
export function changeStatus(
  caller: ModelCaller,
  permission: Permission,
  named: ShopNumber,
  { shop, deleted: gone }: ModelRecord,
): 200 | 401 | 403 | 404 {
  if (!caller.signedIn) return 401;
  if (hasPermission(caller, permission, named)) return gone || shop !== named ? 404 : 200;
  return caller.roles.size > 0 && !caller.roles.has(named) ? 404 : 403;
}

/** The status that meets somebody who reads a record that is public or for staff. */
export function readStatus(
  caller: ModelCaller,
  permission: Permission,
  { shop, deleted: gone, isPublic }: ModelRecord & { isPublic: boolean },
): 200 | 401 | 404 {
  if (!caller.signedIn) return 401;
  return !gone && (isPublic || hasPermission(caller, permission, shop)) ? 200 : 404;
}

export const orderStatuses = [
  'PENDING',
  'PROCESSING',
  'SHIPPED',
  'DELIVERED',
  'CANCELLED',
  'REFUNDED',
] as const;
export const paymentStatuses = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;

const orderMoves: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
};

const paymentMoves: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['PAID', 'FAILED'],
  FAILED: ['PENDING', 'PAID'],
  PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['REFUNDED'],
};

/** A refund that failed after all gives its money back to the order. */
const takenBack: Readonly<Record<string, readonly string[]>> = {
  PARTIALLY_REFUNDED: ['PAID'],
  REFUNDED: ['PAID', 'PARTIALLY_REFUNDED'],
};

export const isOrderTransition = (from: string, to: string): boolean =>
  from === to || (orderMoves[from] ?? []).includes(to);

export const isPaymentTransition = (from: string, to: string, bySystem = false): boolean =>
  from === to ||
  (paymentMoves[from] ?? []).includes(to) ||
  (bySystem && (takenBack[from] ?? []).includes(to));

export interface PriceTerms {
  taxBps: number;
  shipping: { price: number; freeAbove?: number };
  promo?: { type: 'PERCENTAGE' | 'FIXED' | 'FREE_SHIPPING'; bps?: number; amount?: number } | undefined;
}

export interface Totals {
  subtotal: number;
  tax: number;
  shipping: number;
  discount: number;
  total: number;
}

const halfUp = (value: number, bps: number): number => Math.floor((value * bps * 2 + 10_000) / 20_000);

export function computeTotals(lines: readonly { price: number; quantity: number }[], terms: PriceTerms): Totals {
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const { promo, shipping: rate, taxBps } = terms;
  const wished =
    promo?.type === 'PERCENTAGE'
      ? halfUp(subtotal, promo.bps ?? 0)
      : promo?.type === 'FIXED'
        ? (promo.amount ?? 0)
        : 0;
  const discount = Math.min(subtotal, wished);
  const isFree =
    promo?.type === 'FREE_SHIPPING' ||
    (rate.freeAbove !== undefined && subtotal - discount >= rate.freeAbove);
  const shipping = isFree ? 0 : rate.price;
  const tax = halfUp(subtotal - discount, taxBps);
  return { subtotal, tax, shipping, discount, total: subtotal + tax + shipping - discount };
}

export interface OrderAmounts {
  total: number;
  captured: number;
  refunded: number;
  status: string;
  payment: string;
}

/** What is still to be paid of an order: nothing of one that is over, or that was paid elsewhere. */
export function expectedAmountDue({ total, captured, refunded, status, payment }: OrderAmounts): number {
  if (status === 'CANCELLED' || status === 'REFUNDED') return 0;
  if (captured === 0 && payment !== 'PENDING' && payment !== 'FAILED') return 0;
  return total - captured + refunded;
}
