/** Audit rules for the refunds of one order: refunded units, and money that an ended order should have returned. Pure. */
import type { Refund } from '../../payments/model.ts';
import type { Order, OrderLine } from '../model.ts';

/**
 * Refunded units that differ from the units of succeeded refunds, or exceed the quantity. Restocked units of a refund that failed later
 * stay refunded: they have left the order.
 */
export function findRefundedUnitProblems({ lines }: Order, refunds: readonly Refund[]): string[] {
  const succeeded = new Map<string, number>();
  for (const { counts, status, lines: units } of refunds) {
    if (!counts || status !== 'SUCCEEDED') continue;
    for (const { line, variantId = lines[line]?.variantId ?? '', quantity } of units)
      succeeded.set(variantId, (succeeded.get(variantId) ?? 0) + quantity);
  }
  const variantIds = new Set([...lines.map(({ variantId }) => variantId), ...succeeded.keys()]);
  return [...variantIds].flatMap((variantId) => {
    const ofVariant = lines.filter((line) => line.variantId === variantId);
    const [quantity, refunded, restocked] = [
      unitsOf(ofVariant, 'quantity'),
      unitsOf(ofVariant, 'refunded'),
      unitsOf(ofVariant, 'restocked'),
    ];
    const expected = succeeded.get(variantId) ?? 0;
    return [
      ofVariant.some((line) => (line.refunded ?? 0) > line.quantity) &&
        `${refunded} of ${quantity} units of variant ${variantId} are refunded`,
      (refunded < expected || refunded > expected + restocked) &&
        `${refunded} units of variant ${variantId} are refunded, but its succeeded refunds have ${expected}`,
    ].filter((problem) => problem !== false);
  });
}

/**
 * Money of an ended order that no refund covers. Excludes orders that staff cancelled without a refund or marked as refunded by hand.
 * Failed refunds are in the operator's list.
 */
export function findMissingRefundProblems(
  { statuses, captured, refunded }: Order,
  refunds: readonly Refund[],
): string[] {
  const last = statuses.at(-1);
  const isEnded = last?.status === 'CANCELLED' || last?.status === 'REFUNDED';
  if (!isEnded || !(last.refundsPayment || last.changedBy === 'SYSTEM')) return [];
  const unsettled = refunds
    .filter(({ counts, status }) => counts && status !== 'SUCCEEDED')
    .reduce((sum, { amount }) => sum + amount, 0);
  const remaining = captured - refunded - unsettled;
  return remaining > 0
    ? [`is ${last.status}, but ${remaining} is neither refunded nor part of a refund`]
    : [];
}

const unitsOf = (lines: readonly OrderLine[], key: 'quantity' | 'refunded' | 'restocked'): number =>
  lines.reduce((sum, line) => sum + (line[key] ?? 0), 0);
