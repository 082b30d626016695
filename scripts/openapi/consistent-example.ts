/**
 * Makes the generated example of a response free of contradictions: sums add up, the current status is the last one, times are in
 * order, and fields that exclude each other do not occur together. Pure.
 */

type Json = { [name: string]: unknown };

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Time of all examples, in Unix seconds. */
const createdAt = 1_767_225_600;
const hour = 3600;

/** Seconds after `createdAt`; other times keep their value. */
const delays: Readonly<Record<string, number>> = {
  updatedAt: hour,
  lastSeenAt: hour,
  lastUsedAt: hour,
  deliveredAt: 48 * hour,
  decidedAt: 72 * hour,
  refundedAt: 73 * hour,
  endsAt: 720 * hour,
  expiresAt: 720 * hour,
};

const taxBps = 825;
const shipping = 590;

export function makeExampleConsistent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(makeExampleConsistent);
  if (!isRecord(value)) return value;
  const parts = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, makeExampleConsistent(part)]),
  );
  return rules.reduce((example, rule) => rule(example), parts);
}

const has = (example: Json, ...names: string[]) => names.every((name) => name in example);

/** Sets only fields that the example has. */
const change = (example: Json, changes: Json): Json => ({
  ...example,
  ...Object.fromEntries(Object.entries(changes).filter(([name]) => name in example)),
});

const without = (example: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)));

const rules: readonly ((example: Json) => Json)[] = [
  (example) =>
    change(
      example,
      Object.fromEntries(Object.entries(delays).map(([name, seconds]) => [name, createdAt + seconds])),
    ),
  // A price that no rule has changed.
  (example) => ('applied' in example ? change(example, { applied: [] }) : example),
  // A line without a discount.
  (example) => {
    if (!has(example, 'quantity', 'unitPrice', 'totalPrice')) return example;
    const quantity = Number(example.quantity);
    const totalPrice = quantity * Number(example.unitPrice);
    return change(example, {
      totalPrice,
      discount: 0,
      taxBps,
      tax: Math.round((totalPrice * taxBps) / 10_000),
      fulfilledQuantity: quantity,
      returnedQuantity: 0,
      returnableQuantity: quantity,
      available: quantity + 10,
      addedPrice: example.unitPrice,
      changes: [],
    });
  },
  // An order that was paid and delivered, or a cart and a quote that can be checked out.
  (example) => {
    if (!has(example, 'lines', 'subtotal', 'total') || !Array.isArray(example.lines)) return example;
    const subtotal = example.lines.reduce((sum, line) => sum + Number((line as Json).totalPrice ?? 0), 0);
    const tax = Math.round((subtotal * taxBps) / 10_000);
    const total = subtotal + tax + shipping;
    const sums = { subtotal, tax, taxBps, shipping, discount: 0, total };
    return without(
      change(example, {
        ...sums,
        captured: total,
        refunded: 0,
        amountDue: 0,
        number: 1001,
        market: 'US',
        shippingMethodId: 'standard',
        returns: [],
        problems: [],
        statuses: withLastStatus(example.statuses, 'DELIVERED'),
        paymentStatus: withLastStatus(example.paymentStatus, 'PAID'),
      }),
      'disputedAt',
      'promoCode',
    );
  },
  // A record with a status and its history.
  (example) => {
    const last = Array.isArray(example.statuses) ? (example.statuses.at(-1) as Json | undefined) : undefined;
    return last && typeof example.status === 'string' ? { ...example, status: last.status } : example;
  },
  // The page of a payment exists only while something is to be paid.
  (example) =>
    has(example, 'checkoutUrl', 'status') && example.status === 'COMPLETED'
      ? without(example, 'status')
      : example,
];

const withLastStatus = (statuses: unknown, status: string) =>
  Array.isArray(statuses)
    ? statuses.map((entry, index) => (index === statuses.length - 1 ? { ...entry, status } : entry))
    : statuses;
