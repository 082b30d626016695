/** Limit on unpaid orders per customer and per client network, so that unpaid checkouts cannot reserve a shop's whole stock. */
import { createHmac } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { toIpNetwork } from '../../../lib/net/ip-addresses.ts';
import { now } from '../../../lib/time.ts';
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';

/** Keyed hash of the client's network, stored as `heldFrom` instead of the address. Undefined when rate limits are off. */
export const hashClientNetwork = ({ config, keys, request }: Context): string | undefined =>
  config.rateLimit
    ? createHmac('sha256', keys.secret)
        .update(`holder\n${toIpNetwork(request.address)}`)
        .digest('base64url')
    : undefined;

/** Removes the network hash as soon as the order is paid, cancelled or otherwise no longer waits for payment. */
export const clearNetworkHashUnlessUnpaid = (order: Order): Order =>
  order.heldFrom === undefined || isUnpaid(order) ? order : { ...order, heldFrom: undefined };

const isUnpaid = ({ statuses, paymentStatus, captured }: Order): boolean =>
  currentStatus(statuses) === 'PENDING' &&
  captured === 0 &&
  ['PENDING', 'FAILED'].includes(currentStatus(paymentStatus) ?? '');

/**
 * SQL expression on an order that is inserted: unix time when the limit allows the next order, null when it allows this one.
 * The database function serialises orders of one customer or network by a lock, so the count is exact across processes.
 */
export const buildUnpaidLimitResetAtExpressionSql = (perCustomer: string, perAddress: string) =>
  `unpaid_order_limit_until(id, customer_id, held_from, ${perCustomer}, ${perAddress})`;

/** Error for an order above the limit. Throwing it inside the transaction rolls the order back. */
export function unpaidOrderLimitError({ request }: Context, limitResetAt: number): AppError {
  request.responseHeaders['retry-after'] = String(Math.max(1, limitResetAt - now()));
  return new AppError('RATE_LIMITED', 'Too many unpaid orders. Pay or cancel one of them first.');
}
