/** Handles of several database servers: what each may read and write, and how it leads to the others. */
import {
  deleteAccountPlaceholderSql,
  insertAccountPlaceholderSql,
} from '../auth/account-placeholder-rows.ts';
import type { Db } from '../db/handles.ts';
import type { QueryContext } from '../db/query-context-and-statement-functions.ts';
import { createAccountTableGuard, createBusinessTableGuard } from '../shards/account-tables.ts';
import { createServerHandle } from '../shards/server-handle.ts';

/** A server of DATABASE_SHARDS. */
export interface BusinessServer {
  readonly name: string;
  readonly db: Db;
  /** Share of new businesses, relative to the other servers. */
  readonly weight: number;
}

export interface ServerDbs {
  /** Home server for requests that name no business: rejects statements on tables of businesses. */
  readonly accounts: Db;
  readonly home: Db;
  /** By name, without the home server. */
  readonly others: ReadonlyMap<string, Db>;
}

export async function createServerDbs(home: Db, servers: readonly BusinessServer[]): Promise<ServerDbs> {
  const bind = (dbs: readonly Db[], context: QueryContext) => dbs.map((db) => db.withContext(context));
  const all = (): Db[] => [dbs.home, ...dbs.others.values()];
  const assertNoAccounts = createAccountTableGuard(
    new Set([insertAccountPlaceholderSql, deleteAccountPlaceholderSql]),
  );
  const dbs: ServerDbs = {
    accounts: createServerHandle({
      db: home,
      assertStatement: createBusinessTableGuard(await listBusinessTableNames(home)),
      otherServers: (context) => ({
        accounts: undefined,
        businesses: bind(all(), context),
        hasOwnBusinesses: false,
      }),
    }),
    home: createServerHandle({
      db: home,
      otherServers: (context) => ({
        accounts: undefined,
        businesses: bind([...dbs.others.values()], context),
        hasOwnBusinesses: true,
      }),
    }),
    others: new Map(
      servers.map(({ name, db }) => [
        name,
        createServerHandle({
          db,
          assertStatement: assertNoAccounts,
          otherServers: (context) => ({
            accounts: dbs.accounts.withContext(context),
            businesses: bind(
              all().filter((other) => other !== dbs.others.get(name)),
              context,
            ),
            hasOwnBusinesses: true,
          }),
        }),
      ]),
    ),
  };
  return dbs;
}

async function listBusinessTableNames(home: Db): Promise<string[]> {
  const rows = await home.sql<{ name: string }>(
    `select distinct c.relname::text as name from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
       and (c.relname = 'businesses' or (a.attname is not null and not a.attisdropped))`,
  );
  return rows.map(({ name }) => name);
}
