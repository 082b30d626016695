/** Parity of REST and GraphQL: every route and its operation, for every kind of viewer, on equal data. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { openDb } from '../../src/db/open-db.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { apiVersions, defaultApiVersion } from '../../src/rest/api-versions.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { databaseUrlOf, onPostgres } from '../support/database.ts';
import { callInRest, callTranslated, type RouteCaller } from '../support/protocol-clients.ts';
import { changes, reviveSessions, type Snapshot, Snapshots, withoutSecrets } from './database-snapshot.ts';
import { createWorld, type Sample, type Viewer, viewerNames, type World } from './fixtures.ts';
import { domains, samples } from './samples/index.ts';

/** Generated ids are deterministic, so that the same request creates the same ids in both protocols. */
const generated = vi.hoisted(() => {
  // Reset, so that all modules of this file are loaded with the mocked ids.
  vi.resetModules();
  return { ids: 0 };
});
vi.mock('../../src/lib/ids.ts', async (original) => ({
  ...(await original<typeof import('../../src/lib/ids.ts')>()),
  newId: () => `01999999-0000-7000-8000-${(++generated.ids).toString(16).padStart(12, '0')}`,
}));

let t: TestApp;
let world: World;
let restoringDb: Db;
let snapshots: Snapshots;
let start: Snapshot;
let idsAtStart: number;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  world = await createWorld(t, domains);
  restoringDb = onPostgres ? await openDb({ url: await databaseUrlOf(t.db) }) : t.db;
  snapshots = await Snapshots.of(t.db, restoringDb);
  await t.db.write('delete from pgboss.job', []);
  start = await snapshots.take();
  idsAtStart = generated.ids;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterAll(async () => {
  if (restoringDb !== t.db) await restoringDb.close();
  vi.useRealTimers();
  vi.doUnmock('../../src/lib/ids.ts');
  vi.resetModules();
});

interface Outcome {
  status: number;
  body: unknown;
  change: ReturnType<typeof changes>;
}

/** Statements that write; a request without one needs no snapshot. */
const writes = /\b(insert|update|delete|truncate|merge|lock|nextval|setval)\b/i;

async function onEqualData(ask: () => Promise<Omit<Outcome, 'change'>>): Promise<Outcome> {
  generated.ids = idsAtStart;
  t.statements.length = 0;
  const { status, body } = await ask();
  if (!t.statements.some((text) => writes.test(text)))
    return { status, body: withoutRandomValues(body), change: {} };
  const after = await snapshots.take(start);
  await snapshots.restore(start, after);
  if (after.sessions?.length !== start.sessions?.length) await reviveSessions(t);
  return { status, body: withoutRandomValues(body), change: changes(start, after) };
}

const withoutRandomValues = (body: unknown): unknown => JSON.parse(withoutSecrets(JSON.stringify(body)));

const runSample = (
  ask: RouteCaller,
  route: RestRoute,
  sample: Sample,
  as: Person | undefined,
  headers = {},
) => onEqualData(() => ask(t, route, sample, as, headers));

const report: Record<string, Partial<Record<Viewer, number>>> = {};
/** Results of the default API version, by viewer and route. */
const defaults = new Map<string, Outcome>();

it('has a sample for every route', () => {
  const missing = routes
    .filter((route) => !samples[route.operation.name])
    .map((route) => route.operation.name);
  expect(missing, 'add these to test/parity/samples').toEqual([]);
});

const nameOf = (route: RestRoute) => `${route.method} ${route.path}`;

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (name, route) => {
  it.each(viewerNames)('as %s', async (viewer) => {
    const sample = samples[route.operation.name]?.(world) ?? {};
    const as = world.viewers[viewer];
    // Without the header the default version applies: every other viewer sends it.
    const headers = viewerNames.indexOf(viewer) % 2 === 0 ? {} : { 'x-duet-version': defaultApiVersion };
    const rest = await runSample(callInRest, route, sample, as, headers);
    // Translated from the text of the request, as the page `/migrate` does.
    const graphql = await runSample(callTranslated, route, sample, as);
    report[name] = { ...report[name], [viewer]: rest.status };
    defaults.set(`${viewer} ${name}`, rest);
    expect(graphql).toEqual(rest);
    if (rest.status !== 200) expect(rest.change).toEqual({});
  });
});

type Reply = Omit<Outcome, 'change'>;
type Failure = Record<string, unknown>;

/** Response of another API version, computed from that of the default version. */
const differences: Record<string, (reply: Reply, route: RestRoute) => Reply> = {
  '2026-11-01': ({ status, body }) => {
    const { requestId: _today, ...failure } = body as Failure;
    return { status, body: status === 200 ? body : failure };
  },
  '2026-11-18': ({ status, body }, { creates }) => {
    if (status === 200) return { status: creates ? 201 : 200, body };
    const { validationErrors: _copy, ...failure } = body as Failure;
    return { status, body: failure };
  },
};

describe.each(apiVersions.filter((date) => date !== defaultApiVersion))('API version %s', (date) => {
  const headers = { 'x-duet-version': date };
  const expectedOf = ({ change, ...reply }: Outcome, route: RestRoute) => ({
    ...(differences[date]?.(reply, route) ?? reply),
    change,
  });
  /** Versions differ by response, so equal outcomes of other viewers are not repeated. */
  const compared = new Set<string>();

  it.each(viewerNames)(
    'behaves like the default version, except for its differences, for %s',
    async (viewer) => {
      const as = world.viewers[viewer];
      const mismatches: object[] = [];
      for (const route of routes) {
        const outcome = defaults.get(`${viewer} ${nameOf(route)}`);
        const key = `${nameOf(route)} ${JSON.stringify({ ...outcome, change: {} })}`;
        if (compared.has(key)) continue;
        compared.add(key);
        const sample = samples[route.operation.name]?.(world) ?? {};
        const actual = JSON.stringify(await runSample(callInRest, route, sample, as, headers));
        const expected = outcome && JSON.stringify(expectedOf(outcome, route));
        if (actual !== expected) mismatches.push({ route: nameOf(route), actual, expected });
      }
      expect(mismatches).toEqual([]);
    },
  );
});

it('runs successful requests: the admin succeeds', () => {
  const unexpected = routes.filter((route) => {
    const expected = samples[route.operation.name]?.(world).adminStatus ?? 200;
    return report[nameOf(route)]?.admin !== expected;
  });
  expect(unexpected.map(nameOf)).toEqual([]);
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
