import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { openDb } from '../../src/db/open.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { testDataDir } from '../support/database.ts';

const open = (dataDir: string) => openDb({ dataDir, template: inject('pgliteTemplate') });

/** Opens the directory in another process, runs `code` with its `db` and waits for it to say so. */
async function otherProcess(dataDir: string, code: string) {
  const program = `
    import { openDb } from './src/db/open.ts';
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
  it('is made from the template, migrated, and kept', async () => {
    const dataDir = `${await testDataDir()}/some/where`;
    const first = await open(dataDir);
    expect(await migrate(first)).toEqual([]);
    await first.sql(`INSERT INTO signing_keys (kid, jwk, created_at) VALUES ('k', '{}', 1)`);
    await first.close();
    const second = await open(dataDir);
    expect(await second.prisma.signingKey.count()).toBe(1);
    await second.close();
  });

  it('survives a process that is killed, and the lock it leaves behind', async () => {
    const dataDir = await testDataDir();
    await (await open(dataDir)).close();
    const child = await otherProcess(
      dataDir,
      `await db.sql("INSERT INTO signing_keys (kid, jwk, created_at) VALUES ('k', '{}', 1)");`,
    );
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const db = await open(dataDir);
    expect(await db.prisma.signingKey.count()).toBe(1);
    await db.close();
  });

  it('is locked against a second use in the same process, until it is closed', async () => {
    const dataDir = await testDataDir();
    const db = await open(dataDir);
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
    await db.close();
    await db.close();
    expect(existsSync(`${dataDir}.lock`)).toBe(false);
  });

  it('is not locked by another process that got the same id later', async () => {
    const dataDir = await testDataDir();
    await writeFile(`${dataDir}.lock`, `${process.pid} 1`);
    const db = await open(dataDir);
    expect(await readFile(`${dataDir}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} \\d{2,}$`));
    await db.close();
  });

  it('is made again when the process that made it died halfway', async () => {
    const dataDir = await testDataDir();
    await mkdir(dataDir);
    await writeFile(`${dataDir}/PG_VERSION`, '17');
    await writeFile(`${dataDir}.unfinished`, '');
    const db = await open(dataDir);
    expect(await migrate(db)).toEqual([]);
    await db.close();
  });

  it('may be memory', async () => {
    const db = await open('memory');
    expect(await db.prisma.business.count()).toBe(0);
    await db.close();
  });
});

it('lets others have their turn while somebody asks and asks', async () => {
  const db = await open('memory');
  const asks: Record<string, () => Promise<unknown>> = {
    statement: () => db.sql('select 1'),
    transaction: () => db.transaction((tx) => tx.sql('select 1')),
    model: () => db.prisma.signingKey.count(),
  };
  const turned: string[] = [];
  for (const [what, ask] of Object.entries(asks)) {
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (turns < 3) setImmediate(turn);
    };
    setImmediate(turn);
    const until = performance.now() + 5000;
    while (turns < 3 && performance.now() < until) await ask();
    if (turns === 3) turned.push(what);
  }
  await db.close();
  expect(turned).toEqual(Object.keys(asks));
});
