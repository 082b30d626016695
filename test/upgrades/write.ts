/** `npx tsx test/upgrades/write.ts <version>`: keeps what this version writes, for later ones to be tried on. Run once for each release. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadMigrations } from '../../src/db/migrations/migrate.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { operations as plays } from '../simulation/operations/index.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { generateSteps } from '../simulation/generate-steps.ts';
import { checkRecords } from '../simulation/record-invariants.ts';
import { createWorld } from '../simulation/world.ts';
import { pathOf, type Written } from './recorded-database.ts';

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Usage: tsx test/upgrades/write.ts <version>');

/** Private keys are no part of it, nor are the engine's own notes. */
const left = ['signing_keys', '_prisma_migrations'];

const world = await createWorld();
await checkRecords(world);
for (const { operation, actor, protocol: voice, dice } of generateSteps(1, 400)) {
  await plays[operation].play(world, { actor: world.actors[actor], protocol: voice, dice: new Dice(dice) });
  await checkRecords(world);
}
const { db } = world.t;
const tables: Written['tables'] = {};
for (const { name } of await db.sql<{ name: string }>(
  `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
)) {
  if (left.includes(name)) continue;
  const [found] = await db.sql<{ rows: object[] }>(
    `select coalesce(json_agg(t), '[]') as rows from "${name}" t`,
  );
  tables[name] = found?.rows ?? [];
}
const stored = join(packageRoot, 'schema', 'operations');
const written: Written = {
  migration: loadMigrations().at(-1)?.name ?? '',
  tables,
  operations: readdirSync(stored)
    .map((name) => readFileSync(join(stored, name), 'utf8'))
    .join('\n'),
};
const content = gzipSync(JSON.stringify(written), { level: 9 });
writeFileSync(pathOf(version), content);
console.log(
  `${Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)} rows, ${content.length} bytes`,
);
await world.close();
