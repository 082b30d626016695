/** Allowed status transitions of orders and payments. Pure; shared/status-history.ts appends the entries. */
import { validationError } from '../../errors.ts';
import type { StatusHistoryEntry } from '../shared/media-and-status-history-types.ts';
import {
  appendStatusChanges,
  type BuildStatusHistoryEntry,
  type SubmittedStatusChange,
} from '../shared/status-history.ts';

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

type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

export const orderTransitions: Transitions<OrderStatus> = {
  PENDING: ['PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  PROCESSING: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
  CANCELLED: [],
  REFUNDED: [],
};

const transitionsOnceShipped: typeof orderTransitions = {
  ...orderTransitions,
  PENDING: orderTransitions.PENDING.filter((status) => status !== 'CANCELLED'),
  PROCESSING: orderTransitions.PROCESSING.filter((status) => status !== 'CANCELLED'),
};

/** Excludes CANCELLED once a shipment exists, because cancelling applies to the whole order. */
export const allowedOrderTransitions = ({
  fulfilments,
}: {
  fulfilments?: readonly unknown[] | undefined;
}): typeof orderTransitions => (fulfilments?.length ? transitionsOnceShipped : orderTransitions);

export const paymentTransitions: Transitions<PaymentStatus> = {
  PENDING: ['PAID', 'FAILED'],
  FAILED: ['PENDING', 'PAID'],
  PAID: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['REFUNDED'],
  REFUNDED: [],
};

/** Status of the last entry. */
export const currentStatus = <Status extends string>(
  history: readonly StatusHistoryEntry<Status>[],
): Status => {
  const last = history.at(-1);
  if (!last) throw new Error('A status history must not be empty.');
  return last.status;
};

/** Appends the changes in sequence and rejects a transition that is not allowed. Repeating the current status is a no-op. */
export function transitionStatus<Status extends string>(
  history: readonly StatusHistoryEntry<Status>[],
  changes: readonly SubmittedStatusChange<Status>[],
  transitions: Transitions<Status>,
  buildStatusEntry: BuildStatusHistoryEntry,
  field: string,
): StatusHistoryEntry<Status>[] {
  let result = [...history];
  for (const change of changes) {
    const extended = appendStatusChanges(result, [change], buildStatusEntry);
    const before = result.at(-1)?.status;
    if (
      extended.length > result.length &&
      before !== undefined &&
      !transitions[before].includes(change.status)
    ) {
      throw invalidTransitionError(field, before, change.status, transitions[before]);
    }
    result = extended;
  }
  return result;
}

/** Appends a status only if the transition is allowed. For status changes that follow from events, where no request can be rejected. */
export const transitionStatusIfAllowed = <Status extends string>(
  history: readonly StatusHistoryEntry<Status>[],
  status: Status,
  transitions: Transitions<Status>,
  buildStatusEntry: BuildStatusHistoryEntry,
): StatusHistoryEntry<Status>[] =>
  transitions[currentStatus(history)].includes(status)
    ? appendStatusChanges(history, [{ status }], buildStatusEntry)
    : [...history];

const invalidTransitionError = (field: string, from: string, to: string, allowed: readonly string[]) =>
  validationError(
    field,
    'INVALID_TRANSITION',
    `${from} cannot become ${to}. Allowed: ${allowed.length > 0 ? allowed.join(', ') : 'none, this status is final'}.`,
  );
