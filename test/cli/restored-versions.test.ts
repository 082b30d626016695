/** After a restore, changed records never reuse a version that clients have already received with other content. */
import '../support/on-pglite.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { backUpEmbeddedDb, restoreEmbeddedDb } from '../../src/db/embedded/backup-and-restore.ts';
import { openDb } from '../../src/db/open-db.ts';
import { TestApp } from '../support/app.ts';
import { testDb } from '../support/database.ts';
import { createTempFolder } from '../support/temp-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await createTempFolder('duet-restored-');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function openApp(dataDir: string): Promise<TestApp> {
  const db = await openDb({ dataDir, template: inject('pgliteTemplate') });
  return new TestApp(await createApp({ config: readConfig({}), db, log: pino({ level: 'silent' }) }), db, []);
}

async function close({ app, db }: TestApp): Promise<void> {
  await app.stop();
  await db.close();
}

it('holds in both protocols, also when the same backup is restored repeatedly', async () => {
  const [dataDir, file] = [join(folder, 'db'), join(folder, 'shop.duet')];
  const first = await openApp(dataDir);
  const { businessId, admin: as } = await first.shop();
  const business = `/v1/businesses/${businessId}`;
  const product = await first.rest<{ id: string }>('POST', `${business}/products`, {
    as,
    body: { name: 'Cup' },
  });
  const hook = { url: 'https://receiver.example/hook', events: ['order.created'] };
  const endpoint = await first.rest<{ id: string }>('POST', `${business}/webhooks`, { as, body: hook });
  const records: [path: string, body: object, readAt?: string][] = [
    [`${business}/products/${product.body.id}`, { name: 'Changed' }],
    [business, { name: 'Changed' }],
    ['/v1/users', { name: 'Changed' }, '/v1/users/me'],
    [`${business}/webhooks/${endpoint.body.id}`, { url: 'https://receiver.example/other' }],
  ];
  const change = (t: TestApp, [path, body]: (typeof records)[0], tag?: string | null) =>
    t.rest<{ version: number }>('PUT', path, { as, body, ...(tag && { headers: { 'if-match': tag } }) });
  await backUpEmbeddedDb(first.db, file);
  const lost = await Promise.all(records.map((record) => change(first, record)));
  expect(lost.map(({ status }) => status)).toEqual(records.map(() => 200));
  await close(first);

  let lastVersions = lost.map(({ body }) => body.version);
  for (const round of [1, 2]) {
    // A second restore of the same backup: the version offset grows by one per second.
    if (round > 1) await new Promise((resolve) => setTimeout(resolve, 4_000));
    await restoreEmbeddedDb(file, dataDir, true);
    const restored = await openApp(dataDir);
    const versions: number[] = [];
    for (const [index, record] of records.entries()) {
      const read = await restored.rest<{ version: number }>('GET', record[2] ?? record[0], { as });
      const changed = await change(restored, record, read.headers.get('etag'));
      expect([record[0], changed.status]).toEqual([record[0], 200]);
      expect(changed.body.version).toBeGreaterThan(lastVersions[index] ?? 0);
      const stale = await change(restored, record, lost[index]?.headers.get('etag'));
      expect(stale.status).toBe(412);
      // The returned version is the stored one, so the next change with its ETag succeeds.
      const next = await change(restored, record, changed.headers.get('etag'));
      expect([next.status, next.body.version]).toEqual([200, changed.body.version + 1]);
      versions.push(next.body.version);
    }
    const renamed = await restored.graphql(
      'mutation ($b: ID!, $id: ID!, $v: Int) { updateProduct(businessId: $b, id: $id, version: $v, input: { name: "V" }) { product { version } } }',
      { b: businessId, id: product.body.id, v: versions[0] },
      { as },
    );
    expect(renamed.data).toEqual({ updateProduct: { product: { version: (versions[0] ?? 0) + 1 } } });
    lastVersions = [(versions[0] ?? 0) + 1, ...versions.slice(1)];
    await close(restored);
  }
});

it('is enforced by a trigger on every table with a version that clients see', async () => {
  const db = await testDb();
  const without = await db.sql(
    `select c.table_name from information_schema.columns c
     where c.table_schema = current_schema() and c.column_name = 'version'
       and c.table_name not in ('entry_versions', 'business_placements') and not exists (
       select from information_schema.triggers t where t.event_object_table = c.table_name and t.trigger_name = 'enforce_min_version')`,
  );
  expect(without).toEqual([]);
});
