/** Recorded databases of earlier versions: rows by table, the last migration, and the stored operations of clients. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Db } from '../../src/db/handles.ts';

export interface RecordedDatabase {
  /** Name of the last migration. */
  migration: string;
  tables: Record<string, object[]>;
  operations: string;
}

const folder = join(import.meta.dirname, 'written');

export const versions = readdirSync(folder).map((name) => name.replace('.json.gz', ''));

export const recordedPath = (version: string): string => join(folder, `${version}.json.gz`);

export const readRecorded = (version: string): RecordedDatabase =>
  JSON.parse(gunzipSync(readFileSync(recordedPath(version))).toString());

/** Columns of each table, without generated ones. */
const insertableColumns = `select table_name as "table", json_agg(quote_ident(column_name)) as columns from information_schema.columns
  where table_schema = 'public' and is_generated = 'NEVER' group by table_name`;

/** Replaces the rows of a new database of that version. Triggers are disabled: their rows are recorded too. */
export const restoreRows = (db: Db, { tables }: RecordedDatabase): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.sql(`set local session_replication_role = 'replica'`);
    for (const { table, columns } of await tx.sql<{ table: string; columns: string[] }>(insertableColumns)) {
      const rows = tables[table];
      if (!rows) continue;
      const names = columns.join(', ');
      await tx.write(`delete from "${table}"`, []);
      await tx.write(
        `insert into "${table}" (${names}) overriding system value
         select ${names} from json_populate_recordset(null::"${table}", $1::json)`,
        [JSON.stringify(rows)],
      );
    }
  });
