/** What the comparison of a rehearsal finds, what it waits for, and what a rehearsal requires. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { childTables } from '../../src/shards/move/child-rows.ts';
import type { OnMoveProgress } from '../../src/shards/move/copy-and-compare.ts';
import { cancelMove, rehearseMove } from '../../src/shards/move/rehearse-move.ts';
import { buildSubscriptionUrl } from '../../src/shards/move/replication.ts';
import { runDuet } from '../support/cli.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { businessId, listRemains, startTwoServers, type TwoServers } from './two-servers.ts';

let servers: TwoServers;

beforeAll(async () => {
  servers = await startTwoServers();
  return () => servers.gateway.kill();
});

const addresses = () => ({
  businessId,
  homeUrl: servers.source.url,
  source: { name: 'home', url: servers.source.url },
  target: { name: 'second', url: servers.target.url },
});

let pauseMs: number;

/** Findings of a rehearsal during which `plant` runs before the pause. */
async function rehearseWith(plant: () => Promise<unknown>): Promise<string[]> {
  const onProgress: OnMoveProgress = async (text) => {
    if (text === 'pause') await plant();
  };
  const { findings, ...report } = await rehearseMove(addresses(), onProgress);
  pauseMs = report.pauseMs;
  expect(await listRemains(servers)).toEqual([]);
  return findings.map(({ table, problem }) => `${table}: ${problem}`);
}

/** Changes the copy without triggers. */
const changeCopy = (statement: string) =>
  servers.target.query(`set session_replication_role = replica; ${statement}`);

it('fills the business of rows of earlier versions that name only their parent', async () => {
  const countEmpty = async () => {
    const counts = childTables.map(
      (table) => `select '${table}' as name, count(*)::int as count from ${table} where business_id is null`,
    );
    const rows = await servers.source.query<{ name: string; count: number }>(counts.join(' union all '));
    return rows.filter(({ count }) => count > 0).map(({ name }) => name);
  };
  expect(await countEmpty()).toEqual(expect.arrayContaining(['entry_versions', 'payment_attempts']));
  expect(await rehearseWith(async () => {})).toEqual([]);
  expect(await countEmpty()).toEqual([]);
});

it('finds a row that differs, and one that is missing or superfluous', async () => {
  const [product] = await servers.source.query<{ id: string; rows: number }>(
    `select min(id::text) as id, count(*)::int as rows from products where business_id = '${businessId}'`,
  );
  const market = newId();
  expect(
    await rehearseWith(async () => {
      await changeCopy(`update products set version = version + 1 where id = '${product?.id}'`);
      await changeCopy(`delete from order_numbers where business_id = '${businessId}'`);
      await changeCopy(
        `insert into markets (business_id, key, code, currency, tax_bps, created_at, updated_at)
         values ('${businessId}', '${market}', 'X', 'USD', 0, 0, 0)`,
      );
    }),
  ).toEqual([
    expect.stringMatching(/^markets: \d+ rows on home, \d+ on second$/),
    `markets: row (${businessId},${market}) exists on second only`,
    'order_numbers: 1 rows on home, 0 on second',
    `order_numbers: row (${businessId}) exists on home only`,
    `products: ${product?.rows} rows on home, ${product?.rows} on second`,
    `products: row (${product?.id}) differs`,
  ]);
});

it('finds rows that do not name their business', async () => {
  const [attempt] = await servers.source.query<{ id: string }>(
    'select min(id::text) as id from payment_attempts',
  );
  const findings = await rehearseWith(() =>
    servers.source.query(
      `set session_replication_role = replica; update payment_attempts set business_id = null where id = '${attempt?.id}'`,
    ),
  );
  expect(findings).toEqual(['payment_attempts: rows on home do not name their business']);
  expect(await rehearseWith(async () => {})).toEqual([]);
});

