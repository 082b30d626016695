/** Assumptions about Prisma: its migrations table, the WASM schema engine and the driver adapters, which src/vendor/prisma uses. */
import { expect, it } from 'vitest';
import { classifyDbError } from '../../src/db/classify-db-errors.ts';
import { applyMigrations, loadMigrations } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { createPrismaDriverError } from '../../src/vendor/prisma/driver-adapter-internals.ts';
import {
  markInterruptedMigrationsRolledBack,
  readAppliedMigrations,
  toSelfRecordingMigrationScript,
} from '../../src/vendor/prisma/migrations-table.ts';
import { testDb } from '../support/database.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('@prisma/client', '7.10');
seenOnVersions('@prisma/adapter-pg', '7.10');
seenOnVersions('@prisma/schema-engine-wasm', '7.10');

const db = await testDb();

it('reads the migrations that the engine recorded, with the checksum of their scripts', async () => {
  const applied = await readAppliedMigrations(db.sql);
  const migrations = loadMigrations();
  expect([...applied.keys()].sort()).toEqual(migrations.map(({ name }) => name));
  expect(migrations.filter(({ name, script }) => applied.get(name)?.isEdited(script))).toEqual([]);
  expect(applied.get(migrations[0]?.name ?? '')?.isEdited('select 1')).toBe(true);
});

it('runs the schema engine, which finds nothing to apply', async () => {
  expect(await db.withMigrationAdapter(applyMigrations)).toEqual([]);
});

it('completes the record that the engine began, and marks it as rolled back if it was interrupted', async () => {
  const [{ name, script } = expect.unreachable()] = loadMigrations();
  const setState = (finished: string) =>
    db.write(
      `update _prisma_migrations set finished_at = ${finished}, rolled_back_at = null where migration_name = $1`,
      [name],
    );
  expect(await toSelfRecordingMigrationScript(script, db.sql)).toBe(script);
  await setState('null');
  const recording = await toSelfRecordingMigrationScript(script, db.sql);
  await db.script(recording.replace(script, 'select 1'));
  expect((await readAppliedMigrations(db.sql)).has(name)).toBe(true);
  await setState('null');
  await markInterruptedMigrationsRolledBack(db);
  expect((await readAppliedMigrations(db.sql)).has(name)).toBe(false);
  expect(await toSelfRecordingMigrationScript(script, db.sql)).toBe(script);
  await setState('now()');
});

it('sends the queries of Prisma to the connection of the transaction', async () => {
  await db.transaction(async (tx) => {
    const [{ before } = expect.unreachable()] = await tx.sql<{ before: number }>(
      'select count(*)::int as before from businesses',
    );
    await tx.write(
      `insert into businesses (id, name, slug, created_at, updated_at) values (gen_random_uuid(), 'a', 'a', 1, 1)`,
    );
    expect(await tx.prisma.business.count()).toBe(before + 1);
  });
});

it('finds the error of the driver inside the error of Prisma', async () => {
  const create = () =>
    db.prisma.role.create({
      data: {
        id: '01900000-0000-7000-8000-00000000000c',
        businessId: '01900000-0000-7000-8000-00000000000d',
        name: 'r',
        createdAt: 1n,
        updatedAt: 1n,
      },
    });
  const error: unknown = await create().catch((caught: unknown) => caught);
  expect(createPrismaDriverError(error as object)).toMatchObject({ cause: { originalCode: '23503' } });
  expect(classifyDbError(error)?.kind).toBe('foreignKey');
  expect(createPrismaDriverError(new Error('other'))).toBeUndefined();
});
