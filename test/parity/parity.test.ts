/** Two voices, one answer: every row and its operation, for every kind of viewer, on equal data. */
import { getOperationAST, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError, type ErrorCode, type ErrorDetail } from '../../src/errors.ts';
import { rows } from '../../src/generated/domains/rows.ts';
import { coerceVariables, type VariableTypes, variableTypes } from '../../src/graphql/coerce.ts';
import { schema } from '../../src/graphql/schema.ts';
import { dropNulls, errorBody } from '../../src/rest/body.ts';
import { compileRow } from '../../src/rest/compile.ts';
import type { Row } from '../../src/rest/row.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { domains, samples } from './samples/index.ts';
import { changes, type Snapshot, Snapshots, withoutSecrets } from './snapshot.ts';
import { createWorld, type Sample, type Viewer, viewerNames, type World } from './world.ts';

/** Equal data means equal ids too: the same request makes the same ones in either voice. */
const made = vi.hoisted(() => ({ ids: 0 }));
vi.mock('../../src/lib/ids.ts', async (original) => ({
  ...(await original<typeof import('../../src/lib/ids.ts')>()),
  newId: () => `01999999-0000-7000-8000-${(++made.ids).toString(16).padStart(12, '0')}`,
}));

let t: TestApp;
let world: World;
let snapshots: Snapshots;
let start: Snapshot;
let idsAtStart: number;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  world = await createWorld(t, domains);
  snapshots = await Snapshots.of(t.db);
  await t.db.sql('delete from pgboss.job', []);
  start = await snapshots.take();
  idsAtStart = made.ids;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterAll(() => vi.useRealTimers());

interface Outcome {
  status: number;
  body: unknown;
  change: ReturnType<typeof changes>;
}

async function onEqualData(ask: () => Promise<Omit<Outcome, 'change'>>): Promise<Outcome> {
  made.ids = idsAtStart;
  const { status, body } = await ask();
  const after = await snapshots.take();
  await snapshots.restore(start, after);
  if (after.sessions?.length !== start.sessions?.length) await reviveSessions();
  return {
    status,
    body: JSON.parse(withoutSecrets(JSON.stringify(body))),
    change: changes(start, after),
  };
}

/** What was ended is known in memory too. */
async function reviveSessions(): Promise<void> {
  await t.db.sql('delete from revoked_sessions', []);
  await t.app.services.revocations.reload();
}

function addressOf(row: Row, { path = {}, query = {} }: Sample): string {
  const filled = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = searchOf(query);
  return search === '' ? filled : `${filled}?${search}`;
}

const searchOf = (query: NonNullable<Sample['query']>) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

const inRest = (row: Row, sample: Sample, as: Person | undefined) =>
  onEqualData(async () => {
    const withBody = row.method === 'POST' || row.method === 'PUT';
    const { status, body } = await t.rest<unknown>(row.method, addressOf(row, sample), {
      as,
      // Some addresses show browsers a page.
      headers: { accept: 'application/json', 'x-request-id': 'parity' },
      ...(withBody ? { body: sample.body ?? {} } : {}),
    });
    return { status, body };
  });

/** The same request as a GraphQL client makes it, with the answer told in REST's words. */
const inGraphql = (row: Row, { path = {}, query = {}, body = {} }: Sample, as: Person | undefined) =>
  onEqualData(async () => {
    const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, path[name] ?? '']);
    const compiled = compileRow(row, typesOf(row));
    const raw = compiled.variables({
      path: Object.fromEntries(names),
      query: searchOf(query),
      body,
      ifMatch: undefined,
    });
    const answer = await t.graphql(row.operation.source, knownVariables(row, raw), { as });
    const [error] = answer.errors;
    const shown = error
      ? failure(error.extensions.code as ErrorCode, error.message, error.extensions.details)
      : compiled.answer(answer.data);
    dropNulls(shown);
    if (shown === null || shown === undefined)
      return { status: 404, body: failure('NOT_FOUND', `${row.missing} not found.`, []) };
    return { status: error ? -1 : 200, body: shown };
  });

/** REST passes over fields that an input does not have; a GraphQL client does not send them. */
const knownVariables = (row: Row, raw: Record<string, unknown>) =>
  coerceVariables(typesOf(row), raw, { strict: false }).variables;

function typesOf(row: Row): VariableTypes {
  const operation = getOperationAST(parse(row.operation.source), row.operation.name);
  if (!operation) throw new Error(`No operation ${row.operation.name}.`);
  return variableTypes(schema, operation);
}

const failure = (code: ErrorCode, message: string, details: ErrorDetail[]) =>
  errorBody(new AppError(code, message, { details }), 'parity');

const report: Record<string, Partial<Record<Viewer, number>>> = {};

it('has a sample for every row', () => {
  const lacking = rows.filter((row) => !samples[row.operation.name]).map((row) => row.operation.name);
  expect(lacking, 'add these to test/parity/samples').toEqual([]);
});

const nameOf = (row: Row) => `${row.method} ${row.path}`;

describe.each(rows.map((row) => [nameOf(row), row] as const))('%s', (name, row) => {
  it.each(viewerNames)('as %s', async (viewer) => {
    const sample = samples[row.operation.name]?.(world) ?? {};
    const as = world.viewers[viewer];
    const rest = await inRest(row, sample, as);
    const graphql = await inGraphql(row, sample, as);
    report[name] = { ...report[name], [viewer]: rest.status };
    expect({ body: graphql.body, change: graphql.change }).toEqual({ body: rest.body, change: rest.change });
    if (graphql.status !== -1) expect(graphql.status).toBe(rest.status);
    if (rest.status !== 200) expect(rest.change).toEqual({});
  });
});

it('means something: the admin succeeds', () => {
  const odd = rows.filter((row) => {
    const expected = samples[row.operation.name]?.(world).adminGets ?? 200;
    return report[nameOf(row)]?.admin !== expected;
  });
  expect(odd.map(nameOf)).toEqual([]);
});

afterAll(() => {
  const width = Math.max(...Object.keys(report).map((name) => name.length));
  const cells = (statuses: Partial<Record<Viewer, number>>) =>
    viewerNames.map((viewer) => String(statuses[viewer] ?? '-').padStart(Math.max(6, viewer.length)));
  const head = viewerNames.map((viewer) => viewer.padStart(Math.max(6, viewer.length)));
  const lines = [
    `${'REST and GraphQL agree'.padEnd(width)}  ${head.join('  ')}`,
    ...Object.entries(report).map(
      ([name, statuses]) => `${name.padEnd(width)}  ${cells(statuses).join('  ')}`,
    ),
  ];
  console.log(lines.join('\n'));
});
