import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import {
  listPendingMigrations,
  loadMigrations,
  migrate,
} from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { runDuet } from '../support/cli.ts';
import { onPostgres, testDatabaseUrl, testDb } from '../support/database.ts';

const db = await testDb();
const names = loadMigrations().map(({ name }) => name);

it('applies nothing to a migrated database', async () => {
  expect(await listPendingMigrations(db)).toEqual([]);
  expect(await migrate(db)).toEqual([]);
});

it('rejects an edited migration that was already applied', async () => {
  const reverseChecksum = () =>
    db.write('UPDATE _prisma_migrations SET checksum = reverse(checksum) WHERE migration_name = $1', [
      names[0],
    ]);
  await reverseChecksum();
  await expect(migrate(db)).rejects.toThrow(`Migration ${names[0]} was edited`);
  await reverseChecksum();
});

describe('products', () => {
  const insert = `INSERT INTO products (id, business_id, slug, name, category, statuses, document, created_at, updated_at)
    VALUES ($1, $2, $3, $4, 'shoes', $5, $6, 1, 1)`;

  it('have the last status of their history', async () => {
    const business = { id: randomUUID(), name: '', slug: 'shop', createdAt: 1n, updatedAt: 1n };
    await db.prisma.business.create({ data: business });
    const statuses = JSON.stringify([{ status: 'DRAFT' }, { status: 'ACTIVE' }]);
    const document = JSON.stringify({ description: 'For running in the rain' });
    const id = randomUUID();
    await db.write(insert, [id, business.id, 'boot', 'Boot', statuses, document]);
    expect(await db.prisma.product.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'ACTIVE' });
    const longer = [{ status: 'DRAFT' }, { status: 'ARCHIVED' }];
    const updated = await db.prisma.product.update({ where: { id }, data: { statuses: longer } });
    expect(updated.status).toBe('ARCHIVED');
  });

  it('are found by stemmed words with the search index', async () => {
    const search = `SELECT name FROM product_listings WHERE search @@ websearch_to_tsquery('english', 'runs boots')`;
    expect(await db.sql(search)).toEqual([{ name: 'boot' }]);
    const plan = await db.transaction(async (tx) => {
      await tx.sql('SET LOCAL enable_seqscan = off');
      return tx.sql(`EXPLAIN ${search}`);
    });
    expect(JSON.stringify(plan)).toContain('product_listings_search_idx');
  });
});

it.runIf(onPostgres)('retries while a table is locked', async () => {
  const url = await testDatabaseUrl();
  const migratedDb = await openDb({ url });
  const name =
    names.find((migration) => migration.endsWith('_put_aside')) ?? expect.unreachable('the migration exists');
  await migratedDb.sql('DROP TABLE put_aside');
  await migratedDb.write('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('BEGIN; CREATE TABLE put_aside (kind TEXT)');
  const migrating = migrate(migratedDb);
  const rolledBackAttempts = () =>
    migratedDb.sql('SELECT 1 FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL');
  await expect.poll(async () => (await rolledBackAttempts()).length).toBeGreaterThan(0);
  await other.query('ROLLBACK');
  expect(await migrating).toEqual([name]);
  expect(await listPendingMigrations(migratedDb)).toEqual([]);
  await other.end();
  await migratedDb.close();
});

it.runIf(onPostgres)('is safe when several processes start on an empty database', async () => {
  const url = await testDatabaseUrl({ migrated: false });
  const outputs = await Promise.all(
    Array.from({ length: 3 }, () => runDuet(['migrate'], { env: { DATABASE_URL: url } })),
  );
  const applied = names.map((name) => `Applied ${name}\n`).join('');
  expect(outputs.map(({ stdout }) => stdout).sort()).toEqual([
    applied,
    ...Array(2).fill('The database is up to date.\n'),
  ]);
  expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0]);
  const migrated = await openDb({ url });
  expect(await listPendingMigrations(migrated)).toEqual([]);
  await migrated.close();
});
