/** Audit rules for the amounts of one order: shares of its lines, tax rates, currency of its payments, and payment status. Pure. */
import { smallestPayableStep } from '../../../lib/commerce/round-to-payable-amount.ts';
import type { PaymentAttemptSummary } from '../../payments/stored-payment-attempts.ts';
import type { Order } from '../model.ts';
import { computeAmountDue } from '../payment/amount-due.ts';
import { isFreeOrder } from '../payment/free-order-rules.ts';
import { currentStatus } from '../status-transitions.ts';

/** Sums of the lines that differ from the order, and tax that does not follow the rates of the lines. */
export const findOrderAmountProblems = (order: Order): string[] => [
  ...shareProblems(order, 'discount'),
  ...shareProblems(order, 'tax'),
  ...discountProblems(order),
  ...rateProblems(order),
];

function shareProblems({ lines, ...order }: Order, field: 'discount' | 'tax'): string[] {
  const sum = lines.reduce((total, line) => total + line[field], 0);
  // Orders of earlier versions have no shares of lines that cost nothing.
  const isFree = sum === 0 && lines.every(({ totalPrice, discount }) => totalPrice === discount);
  return sum === order[field] || isFree ? [] : [`${field} ${order[field]}, but its lines add up to ${sum}`];
}

/** The discount is in proportion to the prices of the lines; rounding moves a share by less than one step. */
function discountProblems({ lines, subtotal, discount, currency }: Order): string[] {
  return lines.flatMap((line) => {
    const exact = subtotal === 0 ? 0 : (discount * line.totalPrice) / subtotal;
    const isShare = isWithin(line.discount, exact, smallestPayableStep(currency));
    return isShare
      ? []
      : [`discount ${line.discount} of a line, but its share of the discount is ${exact} before rounding`];
  });
}

/** Tax is rounded once per rate, so the sum of a rate differs by half a step at most, and a line by one step more. */
function rateProblems({ lines, tax: orderTax, taxBps, taxSetByStaff, currency }: Order): string[] {
  if (taxBps === undefined || taxSetByStaff) return [];
  const step = smallestPayableStep(currency);
  const taxed = lines.map((line) => {
    const rate = line.taxBps ?? taxBps;
    const { tax } = line;
    return { rate, tax, exactTax: ((line.totalPrice - line.discount) * rate) / 10_000 };
  });
  const groups = [...new Set(taxed.map(({ rate }) => rate))].map((rate) => {
    const sameRate = taxed.filter((line) => line.rate === rate);
    return { rate, sameRate, tax: sumOf(sameRate, 'tax'), exactTax: sumOf(sameRate, 'exactTax') };
  });
  // Older orders do not store whether staff set the tax: only their allocation to the lines is checked.
  const taxByRates = groups.reduce((sum, { exactTax }) => sum + Math.round(exactTax), 0);
  if (taxSetByStaff === undefined && orderTax !== taxByRates) return [];
  return groups.flatMap(({ rate, sameRate, tax, exactTax }) => {
    if (!isWithin(tax, exactTax, step / 2)) return [rateProblem('its lines', rate, tax, exactTax)];
    return sameRate
      .filter((line) => !isWithin(line.tax, line.exactTax, step * 1.5))
      .map((line) => rateProblem('a line', rate, line.tax, line.exactTax));
  });
}

const rateProblem = (subject: string, rate: number, tax: number, exactTax: number): string =>
  `tax ${tax} of ${subject} at ${rate} basis points, but that is ${exactTax} before rounding`;

const sumOf = <Key extends string>(items: readonly Record<Key, number>[], key: Key): number =>
  items.reduce((sum, item) => sum + item[key], 0);

/** Tolerates the error of floating point numbers: the audit reports wrong money, not the last bit. */
const isWithin = (amount: number, exact: number, distance: number): boolean =>
  Math.abs(amount - exact) <= distance + Math.abs(exact) * 1e-12;

const openAttemptStates: ReadonlySet<PaymentAttemptSummary['state']> = new Set(['NEW', 'OPEN', 'PROCESSING']);

/** Payments in another currency or of another amount than the order owes, and orders that the gateway marked as paid without a captured payment. */
export function findOrderPaymentProblems(order: Order, attempts: readonly PaymentAttemptSummary[]): string[] {
  const foreign = attempts.filter(
    ({ state, currency }) => state !== 'CLOSED' && state !== 'RETURNED' && currency !== order.currency,
  );
  const due = computeAmountDue(order);
  const unowed = attempts.filter(({ state, amount }) => openAttemptStates.has(state) && amount !== due);
  const paid = order.paymentStatus.at(-1);
  const isPaidHere = order.paymentMethod !== undefined || attempts.length > 0;
  // Staff record payments that were made outside the gateway, and a free order owes what they add.
  const isUnfounded =
    currentStatus(order.paymentStatus) === 'PAID' &&
    paid?.changedBy !== 'USER' &&
    isPaidHere &&
    !isFreeOrder(order);
  return [
    ...foreign.map(
      ({ reference, currency }) =>
        `currency ${order.currency}, but its payment attempt ${reference} is in ${currency}`,
    ),
    ...unowed.map(
      ({ reference, amount }) =>
        `owes ${Math.max(0, due)}, but its payment page ${reference} asks for ${amount}`,
    ),
    ...(isUnfounded && order.captured === 0 && order.total > 0
      ? [`is PAID, but nothing of its total ${order.total} was captured`]
      : []),
  ];
}
