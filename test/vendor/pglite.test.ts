/** Assumptions about PGlite and its Prisma adapter, which src/vendor/pglite uses. */
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { expect, inject, it } from 'vitest';
import { pgliteOptions } from '../../src/db/embedded/open-embedded.ts';
import { pgliteForPrisma } from '../../src/vendor/pglite/connection-for-prisma-adapter.ts';
import { CrashDetectingPGlite } from '../../src/vendor/pglite/crash-detection.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('@electric-sql/pglite', '0.4.3');
seenOnVersions('pglite-prisma-adapter', '0.7');

/** Opens faster than an empty database is created. */
const options = { ...pgliteOptions, loadDataDir: new Blob([await readFile(inject('pgliteTemplate'))]) };

it('rejects the statement that crashes PostgreSQL, and all later ones', async () => {
  const crash = new Error('crashed');
  const reasons: unknown[] = [];
  const pglite = new CrashDetectingPGlite(options, (reason) => {
    reasons.push(reason);
    return crash;
  });
  await pglite.waitReady;
  expect((await pglite.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await expect(pglite.query('select 1 / 0')).rejects.toThrow('division by zero');
  expect((await pglite.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  const seen: Error[] = [];
  pglite.onCrash = (error) => seen.push(error);
  const panic = new Error('PANIC');
  Reflect.get(pglite, 'mod')._PostgresMainLoopOnce = () => {
    throw panic;
  };
  await expect(pglite.query('select 3')).rejects.toBe(crash);
  await expect(pglite.query('select 4')).rejects.toBe(crash);
  expect([reasons, seen]).toEqual([[panic], [crash]]);
});

it('is used by the Prisma adapter through `query` only', async () => {
  const pglite = await PGlite.create(options);
  const used = new Set<string | symbol>();
  const connection = pgliteForPrisma(pglite, (parsers) => ({ 20: parsers[20] ?? String }));
  const observed = new Proxy(connection, {
    get(target, name) {
      used.add(name);
      return Reflect.get(target, name);
    },
  });
  const adapter = await new PrismaPGlite(observed).connect();
  const query = { sql: 'select 1::int8 as n', args: [], argTypes: [] };
  expect((await adapter.queryRaw(query)).rows).toEqual([['1']]);
  expect(await adapter.executeRaw({ ...query, sql: 'create table t (id int)' })).toBe(0);
  expect([...used]).toEqual(['query']);
  await pglite.close();
});
