/**
 * Two PostgreSQL servers: the first has the demo shop and its gateway, the second has another business. The first is an older version if
 * the system has one.
 */
import { expect } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type ProcessResult, runDuet } from '../support/cli.ts';
import { findPostgresPrograms } from '../support/debian-postgres.ts';
import { type Gateway, startGateway } from '../support/gateway-process.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

export const { businessId } = demoShopIdsAndLogins;

export interface TwoServers {
  source: PostgresServer;
  target: PostgresServer;
  /** Variables of commands. A gateway does not start with them. */
  env: Record<string, string>;
  gateway: Gateway;
  move(...options: string[]): Promise<ProcessResult>;
}

export async function startTwoServers(): Promise<TwoServers> {
  const [source, target] = await Promise.all([
    startPostgresServer(['wal_level=logical'], findPostgresPrograms()),
    startPostgresServer(['wal_level=logical']),
  ]);
  const gateway = await startGateway({
    DATABASE_URL: source.url,
    SEED_DEMO: 'on',
    UNPAID_ORDERS_PER_CUSTOMER: '1000000',
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
  });
  const env = { DATABASE_URL: source.url, DATABASE_SHARDS: `second=${target.url}` };
  const migrated = await runDuet(['migrate'], { env });
  expect(migrated.stderr).toBe('');
  const other = newId();
  await target.query(
    `insert into businesses (id, name, slug, created_at, updated_at) values ('${other}', 'Other', 'other', 0, 0)`,
  );
  await target.query(
    `insert into markets (business_id, key, code, currency, tax_bps, created_at, updated_at)
     values ('${other}', 'us', 'US', 'USD', 0, 0, 0)`,
  );
  return {
    source,
    target,
    env,
    gateway,
    move: (...options) => runDuet(['move', businessId, 'second', ...options], { env }),
  };
}

/** What copies leave on two servers. */
export async function listRemains({ source, target }: TwoServers): Promise<string[]> {
  const names = (server: PostgresServer, statement: string) =>
    server.query<{ name: string }>(statement).then((rows) => rows.map(({ name }) => name));
  const tables = await names(
    target,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  const rows = tables.map(
    (table) =>
      `select 'rows of ${table}' as name where exists (select from ${table} where business_id = '${businessId}')`,
  );
  return [
    ...(await names(target, rows.join(' union all '))),
    ...(await names(target, `select name from businesses where id = '${businessId}'`)),
    ...(await names(target, `select 'subscription' as name from pg_subscription`)),
    ...(await names(source, `select 'publication' as name from pg_publication`)),
    ...(await names(source, `select 'slot ' || slot_name as name from pg_replication_slots`)),
    ...(await names(source, `select 'fence' as name from business_write_fences`)),
    ...(await names(
      source,
      `select 'identity of ' || relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relreplident <> 'd'`,
    )),
    ...(await names(
      source,
      `select indexrelid::regclass::text as name from pg_index where indexrelid::regclass::text like '%_move_key'`,
    )),
  ];
}
