/** Response examples of the OpenAPI document contradict neither themselves nor the rules of the gateway. */
import { expect, it } from 'vitest';
import { makeExampleConsistent } from '../../scripts/openapi/consistent-example.ts';
import { contract } from '../support/contract-check.ts';

type Json = { [name: string]: unknown };

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Found {
  path: string;
  example: Json;
}

function recordsIn(value: unknown, path: string): Found[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => recordsIn(item, `${path}.${index}`));
  if (!isRecord(value)) return [];
  return [
    { path, example: value },
    ...Object.entries(value).flatMap(([name, part]) => recordsIn(part, `${path}.${name}`)),
  ];
}

const records = Object.entries(contract.paths as Json).flatMap(([path, methods]) =>
  Object.entries(methods as Json).flatMap(([method, operation]) =>
    Object.values(((operation as Json).responses ?? {}) as Json).flatMap((response) => {
      const content = ((response as Json).content ?? {}) as Json;
      const { example } = (content['application/json'] ?? {}) as Json;
      return recordsIn(example, `${method} ${path}`);
    }),
  ),
);

const num = (example: Json, name: string) => Number(example[name] ?? 0);
const lastOf = (list: unknown) => (Array.isArray(list) ? (list.at(-1) as Json | undefined) : undefined);

const contradictions: Readonly<Record<string, (example: Json) => boolean>> = {
  'totals do not add up': (example) =>
    'subtotal' in example &&
    'total' in example &&
    num(example, 'total') !==
      num(example, 'subtotal') + num(example, 'tax') + num(example, 'shipping') - num(example, 'discount'),
  'lines do not add up to the subtotal': (example) =>
    Array.isArray(example.lines) &&
    'subtotal' in example &&
    num(example, 'subtotal') !==
      (example.lines as Json[]).reduce((sum, line) => sum + num(line, 'totalPrice'), 0),
  'a line does not add up': (example) =>
    'unitPrice' in example &&
    'totalPrice' in example &&
    num(example, 'totalPrice') !== num(example, 'unitPrice') * num(example, 'quantity'),
  'more was returned than bought': (example) =>
    'returnedQuantity' in example && num(example, 'returnedQuantity') > num(example, 'quantity'),
  'more is due or refunded than the total': (example) =>
    'total' in example && num(example, 'refunded') + num(example, 'amountDue') > num(example, 'total'),
  'the status is not the last one of the history': (example) =>
    typeof example.status === 'string' &&
    lastOf(example.statuses) !== undefined &&
    lastOf(example.statuses)?.status !== example.status,
  'it is completed and still to be paid': (example) =>
    'checkoutUrl' in example && example.status === 'COMPLETED',
  'it ends before it begins': (example) =>
    ['updatedAt', 'expiresAt', 'deliveredAt', 'decidedAt', 'refundedAt'].some(
      (name) => 'createdAt' in example && name in example && num(example, name) < num(example, 'createdAt'),
    ) ||
    ('startsAt' in example && 'endsAt' in example && num(example, 'endsAt') <= num(example, 'startsAt')),
};

it.each(Object.entries(contradictions))('in no example %s', (_name, isContradiction) => {
  expect(records.length).toBeGreaterThan(500);
  expect(records.filter(({ example }) => isContradiction(example)).map(({ path }) => path)).toEqual([]);
});

it('finds each contradiction in a planted example', () => {
  const planted: Json[] = [
    { subtotal: 1, tax: 1, total: 1 },
    { lines: [{ totalPrice: 1 }], subtotal: 2, total: 2 },
    { unitPrice: 2, quantity: 2, totalPrice: 2 },
    { quantity: 1, returnedQuantity: 2 },
    { total: 1, refunded: 1, amountDue: 1 },
    { status: 'A', statuses: [{ status: 'A' }, { status: 'B' }] },
    { checkoutUrl: 'x', status: 'COMPLETED' },
    { createdAt: 2, updatedAt: 1 },
  ];
  expect(
    Object.values(contradictions).map((isContradiction, index) => isContradiction(planted[index] ?? {})),
  ).toEqual(planted.map(() => true));
});

it('corrects an order with one value for every amount', () => {
  const line = { quantity: 2, unitPrice: 1000, totalPrice: 1000, discount: 1000, tax: 1000, taxBps: 1 };
  const sums = { subtotal: 1000, tax: 1000, shipping: 1000, discount: 1000, total: 1000 };
  expect(makeExampleConsistent({ lines: [line], ...sums })).toEqual({
    lines: [{ quantity: 2, unitPrice: 1000, totalPrice: 2000, discount: 0, tax: 165, taxBps: 825 }],
    ...{ subtotal: 2000, tax: 165, shipping: 590, discount: 0, total: 2755 },
  });
});
