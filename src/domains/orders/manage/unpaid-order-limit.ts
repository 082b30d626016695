/** Nobody holds stock for nothing: how many unpaid orders one customer, and one address, may have at a time. */
import { createHmac } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { toIpNetwork } from '../../../lib/net/ip-addresses.ts';
import { now } from '../../../lib/time.ts';
import type { Order } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';

/** The address an unpaid order came from, readable by nobody; undefined while nothing is limited. */
export const hashClientNetwork = ({ config, keys, request }: Context): string | undefined =>
  config.rateLimit
    ? createHmac('sha256', keys.secret)
        .update(`holder\n${toIpNetwork(request.address)}`)
        .digest('base64url')
    : undefined;

/** Remembered for as long as the order waits for its money, no longer. */
export const clearNetworkHashUnlessUnpaid = (order: Order): Order =>
  order.heldFrom === undefined || isUnpaid(order) ? order : { ...order, heldFrom: undefined };

const isUnpaid = ({ statuses, paymentStatus, captured }: Order): boolean =>
  currentStatus(statuses) === 'PENDING' &&
  captured === 0 &&
  ['PENDING', 'FAILED'].includes(currentStatus(paymentStatus) ?? '');

/**
 * SQL for `returning` of an order's insert: when room will be again, null if there is some. The function makes orders of one customer or
 * address wait for each other, so that they are counted whatever the number of processes.
 */
export const unpaidLimitResetAtSql = (perCustomer: string, perAddress: string) =>
  `unpaid_orders_full(id, customer_id, held_from, ${perCustomer}, ${perAddress}) as "roomAgainAt"`;

/** For the order that was one too many: thrown, it takes the order back. */
export function unpaidOrderLimitError({ request }: Context, roomAgainAt: number): AppError {
  request.responseHeaders['retry-after'] = String(Math.max(1, roomAgainAt - now()));
  return new AppError('RATE_LIMITED', 'Too many orders wait to be paid. Pay or cancel one of them first.');
}
