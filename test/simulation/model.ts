/** Model of the contract: permissions, status transitions and prices. Written from the documentation, independent of the code. Pure. */

export type ShopNumber = 0 | 1;
export type RoleName = 'ADMIN' | 'MANAGER' | 'EDITOR';

const managerPermissions = [
  'PRODUCTS_WRITE',
  'ORDERS_READ',
  'ORDERS_WRITE',
  'CONTENT_WRITE',
  'NEWSLETTER_SEND',
  'SUBSCRIBERS_READ',
] as const;
export type Permission = 'ADMIN' | (typeof managerPermissions)[number];

const rolePermissions: Readonly<Record<RoleName, readonly Permission[]>> = {
  ADMIN: ['ADMIN', ...managerPermissions],
  MANAGER: managerPermissions,
  EDITOR: ['CONTENT_WRITE', 'NEWSLETTER_SEND'],
};

/** The attributes of a caller that the rules depend on. */
export interface ModelCaller {
  signedIn: boolean;
  roles: ReadonlyMap<ShopNumber, RoleName>;
}

export const hasPermission = ({ roles }: ModelCaller, permission: Permission, shop: ShopNumber): boolean => {
  const role = roles.get(shop);
  return role !== undefined && rolePermissions[role].includes(permission);
};

/** Expected status of creating a record, or of listing records that only staff may list. */
export function createStatus(caller: ModelCaller, permission: Permission, shop: ShopNumber): 200 | 401 | 403 {
  if (!caller.signedIn) return 401;
  return hasPermission(caller, permission, shop) ? 200 : 403;
}

export interface ModelRecord {
  shop: ShopNumber;
  deleted: boolean;
}

/** Expected status of changing a record under the path of business `named`. Records of other businesses are not found. */
export function changeStatus(
  caller: ModelCaller,
  permission: Permission,
  pathShop: ShopNumber,
  { shop, deleted }: ModelRecord,
): 200 | 401 | 403 | 404 {
  if (!caller.signedIn) return 401;
  if (hasPermission(caller, permission, pathShop)) return deleted || shop !== pathShop ? 404 : 200;
  return caller.roles.size > 0 && !caller.roles.has(pathShop) ? 404 : 403;
}

/** Expected status of reading a record that is public or visible to staff. */
export function readStatus(
  caller: ModelCaller,
  permission: Permission,
  { shop, deleted, isPublic }: ModelRecord & { isPublic: boolean },
): 200 | 401 | 404 {
  if (!caller.signedIn) return 401;
  return !deleted && (isPublic || hasPermission(caller, permission, shop)) ? 200 : 404;
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

const orderTransitions: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
};

const paymentTransitions: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['PAID', 'FAILED'],
  FAILED: ['PENDING', 'PAID'],
  PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['REFUNDED'],
};

/** Transitions after a refund failed at the bank. */
const failedRefundTransitions: Readonly<Record<string, readonly string[]>> = {
  PARTIALLY_REFUNDED: ['PAID'],
  REFUNDED: ['PAID', 'PARTIALLY_REFUNDED'],
};

export const isOrderTransition = (from: string, to: string): boolean =>
  from === to || (orderTransitions[from] ?? []).includes(to);

export const isPaymentTransition = (from: string, to: string, bySystem = false): boolean =>
  from === to ||
  (paymentTransitions[from] ?? []).includes(to) ||
  (bySystem && (failedRefundTransitions[from] ?? []).includes(to));

/** Tax rates of a market in basis points: the standard rate, and those of product categories. */
export interface TaxTerms {
  standardBps: number;
  categoryBps: Readonly<Record<string, number>>;
}

export const taxRateOf = ({ standardBps, categoryBps }: TaxTerms, category: string | undefined): number =>
  (category === undefined ? undefined : categoryBps[category]) ?? standardBps;

