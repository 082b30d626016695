/** Restore guard: a database that is restored with other content under the same versions is detected without a restart. */
import pg from 'pg';
import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { TestApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { testDatabaseUrl } from '../support/database.ts';

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function administer(statements: readonly string[]): Promise<void> {
  const url = new URL(inject('postgresTemplate'));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Database of the demo business, whose first product has this name. */
async function prepareDatabase(name: string): Promise<string> {
  const url = await testDatabaseUrl();
  const db = await openDb({ url });
  await seedDemo(db);
  await db.write('update products set name = $1 where slug = $2', [name, 'stoneware-cup']);
  await db.close();
  return url;
}

it('reads from a read-only server, and registers its identity once it accepts writes', async () => {
  const url = await prepareDatabase('Resting');
  const name = nameOf(url);
  await administer([`alter database ${name} set default_transaction_read_only = on`]);
  const db = await openDb({ url });
  expect(await db.sql("select slug from products where slug = 'stoneware-cup'")).toEqual([
    { slug: 'stoneware-cup' },
  ]);
  await db.close();
  await administer([`alter database ${name} reset default_transaction_read_only`]);
  const reopened = await openDb({ url });
  const [row] = await reopened.sql<{ identity: string | null }>('select identity from lineage');
  expect(row?.identity).toMatch(/^\d+ /);
  await reopened.close();
});

it('assigns versions that were never used after the database was copied', async () => {
  const url = await prepareDatabase('Copied');
  const name = nameOf(url);
  await administer([`create database ${name}_copy template ${name}`]);
  const incrementVersion = async (databaseUrl: string) => {
    const db = await openDb({ url: databaseUrl });
    const statement = `update products set version = version + 1 where slug = $1 returning version`;
    const [row] = await db.write<{ version: number }>(statement, ['stoneware-cup']);
    await db.close();
    return row?.version ?? 0;
  };
  expect([await incrementVersion(url), await incrementVersion(url)]).toEqual([2, 3]);
  const [first, second] = [await incrementVersion(`${url}_copy`), await incrementVersion(`${url}_copy`)];
  expect(first).toBeGreaterThan(1_000_000);
  expect(second).toBe(first + 1);
  // A version above the clock, of a record that changes often: lost versions are skipped all the same.
  const direct = new pg.Client({ connectionString: `${url}_copy` });
  await direct.connect();
  await direct.query(`update products set version = 1000000000 where slug = 'stoneware-cup'`);
  await direct.query(`update lineage set identity = 'another'`);
  await direct.end();
  expect(await incrementVersion(`${url}_copy`)).toBeGreaterThan(1_000_100_000);
  await administer([`drop database ${name}_copy`]);
});

it('discards cached records of the previous database', async () => {
  const [now, restored] = [await prepareDatabase('Before'), await prepareDatabase('After')];
  const db = await openDb({ url: now });
  const app = new TestApp(
    await createApp({ config: readConfig({}), db, log: pino({ level: 'silent' }) }),
    db,
    [],
  );
  const guest = await app.guest();
  const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products/stoneware-cup`;
  const read = () => app.rest<{ name: string; version: number }>('GET', path, { as: guest });
  const first = await read();
  expect((await read()).body).toMatchObject({ name: 'Before', version: first.body.version });

  const [current, other] = [nameOf(now), nameOf(restored)];
  await administer([
    `alter database ${current} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${current}'`,
    `alter database ${current} rename to ${current}_old`,
    `alter database ${other} rename to ${current}`,
  ]);
  // Requests during the disconnect may fail.
  await expect.poll(async () => (await read()).status).toBe(200);
  expect((await read()).body).toMatchObject({ name: 'After', version: first.body.version });
  expect(await auditFindings(app.app.services)).toEqual([]);
  await db.close();
  await administer([`drop database ${current}_old`]);
});
