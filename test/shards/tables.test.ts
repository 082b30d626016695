/**
 * Every table belongs to a business, and then each row names it, or to the accounts and the platform, and then to the home server. A
 * business can be moved only if nothing else has rows of it.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { accountTables } from '../../src/shards/account-tables.ts';
import { childTables } from '../../src/shards/move/child-rows.ts';
import { testDb } from '../support/database.ts';

/** Each server has its own. */
const serverTables = ['_prisma_migrations', 'lineage', 'outbox_messages', 'signing_keys'];

/** Businesses of other servers have rows here too. */
const directoryTables = ['business_moves', 'business_placements', 'business_write_fences'];

let db: Db;
beforeAll(async () => {
  db = await testDb();
});

it('are all known to belong to businesses, to accounts or to a server', async () => {
  const tables = await db.sql<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> 'businesses'
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped)
     order by 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual([...accountTables, ...serverTables].sort());
});

it('refer from a business to accounts in two tables only, whose accounts a server must have', async () => {
  const references = await db.sql<{ name: string; target: string }>(
    `select conrelid::regclass::text as name, confrelid::regclass::text as target from pg_constraint
     where contype = 'f' and confrelid::regclass::text = any($1) and not conrelid::regclass::text = any($1) order by 1`,
    [accountTables],
  );
  expect(references).toEqual([
    { name: 'customer_group_members', target: 'users' },
    { name: 'memberships', target: 'users' },
  ]);
});

it('refer from accounts to no business', async () => {
  const references = await db.sql(
    `select 1 from pg_constraint
     where contype = 'f' and conrelid::regclass::text = any($1) and not confrelid::regclass::text = any($1)`,
    [[...accountTables, ...serverTables, ...directoryTables]],
  );
  expect(references).toEqual([]);
});

it('fill the business of all rows that may lack it before a move', async () => {
  const tables = await db.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not a.attnotnull order by 1`,
  );
  // Rows without a business, rows that get it when they are inserted, and payments of the sandbox, which stay on the home server.
  const others = [
    'idempotency_keys',
    'renewal_endings',
    'sandbox_payments',
    'sandbox_subscriptions',
    'security_events',
  ];
  expect(tables.map(({ name }) => name)).toEqual([...childTables, ...others].sort());
});
