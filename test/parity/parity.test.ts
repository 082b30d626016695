/** Two voices, one answer: every row and its operation, for every kind of viewer, on equal data. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { apiVersions } from '../../src/rest/api-versions.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { type Ask, inGraphql, inRest } from '../support/voices.ts';
import { changes, type Snapshot, Snapshots, withoutSecrets } from './database-snapshot.ts';
import { createWorld, type Sample, type Viewer, viewerNames, type World } from './fixtures.ts';
import { domains, samples } from './samples/index.ts';

/** Equal data means equal ids too: the same request makes the same ones in either voice. */
const made = vi.hoisted(() => {
  // Sources that other files have loaded would go on with the true ids, and those that are loaded here with ours.
  vi.resetModules();
  return { ids: 0 };
});
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
afterAll(() => {
  vi.useRealTimers();
  vi.doUnmock('../../src/lib/ids.ts');
  vi.resetModules();
});

interface Outcome {
  status: number;
  body: unknown;
  change: ReturnType<typeof changes>;
}

/** What only reads needs no second look. */
const writes = /\b(insert|update|delete|truncate|merge|lock|nextval|setval)\b/i;

async function onEqualData(ask: () => Promise<Omit<Outcome, 'change'>>): Promise<Outcome> {
  made.ids = idsAtStart;
  t.statements.length = 0;
  const { status, body } = await ask();
  if (!t.statements.some((text) => writes.test(text))) return { status, body: told(body), change: {} };
  const after = await snapshots.take();
  await snapshots.restore(start, after);
  if (after.sessions?.length !== start.sessions?.length) await reviveSessions();
  return { status, body: told(body), change: changes(start, after) };
}

const told = (body: unknown): unknown => JSON.parse(withoutSecrets(JSON.stringify(body)));

/** What was ended is known in memory too, and may come to be known later. */
async function reviveSessions(): Promise<void> {
  const { revocations } = t.app.services;
  // Notices come in their order: when this one is there, nothing is on its way any more.
  await t.db.sql(`select pg_notify('duet_revoked', 'the last')`, []);
  while (!revocations.has('the last')) await sleep(1);
  await t.db.sql('delete from revoked_sessions', []);
  await revocations.reload();
}

const asked = (ask: Ask, row: RestRoute, sample: Sample, as: Person | undefined, headers = {}) =>
  onEqualData(() => ask(t, row, sample, as, headers));

const report: Record<string, Partial<Record<Viewer, number>>> = {};
/** What the newest wire says, by row and viewer. */
const newest = new Map<string, Outcome>();

it('has a sample for every row', () => {
  const lacking = routes.filter((row) => !samples[row.operation.name]).map((row) => row.operation.name);
  expect(lacking, 'add these to test/parity/samples').toEqual([]);
});

const nameOf = (row: RestRoute) => `${row.method} ${row.path}`;

const today = apiVersions.at(-1) ?? '';

describe.each(routes.map((row) => [nameOf(row), row] as const))('%s', (name, row) => {
  it.each(viewerNames)('as %s', async (viewer) => {
    const sample = samples[row.operation.name]?.(world) ?? {};
    const as = world.viewers[viewer];
    // Who does not say which wire they speak speaks the newest: every other viewer says so.
    const headers = viewerNames.indexOf(viewer) % 2 === 0 ? {} : { 'x-duet-version': today };
    const rest = await asked(inRest, row, sample, as, headers);
    const graphql = await asked(inGraphql, row, sample, as);
    report[name] = { ...report[name], [viewer]: rest.status };
    newest.set(`${viewer} ${name}`, rest);
    expect(graphql).toEqual(rest);
    if (rest.status !== 200) expect(rest.change).toEqual({});
  });
});

/** What a date tells otherwise than today; undefined: it is the same. */
const differences: Record<string, (told: Record<string, unknown>, status: number) => unknown> = {
  '2026-11-01': ({ requestId: _today, ...failure }, status) => (status === 200 ? undefined : failure),
};

describe.each(apiVersions.filter((date) => date !== today))('the wire of %s', (date) => {
  const headers = { 'x-duet-version': date };
  const expectedOf = ({ status, body, change }: Outcome) => ({
    status,
    body: differences[date]?.(body as Record<string, unknown>, status) ?? body,
    change,
  });

  it.each(viewerNames)(
    'says and does the same as the newest, but for its differences, to %s',
    async (viewer) => {
      const as = world.viewers[viewer];
      const wrong: object[] = [];
      for (const row of routes) {
        const known = newest.get(`${viewer} ${nameOf(row)}`);
        const sample = samples[row.operation.name]?.(world) ?? {};
        const answered = JSON.stringify(await asked(inRest, row, sample, as, headers));
        const expected = known && JSON.stringify(expectedOf(known));
        if (answered !== expected) wrong.push({ row: nameOf(row), answered, expected });
      }
      expect(wrong).toEqual([]);
    },
  );
});

it('means something: the admin succeeds', () => {
  const odd = routes.filter((row) => {
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