export interface PriceTerms {
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

/** A line with its share of the discount, and its own tax rate. */
export interface TaxedLine {
  price: number;
  quantity: number;
  discount: number;
  taxBps: number;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Tax is rounded half up once per rate, on the sum of its lines after the discount. */
export function computeTaxesByRate(lines: readonly TaxedLine[]): Map<number, number> {
  const rates = [...new Set(lines.map(({ taxBps }) => taxBps))];
  const netOf = ({ price, quantity, discount }: TaxedLine) => price * quantity - discount;
  return new Map(
    rates.map((bps) => [bps, halfUp(sumOf(lines.filter(({ taxBps }) => taxBps === bps).map(netOf)), bps)]),
  );
}

/**
 * Why the shares of the lines in discount and tax break the rules, or undefined. Shares add up, the discount in proportion to the prices;
 * with `byRate`, the tax of the lines of each rate is the tax of that rate.
 */
export function findShareProblem(
  lines: readonly (TaxedLine & { tax: number })[],
  { discount, tax }: Pick<Totals, 'discount' | 'tax'>,
  byRate: boolean,
): string | undefined {
  if (sumOf(lines.map((line) => line.discount)) !== discount) return 'discount of lines';
  if (sumOf(lines.map((line) => line.tax)) !== tax) return 'tax of lines';
  const subtotal = sumOf(lines.map(({ price, quantity }) => price * quantity));
  for (const { price, quantity, discount: share } of lines)
    if (subtotal > 0 && Math.abs(share - (discount * price * quantity) / subtotal) >= 1)
      return 'share of the discount';
  if (!byRate) return undefined;
  for (const [bps, expected] of computeTaxesByRate(lines))
    if (sumOf(lines.filter(({ taxBps }) => taxBps === bps).map((line) => line.tax)) !== expected)
      return `tax of rate ${bps}`;
  return undefined;
}

/** `lines` have their shares of the discount, which the rules do not determine to the last minor unit. */
export function computeTotals(lines: readonly TaxedLine[], terms: PriceTerms): Totals {
  const subtotal = sumOf(lines.map(({ price, quantity }) => price * quantity));
  const { promo, shipping: rate } = terms;
  const requestedDiscount =
    promo?.type === 'PERCENTAGE'
      ? halfUp(subtotal, promo.bps ?? 0)
      : promo?.type === 'FIXED'
        ? (promo.amount ?? 0)
        : 0;
  const discount = Math.min(subtotal, requestedDiscount);
  const isFree =
    promo?.type === 'FREE_SHIPPING' ||
    (rate.freeAbove !== undefined && subtotal - discount >= rate.freeAbove);
  const shipping = isFree ? 0 : rate.price;
  const tax = sumOf([...computeTaxesByRate(lines).values()]);
  return { subtotal, tax, shipping, discount, total: subtotal + tax + shipping - discount };
}

export interface OrderAmounts {
  total: number;
  captured: number;
  refunded: number;
  status: string;
  payment: string;
  paymentMethod: string | null;
  paymentStatuses: readonly { status: string }[];
}

/**
 * Amount due of an order: total - credits - (captured - refunded). 0 if staff marked it as paid without a captured payment; a cancelled
 * or refunded order owes nothing, but may be overpaid until its money went back. A refund of an overpayment can return no more than what
 * the business keeps. Undefined when the credits are.
 */
export function expectedAmountDue(
  { total, captured, refunded, status, payment, paymentMethod, paymentStatuses }: OrderAmounts,
  credits: number | undefined,
): number | undefined {
  // A checkout that costs nothing is PAID from its beginning, or becomes FREE.
  const isFree =
    paymentMethod === 'FREE' || (paymentMethod !== null && paymentStatuses[0]?.status === 'PAID');
  if (captured === 0 && payment !== 'PENDING' && payment !== 'FAILED' && !isFree) return 0;
  if (credits === undefined) return undefined;
  const kept = captured - refunded;
  const due = Math.max(-kept, total - credits - kept);
  return status === 'CANCELLED' || status === 'REFUNDED' ? Math.min(0, due) : due;
}