it('finds a table that was created during the copy', async () => {
  const create = 'create table late_rows (id int primary key, business_id uuid)';
  const findings = await rehearseWith(async () => {
    await servers.source.query(`${create}; insert into late_rows values (1, '${businessId}')`);
    await servers.target.query(create);
  });
  expect(findings).toEqual([
    'late_rows: is not part of the copy',
    'late_rows: 1 rows on home, 0 on second',
    'late_rows: row (1) exists on home only',
  ]);
  for (const server of [servers.source, servers.target]) await server.query('drop table late_rows');
});

it('waits for a transaction that wrote before the pause', async () => {
  const writer = new pg.Client({ connectionString: servers.source.url });
  await writer.connect();
  let committed: Promise<unknown> | undefined;
  const findings = await rehearseWith(async () => {
    await writer.query(`begin; update businesses set name = 'Written late' where id = '${businessId}'`);
    committed = sleep(700).then(() => writer.query('commit'));
  });
  await committed;
  await writer.end();
  expect(findings).toEqual([]);
  expect(pauseMs).toBeGreaterThan(600);
});

it('names what the servers lack, and changes nothing', async () => {
  const urls = [await testDatabaseUrl(), await testDatabaseUrl({ migrated: false }), await testDatabaseUrl()];
  const env = { DATABASE_URL: urls[0] ?? '', DATABASE_SHARDS: `second=${urls[1]},third=${urls[2]}` };
  const errorOf = async (...args: string[]) => {
    const { code, stderr } = await runDuet(['move', ...args], { env });
    return `${code} ${stderr}`;
  };
  const id = newId();
  expect(await errorOf(id, 'third', '--rehearse', '--cancel')).toMatch(
    /^2 .*only one of --rehearse and --cancel/s,
  );
  expect(await errorOf(id, 'third')).toMatch(/^1 .*Set wal_level = logical on home/s);
  expect(await errorOf('tea', 'third', '--rehearse')).toMatch(/^2 .*BUSINESS must be the id/s);
  expect(await errorOf(id, 'fourth', '--rehearse')).toMatch(
    /^1 .*no server "fourth", only home, second, third/s,
  );
  expect(await errorOf(id, 'home', '--rehearse')).toMatch(/^1 .*on home already/s);
  expect(await errorOf(id, 'second', '--rehearse')).toMatch(
    /^1 .*second lacks migrations\. Run: duet migrate/s,
  );
  expect(await errorOf(id, 'third', '--rehearse')).toMatch(/^1 .*Set wal_level = logical on home/s);
  const unknown = await runDuet(['move', id, 'second', '--rehearse'], { env: servers.env });
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining(`no business ${id} on home`) });
});

it('explains why the other server cannot read from the source', async () => {
  const { source, ...others } = addresses();
  const unreadable = { ...others, source: { ...source, url: `${source.url}?unknown=1` } };
  await expect(rehearseMove(unreadable, () => {})).rejects.toThrow(
    /^second cannot read from home: .*unknown/,
  );
  expect(await listRemains(servers)).not.toEqual([]);
  expect(await cancelMove(addresses())).toBe(true);
  expect(await listRemains(servers)).toEqual([]);
});

it('omits parameters that only Prisma knows from the connection of the other server', () => {
  expect(buildSubscriptionUrl('postgres://u:p@h/d?schema=public&sslmode=require&connection_limit=3')).toBe(
    'postgres://u:p@h/d?sslmode=require',
  );
  expect(buildSubscriptionUrl('postgres://u:p@a,b/d?pgbouncer=true')).toBe('postgres://u:p@a,b/d');
});

it('does not mix a copy with rows that are there already', async () => {
  const insert = `insert into order_numbers (business_id, last, given) values ('${businessId}', 1, 1)`;
  await changeCopy(insert);
  await expect(rehearseWith(async () => {})).rejects.toThrow(
    'second has rows of the business already, in order_numbers.',
  );
  await changeCopy(`delete from order_numbers where business_id = '${businessId}'`);
  expect(await listRemains(servers)).toEqual([]);
});
