/**
 * Two PostgreSQL servers: the first is the home server and has the demo shop, the second has another business. The first is an older
 * version if the system has one.
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
  /** Variables of commands. */
  env: Record<string, string>;
  /** On both servers. */
  gateway: Gateway;
  move(...options: string[]): Promise<ProcessResult>;
}

const gatewayVariables = {
  UNPAID_ORDERS_PER_CUSTOMER: '1000000',
  UNPAID_ORDERS_PER_ADDRESS: '1000000',
  USAGE: 'off',
  REQUEST_LOG: 'off',
};

export async function startTwoServers(): Promise<TwoServers> {
  const [source, target] = await Promise.all([
    startPostgresServer(['wal_level=logical'], findPostgresPrograms()),
    startPostgresServer(['wal_level=logical']),
  ]);
  const env = {
    DATABASE_URL: source.url,
    DATABASE_SHARDS: `second=${target.url}`,
    // A move waits this long for reads on the old server.
    OPERATION_TIMEOUT: '1s',
  };
  const migrated = await runDuet(['migrate'], { env });
  expect(migrated.stderr).toBe('');
  const gateway = await startGateway({
    ...env,
    ...gatewayVariables,
    SEED_DEMO: 'on',
    OPERATION_TIMEOUT: '60s',
  });
  const other = newId();
  await target.query(
    `insert into businesses (id, name, slug, created_at, updated_at) values ('${other}', 'Other', 'other', 0, 0)`,
  );
  await source.query(
    `insert into business_placements (business_id, shard, updated_at) values ('${other}', 'second', 0)`,
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

const tablesOfServers =
  "('business_moves', 'business_placements', 'business_write_fences', 'cache_purges', 'sandbox_payments', 'sandbox_subscriptions')";

/** What copies and moves leave on two servers, of which `source` has the business. */
export async function listRemains({
  source,
  target,
}: Pick<TwoServers, 'source' | 'target'>): Promise<string[]> {
  const names = (server: PostgresServer, statement: string) =>
    server.query<{ name: string }>(statement).then((rows) => rows.map(({ name }) => name));
  const tables = await names(
    target,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not in ${tablesOfServers}`,
  );
  const rows = tables.map(
    (table) =>
      `select 'rows of ${table}' as name where exists (select from ${table} where business_id = '${businessId}')`,
  );
  const ofBothServers = [source, target].map(async (server) => [
    ...(await names(server, `select 'subscription' as name from pg_subscription`)),
    ...(await names(server, `select 'publication' as name from pg_publication`)),
    ...(await names(server, `select 'slot ' || slot_name as name from pg_replication_slots`)),
    ...(await names(
      server,
      `select 'identity of ' || relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relreplident <> 'd'`,
    )),
    ...(await names(
      server,
      `select indexrelid::regclass::text as name from pg_index where indexrelid::regclass::text like '%_move_key'`,
    )),
  ]);
  return [
    ...(await names(target, rows.join(' union all '))),
    ...(await names(target, `select name from businesses where id = '${businessId}'`)),
    ...(await names(
      source,
      `select 'fence' as name from business_write_fences where business_id = '${businessId}'`,
    )),
    ...(await Promise.all(ofBothServers)).flat(),
  ];
}
