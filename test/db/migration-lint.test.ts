/** Migration linter: statements that are unsafe on a live database or for processes of the previous version, and documented exceptions. */
import { describe, expect, it } from 'vitest';
import { lintNewMigrations } from '../../scripts/migration.ts';
import { lintContract, lintMigration } from '../../scripts/migration-lint.ts';

const rules = (sql: string) => lintMigration(sql).map(({ rule }) => rule);

describe('rejects', () => {
  it.each([
    ['volatile-default', `ALTER TABLE "orders" ADD COLUMN "key" UUID DEFAULT gen_random_uuid()`],
    ['volatile-default', `alter table orders add column n bigserial`],
    ['volatile-default', `ALTER TABLE orders ADD COLUMN total INT GENERATED ALWAYS AS (a + b) STORED`],
    ['volatile-default', `ALTER TABLE orders ADD COLUMN at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()`],
    ['not-null-column', `ALTER TABLE "orders" ADD COLUMN "note" TEXT NOT NULL`],
    ['not-null-column', `ALTER TABLE orders ADD COLUMN a INT NOT NULL DEFAULT 1, ADD COLUMN b INT NOT NULL`],
    ['alter-type', `ALTER TABLE "orders" ALTER COLUMN "total" SET DATA TYPE BIGINT`],
    ['alter-type', `alter table public.orders alter column total type bigint using total::bigint`],
    ['set-not-null', `ALTER TABLE "orders" ALTER COLUMN "total" SET NOT NULL`],
    ['constraint', `ALTER TABLE "orders" ADD CONSTRAINT "c" FOREIGN KEY ("a") REFERENCES "b"("id")`],
    ['constraint', `ALTER TABLE orders ADD CHECK (total > 0)`],
    ['constraint', `ALTER TABLE orders ADD CONSTRAINT u UNIQUE (number)`],
    ['index', `CREATE INDEX "orders_idx" ON "orders"("total")`],
    ['index', `CREATE UNIQUE INDEX orders_idx ON orders (total)`],
    ['index', `CREATE INDEX IF NOT EXISTS orders_idx ON orders (total)`],
    ['concurrently', `CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_idx ON orders (total)`],
    ['concurrently', `create unique index concurrently orders_idx on orders (total)`],
    ['concurrently', `DROP INDEX CONCURRENTLY orders_idx`],
    ['concurrently', `REINDEX INDEX CONCURRENTLY orders_idx`],
    ['concurrently', `REINDEX (VERBOSE) TABLE CONCURRENTLY orders`],
    ['drop-column', `ALTER TABLE "orders" DROP COLUMN "total"`],
    ['rename', `ALTER TABLE orders RENAME COLUMN total TO sum`],
    ['rename', `ALTER TABLE orders RENAME TO purchases`],
    ['drop-table', `DROP TABLE orders`],
    ['long-lock', `LOCK TABLE orders IN ACCESS EXCLUSIVE MODE`],
    ['long-lock', `VACUUM FULL orders`],
    ['update-all', `UPDATE orders SET total = 0`],
  ])('%s: %s', (rule, sql) => {
    expect(rules(`${sql};`)).toEqual([rule]);
  });
});

describe('accepts', () => {
  it.each([
    `CREATE TABLE "a" ("id" UUID NOT NULL); CREATE INDEX "a_idx" ON "a"("id"); ALTER TABLE "a" ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES b(id)`,
    `ALTER TABLE "orders" ADD COLUMN "note" TEXT`,
    `ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE orders ADD COLUMN at TIMESTAMPTZ NOT NULL DEFAULT now()`,
    `ALTER TABLE orders ADD COLUMN price NUMERIC(10,2) NOT NULL DEFAULT 0`,
    `ALTER TABLE orders ADD CONSTRAINT c CHECK (total > 0) NOT VALID`,
    `ALTER TABLE orders VALIDATE CONSTRAINT c`,
    `ALTER TABLE orders ADD CONSTRAINT c CHECK (total IS NOT NULL) NOT VALID; ALTER TABLE orders VALIDATE CONSTRAINT c; ALTER TABLE orders ALTER COLUMN total SET NOT NULL`,
    `ALTER TABLE orders ADD CONSTRAINT u UNIQUE USING INDEX orders_idx`,
    `CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE orders; UPDATE orders SET total = 0 $$`,
    `-- DROP TABLE orders;\n/* ALTER TABLE orders DROP COLUMN total; */ SELECT 1`,
    `INSERT INTO texts VALUES ('; DROP TABLE orders;')`,
    `UPDATE orders SET total = 0 WHERE id = 'x'`,
  ])('%s', (sql) => {
    expect(lintMigration(`${sql};`)).toEqual([]);
  });
});

