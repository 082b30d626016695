/** Clients that a breaking change affects, derived from usage statistics. */
import { expect, it } from 'vitest';
import { findAffectedClients } from '../../scripts/contract/affected-clients.ts';
import { type BreakingChange, formatReport } from '../../scripts/contract/breaking-changes.ts';
import type { UsageSummary } from '../../src/domains/usage/read-api-usage.ts';

const schema = `
  enum Status { ON OFF }
  input Deep { status: Status  size: Int }
  input In { deep: [Deep!]  name: String  old: Int @deprecated(reason: "x") }
  type Thing { name: String  status: Status }
  type Query { thing(id: ID, in: In): Thing  other(deep: Deep): Int  plain: Int }`;
const usage = (client: string, kind: UsageSummary['kind'], name: string, calls: number): UsageSummary => ({
  ...{ client, kind, name, calls },
  lastAt: 1,
});
const items: UsageSummary[] = [
  usage('app', 'FIELD', 'Thing.name', 40),
  usage('app', 'FIELD', 'Query.thing', 50),
  usage('app', 'FIELD', 'Query.thing.in', 7),
  usage('app', 'OPERATION', 'Mine', 50),
  usage('till', 'ROW', 'GET /v1/things', 3),
  usage('till', 'FIELD', 'In.old', 2),
  usage('web', 'FIELD', 'Query.other.deep', 1),
  usage('web', 'FIELD', 'Thing.names', 1),
  { ...usage('k1', 'FIELD', 'Thing.status', 9), userId: 'u', userName: 'Ann', keyName: 'Stock' },
];
const breakingChange = (coordinate: string, rest: string[] = [], stored: string[] = []): BreakingChange => ({
  ...{ coordinate, messages: new Set([`${coordinate} goes.`]) },
  ...{ rest: new Set(rest), stored: new Set(stored) },
});

it.each([
  ['Thing.name', ['app: 40 calls in 30 days'], []],
  ['Thing.name', ['app: 40 calls in 30 days', 'till: 3 calls in 30 days'], ['GET /v1/things']],
  [
    'Thing',
    ['app: 40 calls in 30 days', 'key k1 "Stock" of Ann: 9 calls in 30 days', 'web: 1 call in 30 days'],
    [],
  ],
  ['Query.thing.id', [], []],
  ['Query.plain', [], []],
  ['In.old', ['till: 2 calls in 30 days'], []],
  ['In.name', ['app: 7 calls in 30 days'], []],
  ['Deep.size', ['app: 7 calls in 30 days', 'web: 1 call in 30 days'], []],
  [
    'Status.OFF',
    ['key k1 "Stock" of Ann: 9 calls in 30 days', 'app: 7 calls in 30 days', 'web: 1 call in 30 days'],
    [],
  ],
  ['GET /v1/things', ['till: 3 calls in 30 days'], ['GET /v1/things']],
])('a removal of %s affects %j', (coordinate, expected, rest) => {
  expect(findAffectedClients({ days: 30, items }, { schema })(breakingChange(coordinate, rest))).toEqual(
    expected,
  );
});

it('counts clients of a stored operation by its name, and adds them to the report', () => {
  const clients = findAffectedClients({ days: 30, items }, { schema });
  expect(
    formatReport([breakingChange('stored Mine', [], ['Mine']), breakingChange('Query.plain')], 'v1', clients),
  ).toBe(
    `BREAKING  stored Mine goes.
  GraphQL    none
  REST       none
  Stored     Mine
  Clients    app: 50 calls in 30 days

BREAKING  Query.plain goes.
  GraphQL    Query.plain
  REST       none
  Stored     none
  Clients    none

2 changes break clients of v1.`,
  );
});
