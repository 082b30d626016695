/** Upgrades: databases of earlier versions are migrated and read in both protocols, and stored operations of their clients are still valid. */
import { parse, validate } from 'graphql';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import {
  listPendingMigrations,
  loadMigrations,
  loadMigrationsForSchemaEngine,
  migrate,
  noExternalSchemaObjects,
} from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { routes } from '../../src/generated/domains/routes.ts';
import { applyRenamedFields } from '../../src/graphql/execute/apply-renamed-fields.ts';
import { applyRenamedTypes } from '../../src/graphql/execute/apply-renamed-types.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { openSchemaEngine } from '../../src/vendor/prisma/schema-engine.ts';
import { TestApp } from '../support/app.ts';
import { expectConsistentRecords } from '../support/consistency-audit.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import { callInGraphql, callInRest } from '../support/protocol-clients.ts';
import { type RecordedDatabase, readRecorded, restoreRows, versions } from './recorded-database.ts';

/** Opens a database with the migrations and rows of an earlier version. */
async function openRecorded(recorded: RecordedDatabase): Promise<Db> {
  const db = await openDb(
    onPostgres ? { url: await testDatabaseUrl({ migrated: false }) } : { dataDir: 'memory' },
  );
  const all = loadMigrationsForSchemaEngine();
  await db.withMigrationAdapter(async (adapter) => {
    const engine = await openSchemaEngine(adapter);
    const migrationDirectories = all.migrationDirectories.filter(({ path }) => path <= recorded.migration);
    await engine.applyMigrations({
      migrationsList: { ...all, migrationDirectories },
      filters: noExternalSchemaObjects,
    });
    engine.free();
  });
  await restoreRows(db, recorded);
  return db;
}

/** List routes whose only required parameter is the business id. */
const lists = routes.filter(
  ({ method, path }) =>
    method === 'GET' &&
    /^\/v1\/businesses\/:businessId\/[a-z-]+$/.test(path) &&
    !path.endsWith('/product-suggestions'),
);

interface List {
  items: { id: string; number?: number }[];
}

describe.each(versions)('the database of version %s', (version) => {
  const recorded = readRecorded(version);

  it('is migrated, read in both protocols, and passes the audit', async () => {
    const db = await openRecorded(recorded);
    const newMigrations = loadMigrations()
      .map(({ name }) => name)
      .filter((name) => name > recorded.migration);
    expect(await migrate(db)).toEqual(newMigrations);
    expect(await listPendingMigrations(db)).toEqual([]);
    const managers = await db.prisma.role.findMany({ where: { name: 'MANAGER' } });
    expect(managers.map(({ permissions }) => permissions.includes('REQUESTS_READ'))).toEqual(
      managers.map(() => true),
    );
    const app = await createApp({
      config: readConfig({ RATE_LIMIT: 'off' }),
      db,
      log: pino({ level: 'silent' }),
    });
    const t = new TestApp(app, db, []);
    for (const { businessId, userId } of await db.sql<{ businessId: string; userId: string }>(
      `select m.business_id as "businessId", min(m.user_id::text) as "userId" from memberships m
       join roles r on r.id = m.role_id where r.permissions::text like '%ADMIN%' group by m.business_id`,
    )) {
      const admin = {
        userId,
        token: (await app.services.tokens.issueAccess({ sub: userId, provider: 'EMAIL' })).token,
      };
      const listsByKind = new Map<string, List>();
      for (const route of lists) {
        const input = { path: { businessId }, query: { limit: 100 } };
        const [rest, graphql] = [
          await callInRest(t, route, input, admin),
          await callInGraphql(t, route, input, admin),
        ];
        expect([route.path, rest.status, rest.body]).toEqual([route.path, 200, graphql.body]);
        listsByKind.set(route.path.split('/').at(-1) ?? '', rest.body as List);
      }
      for (const kind of ['products', 'orders', 'collections', 'markets', 'roles']) {
        const records = (recorded.tables[kind] as { business_id: string }[]).filter(
          (record) => record.business_id === businessId,
        );
        expect([kind, listsByKind.get(kind)?.items.length]).toEqual([kind, records.length]);
      }
      const numbers = listsByKind.get('orders')?.items.map(({ number }) => number);
      expect(numbers).toEqual(numbers?.map((_, index) => 1000 + numbers.length - index));
    }
    await expectConsistentRecords(app.services);
    await app.stop();
    await db.close();
  });

  it('has clients whose stored operations are still valid', () => {
    const document = applyRenamedFields(schema, applyRenamedTypes(schema, parse(recorded.operations)));
    expect(validate(schema, document)).toEqual([]);
  });
});