it('requires a validated check of the same column', () => {
  expect(
    rules(`ALTER TABLE orders ADD CONSTRAINT c CHECK (note IS NOT NULL) NOT VALID; ALTER TABLE orders VALIDATE CONSTRAINT c;
      ALTER TABLE orders ALTER COLUMN total SET NOT NULL`),
  ).toEqual(['set-not-null']);
});

it('accepts an exception with a reason, only for the named rule', () => {
  const sql = 'DROP TABLE drafts;\nALTER TABLE orders DROP COLUMN total;';
  expect(rules(`-- lint: allow drop-table: unused since version 0.1\n${sql}`)).toEqual(['drop-column']);
  expect(rules(`-- lint: allow drop-table: yes\n${sql}`)).toEqual(['drop-table', 'drop-column']);
});

it('reports file and line, and ignores migrations before the baseline', () => {
  const script = 'SELECT 1;\n\n-- why\nDROP TABLE drafts;';
  expect(lintNewMigrations([{ name: '20250101000000_old', script }])).toEqual([]);
  const file = 'prisma/migrations/20990101000000_new/migration.sql:4';
  expect(lintNewMigrations([{ name: '20990101000000_new', script }])).toEqual([
    `${file}: drop-table: processes of the previous version still use it. Drop it in the next version. To allow it, add "-- lint: allow drop-table: <reason>".`,
    `${file}: contract: processes of the previous version use it. Only add, and remove it in a later version: "-- contract: <first version that does not use it>".`,
  ]);
});

describe('expand and contract', () => {
  const reasons = (folder: string, sql: string) =>
    lintContract(folder, sql, '0.3.0').map(({ line, reason }) => `${line}: ${reason}`);

  it.each([
    'DROP TABLE drafts',
    'DROP FUNCTION is_heard()',
    'ALTER TABLE orders DROP COLUMN total',
    'ALTER TABLE orders RENAME COLUMN total TO sum',
    'ALTER TABLE orders RENAME TO purchases',
    'ALTER TYPE state RENAME VALUE a TO b',
    'ALTER TABLE orders ALTER COLUMN total TYPE BIGINT',
    'ALTER TABLE orders ALTER COLUMN total SET NOT NULL',
    'ALTER TABLE orders ADD COLUMN note TEXT NOT NULL',
  ])('rejects %s without a version, even with an allowance', (sql) => {
    const allowance = '-- lint: allow drop-table: nothing has used it for months\n';
    expect(reasons('20990101000000_new', `${allowance}${sql};`)).toHaveLength(1);
    expect(reasons('20990101000000_contract_0_3_0_new', `-- contract: 0.3.0\n${sql};`)).toEqual([]);
  });

  it.each([
    'CREATE TABLE a (id INT); ALTER TABLE a RENAME TO b; ALTER TABLE a DROP COLUMN id',
    'ALTER TABLE orders ADD COLUMN note TEXT',
    `ALTER TABLE orders ADD COLUMN note TEXT NOT NULL DEFAULT ''`,
    'DROP INDEX orders_idx',
    'ALTER TABLE orders ALTER COLUMN total DROP NOT NULL',
  ])('accepts %s', (sql) => {
    expect(reasons('20990101000000_new', `${sql};`)).toEqual([]);
  });

  it('requires the same version in the folder name, where programs read it', () => {
    const sql = '-- contract: 0.3.0\nDROP TABLE drafts;';
    for (const folder of ['20990101000000_new', '20990101000000_contract_0_2_0_new'])
      expect(reasons(folder, sql)).toEqual([
        expect.stringContaining('_contract_0_3_0_<name> belong together'),
      ]);
    expect(reasons('20990101000000_contract_0_3_0_new', 'DROP TABLE drafts;')).toHaveLength(1);
  });

  it('requires a released version', () => {
    expect(reasons('20990101000000_contract_0_4_0_new', '-- contract: 0.4.0\nDROP TABLE a;')).toEqual([
      '1: version 0.4.0 is not released: processes of version 0.3.0 still use it.',
    ]);
  });
});
