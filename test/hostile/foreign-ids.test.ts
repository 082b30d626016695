/** Every operation of a REST route, by the administrator of another business who names their own business and all other ids of the victim. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { openDb } from '../../src/db/open-db.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { type Snapshot, Snapshots } from '../parity/database-snapshot.ts';
import { createWorld, type Sample, type World } from '../parity/fixtures.ts';
import { domains, samples } from '../parity/samples/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { databaseUrlOf, onPostgres } from '../support/database.ts';
import { callInGraphql, callInRest } from '../support/protocol-clients.ts';

let t: TestApp;
let world: World;
let ownBusinessId: string;
let restoringDb: Db;
let snapshots: Snapshots;
let start: Snapshot;
let victimRows: string[];

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  world = await createWorld(t, domains);
  const attacker = world.viewers['foreign admin'];
  const { businessId } = await t.db.prisma.membership.findFirstOrThrow({
    where: { userId: attacker?.userId ?? '' },
  });
  ownBusinessId = businessId;
  await t.rest('POST', `/v1/businesses/${businessId}/markets`, {
    as: attacker,
    body: { code: 'US', currency: 'USD' },
  });
  restoringDb = onPostgres ? await openDb({ url: await databaseUrlOf(t.db) }) : t.db;
  snapshots = await Snapshots.of(t.db, restoringDb);
  await t.db.write('delete from pgboss.job', []);
  start = await snapshots.take();
  victimRows = rowsOfVictim(start);
});
afterAll(async () => {
  if (restoringDb !== t.db) await restoringDb.close();
});

/** The sample with the business of the attacker in place of the victim's, everywhere. */
const aimed = (sample: Sample): Sample =>
  JSON.parse(JSON.stringify(sample).replaceAll(world.shop.businessId, ownBusinessId)) as Sample;

/** Rows that mention the business of the victim. */
const rowsOfVictim = (snapshot: Snapshot) =>
  Object.entries(snapshot).flatMap(([table, rows]) =>
    rows.filter((row) => row.includes(world.shop.businessId)).map((row) => `${table} ${row}`),
  );

/** Ids of the victim's records in rows that the request has added. */
const foreignReferences = (after: Snapshot): string[] => {
  const ids = Object.entries(world.ids).filter(([name]) => name !== 'businessId');
  return Object.entries(after).flatMap(([table, rows]) => {
    if (rows === start[table]) return [];
    const before = new Set(start[table]);
    return rows
      .filter((row) => !before.has(row))
      .flatMap((row) =>
        ids.flatMap(([name, id]) =>
          /^[0-9a-f-]{36}$/.test(id) && row.includes(id) ? [`${table}: ${name}`] : [],
        ),
      );
  });
};

const changing = routes.filter(({ method }) => method !== 'GET');

describe.each([
  ['REST', callInRest],
  ['GraphQL', callInGraphql],
] as const)('over %s', (_protocol, call) => {
  it.each(changing.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_name, route) => {
      const sample = aimed(samples[route.operation.name]?.(world) ?? {});
      const { status } = await call(t, route, sample, world.viewers['foreign admin']);
      expect(status).toBeLessThan(500);
      const after = await snapshots.take(start);
      const [references, rows] = [foreignReferences(after), rowsOfVictim(after)];
      await snapshots.restore(start, after);
      expect(rows).toEqual(victimRows);
      // The samples of account operations contain credentials of a member, such as a refresh token.
      if (!route.path.startsWith('/v1/users/')) expect(references).toEqual([]);
    },
  );
});

it('reads return nothing of another business', async () => {
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const sample = aimed(samples[route.operation.name]?.(world) ?? {});
    const { status, body } = await callInRest(t, route, sample, world.viewers['foreign admin']);
    const text = JSON.stringify(body);
    expect([route.path, status < 500, text.includes(world.shop.businessId)]).toEqual([
      route.path,
      true,
      false,
    ]);
  }
});
