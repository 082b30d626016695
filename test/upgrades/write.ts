/** `npx tsx test/upgrades/write.ts <version>`: records the database of a simulation run, which later versions must be able to migrate. Run once per release. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { loadMigrations } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { generateSteps } from '../simulation/generate-steps.ts';
import { operations as plays } from '../simulation/operations/index.ts';
import { checkRecords } from '../simulation/record-invariants.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { createWorld } from '../simulation/world.ts';
import { storedOperationSources } from '../support/stored-operations.ts';
import { type RecordedDatabase, recordedPath } from './recorded-database.ts';

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Usage: tsx test/upgrades/write.ts <version>');

/** Tables with private keys, and the migration log of the schema engine. */
const excludedTables = ['signing_keys', '_prisma_migrations'];

const world = await createWorld();
await checkRecords(world);
for (const { operation, actor, protocol, dice } of generateSteps(1, 400)) {
  await plays[operation].play(world, { actor: world.actors[actor], protocol, dice: new Dice(dice) });
  await checkRecords(world);
}
const { db } = world.t;
const tables: RecordedDatabase['tables'] = {};
for (const { name } of await db.sql<{ name: string }>(
  `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
)) {
  if (excludedTables.includes(name)) continue;
  const [row] = await db.sql<{ rows: object[] }>(
    `select coalesce(json_agg(t), '[]') as rows from "${name}" t`,
  );
  tables[name] = row?.rows ?? [];
}
const recorded: RecordedDatabase = {
  migration: loadMigrations().at(-1)?.name ?? '',
  tables,
  operations: storedOperationSources().join('\n'),
};
const content = gzipSync(JSON.stringify(recorded), { level: 9 });
writeFileSync(recordedPath(version), content);
console.log(
  `${Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)} rows, ${content.length} bytes`,
);
await world.close();
