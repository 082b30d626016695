/** An import whose process is killed resumes in another process and imports every line once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { resumeBulkJob } from '../../src/domains/bulk/lifecycle/run-operation.ts';
import { jsonl, readBulk, startBulk } from '../bulk/setup.ts';
import { TestApp } from '../support/app.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { startGateway } from '../support/gateway-process.ts';

it('imports every line once although the process is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-bulk-'));
  const env = { DATABASE_URL: await auditedDatabaseUrl(), MEDIA_DIR: folder };
  const db = await openDb({ url: env.DATABASE_URL });
  const t = new TestApp(
    await createApp({ config: readConfig(env), db, log: pino({ level: 'silent' }) }),
    db,
    [],
  );
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });
  const shop = await t.shop();
  const size = 800;
  // Lines have no slug, so that a line imported twice would create a second product.
  const content = jsonl(...Array.from({ length: size }, (_, index) => ({ name: `Product ${index}` })));
  const { id } = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS', content });
  const gateway = await startGateway(env);
  try {
    await expect.poll(async () => (await readBulk(t, shop, id)).done).toBeGreaterThan(50);
  } finally {
    await gateway.kill();
  }
  const { done, state } = await readBulk(t, shop, id);
  expect([state, done < size]).toEqual(['RUNNING', true]);
  // Gateways run this job at start and every minute.
  await resumeBulkJob.run(t.app.services, {});
  await t.app.drainJobs();
  expect(await readBulk(t, shop, id)).toMatchObject({
    state: 'COMPLETED',
    done: size,
    failed: 0,
    total: size,
  });
  const [names] = await db.sql<{ all: number; different: number }>(
    'select count(*) as all, count(distinct name) as different from products where business_id = $1',
    [shop.businessId],
  );
  expect(names).toEqual({ all: size, different: size });
});
