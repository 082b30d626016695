import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { testDataDir } from '../support/database.ts';

const open = (dataDir: string) => openDb({ dataDir, template: inject('pgliteTemplate'), lockWaitMs: 100 });

/** Opens the directory in another process, runs `code` with its `db`, and waits until it prints `ready`. */
async function otherProcess(dataDir: string, code: string) {
  const program = `
    import { openDb } from './src/db/open-db.ts';
    const db = await openDb({ dataDir: process.argv[1] });
    ${code}
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, dataDir], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('the embedded data directory', () => {
  it('is created from the template, already migrated, and persistent', async () => {
    const dataDir = `${await testDataDir()}/some/where`;
    const first = await open(dataDir);
    expect(await migrate(first)).toEqual([]);
    await first.write(`INSERT INTO signing_keys (kid, jwk, created_at) VALUES ('k', '{}', 1)`);
    await first.close();
    const second = await open(dataDir);
    expect(await second.prisma.signingKey.count()).toBe(1);
    await second.close();
  });

  it('survives a killed process and its stale lock', async () => {
    const dataDir = await testDataDir();
    await (await open(dataDir)).close();
    const child = await otherProcess(
      dataDir,
      `await db.write("INSERT INTO signing_keys (kid, jwk, created_at) VALUES ('k', '{}', 1)");`,
    );
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const db = await open(dataDir);
    expect(await db.prisma.signingKey.count()).toBe(1);
    await db.close();
  });

  it('cannot be opened twice in the same process until it is closed', async () => {
    const dataDir = await testDataDir();
    const db = await open(dataDir);
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
    await db.close();
    await db.close();
    expect((await readdir(dirname(dataDir))).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  it('ignores and deletes the lock file of an earlier version', async () => {
    const dataDir = await testDataDir();
    await writeFile(`${dataDir}.lock`, `${process.pid} 1`);
    const db = await open(dataDir);
    expect(existsSync(`${dataDir}.lock`)).toBe(false);
    await db.close();
  });

  it('is created again if its creation was interrupted', async () => {
    const dataDir = await testDataDir();
    await mkdir(dataDir);
    await writeFile(`${dataDir}/PG_VERSION`, '17');
    await writeFile(`${dataDir}.unfinished`, '');
    const db = await open(dataDir);
    expect(await migrate(db)).toEqual([]);
    await db.close();
  });

  it('may be in memory', async () => {
    const db = await open('memory');
    expect(await db.prisma.business.count()).toBe(0);
    await db.close();
  });
});

it('yields to the event loop during a sequence of statements', async () => {
  const db = await open('memory');
  const queries: Record<string, () => Promise<unknown>> = {
    statement: () => db.sql('select 1'),
    transaction: () => db.transaction((tx) => tx.sql('select 1')),
    model: () => db.prisma.signingKey.count(),
  };
  const yielded: string[] = [];
  for (const [kind, query] of Object.entries(queries)) {
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      if (ticks < 3) setImmediate(tick);
    };
    setImmediate(tick);
    const until = performance.now() + 5000;
    while (ticks < 3 && performance.now() < until) await query();
    if (ticks === 3) yielded.push(kind);
  }
  await db.close();
  expect(yielded).toEqual(Object.keys(queries));
});
