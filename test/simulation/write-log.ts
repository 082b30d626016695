/** Log of written records, filled by triggers, so that the cost of checking a step does not grow with the walk. */
import type { Db } from '../../src/db/handles.ts';

const tables = ['products', 'orders', 'entries', 'collections'] as const;
export type LoggedTable = (typeof tables)[number];

/** Tables with a trigger; a variant counts as a write of its product. */
const triggers: Readonly<Record<string, { table: LoggedTable; id: string }>> = {
  ...Object.fromEntries(tables.map((table) => [table, { table, id: 'id' }])),
  variants: { table: 'products', id: 'product_id' },
};

/** Creates the log table and triggers. Deletes are logged; writes that are rolled back are not. */
export async function installWriteLog(db: Db): Promise<void> {
  await db.sql(
    'create table simulation_touches (n bigint generated always as identity primary key, kind text, id uuid)',
  );
  for (const [name, { table, id }] of Object.entries(triggers)) {
    await db.sql(`create function simulation_touch_${name}() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then insert into simulation_touches (kind, id) values ('${table}', old.${id}); end if;
      if tg_op <> 'DELETE' then insert into simulation_touches (kind, id) values ('${table}', new.${id}); end if;
      return null; end $$`);
    await db.sql(`create trigger simulation_touch after insert or update or delete on ${name}
      for each row execute function simulation_touch_${name}()`);
  }
}
