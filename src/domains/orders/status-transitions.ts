/** Which status may follow which. Pure; the histories themselves are appended in shared/history.ts. */
import { validationError } from '../../errors.ts';
import type { StatusEntry } from '../shared/model.ts';
import { appendStatusChanges, type StatusChange, type StatusStamper } from '../shared/status-history.ts';

export const orderStatuses = [
  'PENDING',
  'PROCESSING',
  'SHIPPED',
  'DELIVERED',
  'CANCELLED',
  'REFUNDED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const paymentStatuses = ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

type Moves<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

export const orderTransitions: Moves<OrderStatus> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
  CANCELLED: [],
  REFUNDED: [],
};

export const paymentTransitions: Moves<PaymentStatus> = {
  PENDING: ['PAID', 'FAILED'],
  FAILED: ['PENDING', 'PAID'],
  PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['REFUNDED'],
  REFUNDED: [],
};

export const currentStatus = <Status extends string>(history: readonly StatusEntry<Status>[]): Status => {
  const last = history.at(-1);
  if (!last) throw new Error('A status history is never empty.');
  return last.status;
};

/** Appends the changes one after the other; each must be allowed after the one before it. */
export function transitionStatus<Status extends string>(
  history: readonly StatusEntry<Status>[],
  changes: readonly StatusChange<Status>[],
  moves: Moves<Status>,
  stamp: StatusStamper,
  field: string,
): StatusEntry<Status>[] {
  let result = [...history];
  for (const change of changes) {
    const longer = appendStatusChanges(result, [change], stamp);
    const before = result.at(-1)?.status;
    if (longer.length > result.length && before !== undefined && !moves[before].includes(change.status)) {
      throw invalidTransition(field, before, change.status, moves[before]);
    }
    result = longer;
  }
  return result;
}

/** Appends a status only if it may follow: for what happens to an order rather than what somebody asks of it. */
export const transitionIfAllowed = <Status extends string>(
  history: readonly StatusEntry<Status>[],
  status: Status,
  moves: Moves<Status>,
  stamp: StatusStamper,
): StatusEntry<Status>[] =>
  moves[currentStatus(history)].includes(status)
    ? appendStatusChanges(history, [{ status }], stamp)
    : [...history];

const invalidTransition = (field: string, from: string, to: string, allowed: readonly string[]) =>
  validationError({
    field,
    error: 'INVALID_TRANSITION',
    message: `${from} cannot become ${to}. Allowed: ${allowed.length > 0 ? allowed.join(', ') : 'none, this status is final'}.`,
  });
