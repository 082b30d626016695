/** Snapshots of the whole database: taken, compared, and restored between two runs of the same request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../src/db/handles.ts';
import type { TestApp } from '../support/app.ts';

/** Rows by table, each row as JSON written by PostgreSQL. */
export type Snapshot = Readonly<Record<string, readonly string[]>>;

interface Table {
  name: string;
  columns: string[];
}

/** Tables with state of the process, which are not part of a snapshot. */
const processTables = new Set(['_prisma_migrations', 'signing_keys', 'revoked_sessions']);

/** Records the names of written tables, so that a snapshot reads only these. */
const writtenTables = `
  create table written_tables (name text);
  create function record_written_table() returns trigger language plpgsql as $$ begin
    insert into written_tables values (tg_table_name); return null; end $$`;

const recordWrites = ({ name }: Table) =>
  `create trigger record_written_table after insert or update or delete on "${name}"
     for each statement execute function record_written_table()`;

export class Snapshots {
  readonly #db: Db;
  readonly #restoringDb: Db;
  readonly #tables: readonly Table[];
  /** Tables written since the last restore. */
  readonly #written = new Set<string>();

  constructor(db: Db, restoringDb: Db, tables: readonly Table[]) {
    this.#db = db;
    this.#restoringDb = restoringDb;
    this.#tables = tables;
  }

  /** `restoringDb`: the same database by other connections, because restoring discards all query plans of its connection. */
  static async of(db: Db, restoringDb: Db): Promise<Snapshots> {
    const rows = await db.sql<{ name: string; columns: string[] }>(
      `select c.table_name as name, json_agg(quote_ident(c.column_name) order by c.ordinal_position) as columns
         from information_schema.columns c
         join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
        group by c.table_name order by c.table_name`,
      [],
    );
    const tables = rows.filter(({ name }) => !processTables.has(name));
    await db.script([writtenTables, ...tables.map(recordWrites)].join(';\n'));
    return new Snapshots(db, restoringDb, tables);
  }

  /** Takes a snapshot of all tables, or of those written since `base` was taken or restored. */
  async take(base?: Snapshot): Promise<Snapshot> {
    const written = await this.#db.write<{ name: string }>('delete from written_tables returning name', []);
    for (const { name } of written) this.#written.add(name);
    const tables = base ? this.#tables.filter(({ name }) => this.#written.has(name)) : this.#tables;
    const all = tables.map(
      ({ name, columns }) =>
        `select '${name}' as name, to_jsonb(r)::text as row from (select ${columns.join(', ')} from "${name}") r`,
    );
    // Jobs are in another schema; only their queue and data are compared, not their times.
    all.push(
      `select 'jobs' as name, jsonb_build_object('name', name, 'data', data)::text as row from pgboss.job`,
    );
    const rows = await this.#db.sql<{ name: string; row: string }>(all.join(' union all '), []);
    const taken = Object.fromEntries([...tables, { name: 'jobs' }].map(({ name }) => [name, [] as string[]]));
    for (const { name, row } of rows) taken[name]?.push(row);
    for (const texts of Object.values(taken)) texts.sort();
    return { ...base, ...taken };
  }

  /** Restores a snapshot; `current` is the present content of the database. */
  async restore(snapshot: Snapshot, current: Snapshot): Promise<void> {
    const changed = new Set(Object.keys(changes(snapshot, current)));
    this.#written.clear();
    if (changed.size === 0) return;
    const changedTables = this.#tables.filter((table) => changed.has(table.name));
    // One script: each round trip takes longer than its statements.
    const statements = changedTables.map(
      ({ name, columns }) => `delete from "${name}";
        insert into "${name}" (${columns.join(', ')}) select ${columns.join(', ')}
          from jsonb_populate_recordset(null::"${name}", ${literal(`[${(snapshot[name] ?? []).join(',')}]`)})`,
    );
    const withoutTriggers = `set local session_replication_role = 'replica'`;
    await this.#restoringDb.script(
      ['begin', withoutTriggers, ...statements, 'delete from pgboss.job', 'commit'].join(';\n'),
    );
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Replaces random values by placeholders, so that runs are comparable. */
export const withoutSecrets = (text: string): string =>
  text
    .replace(/\bwhsec_[\w+/]{43}=/g, '<secret>')
    .replace(/\bwhsec_\*{4}[\w+/]{4}/g, '<masked secret>')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<token>')
    // Preview links.
    .replace(/[\w-]{200,}/g, '<sealed>')
    .replace(/\bsbx_[\w-]+/g, '<payment>')
    // Ledger numbers added from a sequence, which is not restored.
    .replace(/("change": ?-?\d+, ?"number": ?)\d+/, '$1<place>')
    // Change ids as well; and each change records its request and protocol.
    .replace(/"id": ?"[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-[0-9a-f]{12}"/g, '"id":"<change>"')
    .replace(/"voice": ?"(?:REST|GRAPHQL)"/, '"voice":"<voice>"')
    .replace(/"request_id": ?"[^"]*"/, '"request_id":"<request>"')
    .replace(/\$argon2id\$[^"\\]+/g, '<password>')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b[\w-]{43}\b/g, '<hash>')
    .replace(/\bcode is \d{6}\b/g, 'code is <code>');

/** Tables that differ, with their removed and added rows. */
export function changes(
  before: Snapshot,
  after: Snapshot,
): Record<string, { removed: string[]; added: string[] }> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [old, fresh] = [before[name] ?? [], after[name] ?? []];
      if (old === fresh) return [];
      const [oldRows, freshRows] = [new Set(old), new Set(fresh)];
      const removed = old.filter((row) => !freshRows.has(row)).map(withoutSecrets);
      const added = fresh.filter((row) => !oldRows.has(row)).map(withoutSecrets);
      return removed.length + added.length > 0 ? [[name, { removed, added }]] : [];
    }),
  );
}

/** Removes revoked sessions from the database and from memory, where notifications may still arrive. */
export async function reviveSessions(t: TestApp): Promise<void> {
  const { revocations } = t.app.services;
  // Notifications arrive in order: after this one, none is pending.
  await t.db.sql(`select pg_notify('duet_revoked', 'the last')`, []);
  while (!revocations.revokedAt.has('the last')) await sleep(1);
  await t.db.write('delete from revoked_sessions', []);
  await revocations.reload();
}
