/** Databases that earlier versions have written: rows by table, the last migration they had, and the operations clients had stored. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Db } from '../../src/db/handles.ts';

export interface Written {
  /** The name of the last migration. */
  migration: string;
  tables: Record<string, object[]>;
  operations: string;
}

const folder = join(import.meta.dirname, 'written');

export const versions = readdirSync(folder).map((name) => name.replace('.json.gz', ''));

export const pathOf = (version: string): string => join(folder, `${version}.json.gz`);

export const readWritten = (version: string): Written =>
  JSON.parse(gunzipSync(readFileSync(pathOf(version))).toString());

/** What columns are called that take a value; others are worked out by the database. */
const columnsOf = `select table_name as "table", json_agg(quote_ident(column_name)) as columns from information_schema.columns
  where table_schema = 'public' and is_generated = 'NEVER' group by table_name`;

/** Puts the rows where an empty database of that version has none. What triggers would add is among them. */
export const restoreRows = (db: Db, { tables }: Written): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.sql(`set local session_replication_role = 'replica'`);
    for (const { table, columns } of await tx.sql<{ table: string; columns: string[] }>(columnsOf)) {
      const rows = tables[table];
      if (!rows) continue;
      const names = columns.join(', ');
      await tx.sql(
        `insert into "${table}" (${names}) overriding system value
         select ${names} from json_populate_recordset(null::"${table}", $1::json)`,
        [JSON.stringify(rows)],
      );
    }
  });
