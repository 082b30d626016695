/** A full disk: the embedded database rejects writes, the gateway stays responsive and stops, and no confirmed write is lost. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open as openFile, rm, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import { classifyDbError } from '../../src/db/classify-db-errors.ts';
import { openDb } from '../../src/db/open-db.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { testDataDir } from '../support/database.ts';
import { startGateway } from '../support/gateway-process.ts';

const mounted: string[] = [];
afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['--lazy', folder]);
});

/** Mounts a small file system; undefined where this user may not mount. */
async function mountSmallDisk(): Promise<string | undefined> {
  const folder = await testDataDir();
  try {
    execFileSync('mkdir', ['-p', folder]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  mounted.push(folder);
  return folder;
}

const fillFile = (disk: string) => join(disk, 'fill');

/** Fills the disk except for `freeBytes`. */
async function fillDisk(disk: string, freeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  const file = await openFile(fillFile(disk), 'w');
  await file.writeFile(Buffer.alloc(bavail * bsize - freeBytes));
  await file.close();
}

/** Less than one segment of the write-ahead log: the statement that needs the next segment crashes the database. */
const lessThanSegment = 12 * 2 ** 20;
const skipMessage = 'this user may not mount a file system';

it('rejects every later statement on both handles, and closes', async ({ skip }) => {
  const disk = await mountSmallDisk();
  if (disk === undefined) return skip(skipMessage);
  const crashes: string[] = [];
  const dataDir = join(disk, 'data', 'db');
  const openSmall = () =>
    openDb({
      dataDir,
      template: inject('pgliteTemplate'),
      onCrash: (error) => void crashes.push(error.message),
    });
  const db = await openSmall();
  await db.script(
    `create table t as select n, md5(n::text) as text from generate_series(1, 20000) n; checkpoint`,
  );
  await fillDisk(disk, lessThanSegment);
  let updates = 0;
  const crash = await (async () => {
    for (;;) {
      await db.transaction((tx) => tx.write('update t set n = n + 1'));
      updates += 1;
    }
  })().catch((error: unknown) => error);
  expect(crashes).toEqual([expect.stringContaining(`No space is left on the disk of ${dataDir}`)]);
  const errors = await Promise.all(
    [db.sql('select 1'), db.prisma.signingKey.count(), db.transaction((tx) => tx.sql('select 1'))].map(
      (query) => query.then(String, (error: unknown) => error),
    ),
  );
  for (const error of [crash, ...errors]) expect(classifyDbError(error)).toEqual({ kind: 'unavailable' });
  await expect(db.close()).rejects.toThrow('No space is left');

  await truncate(fillFile(disk));
  const reopened = await openSmall();
  expect(await reopened.sql('select min(n) as first, count(*) as rows from t')).toEqual([
    { first: updates + 1, rows: 20_000 },
  ]);
  await reopened.close();
});

it('keeps the gateway responsive, stops it on SIGTERM, and names the disk at the next start', async ({
  skip,
}) => {
  const disk = await mountSmallDisk();
  if (disk === undefined) return skip(skipMessage);
  const DATA_DIR = join(disk, 'data');
  const gateway = await startGateway({ DATA_DIR });
  const post = (path: string, body: object, token = '') =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const login = async () => {
    const response = await post('/v1/users/login', {
      email: demoShopIdsAndLogins.email,
      password: demoShopIdsAndLogins.password,
    });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  const token = await login();
  const createProduct = (name: string) =>
    post(
      `/v1/businesses/${demoShopIdsAndLogins.businessId}/products`,
      { name, description: randomBytes(6_000).toString('base64') },
      token,
    );

  await fillDisk(disk, lessThanSegment);
  const confirmedIds: string[] = [];
  let failure: Response;
  for (;;) {
    const response = await createProduct(`product ${confirmedIds.length}`);
    if (!response.ok) {
      failure = response;
      break;
    }
    confirmedIds.push(((await response.json()) as { id: string }).id);
  }
  expect(failure.status).toBe(503);
  expect(await failure.json()).toMatchObject({ error: 'UNAVAILABLE' });
  await expect.poll(() => gateway.output()).toContain('No space is left on the disk of');
  expect((await createProduct('another')).status).toBe(503);
  expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(503);
  expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
  const stopStart = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - stopStart).toBeLessThan(10_000);

  await expect(gateway.restart()).rejects.toThrow(
    `DATA_DIR: no space is left on the disk of ${DATA_DIR}. Free at least 32 MB and start again. Do not restore a backup`,
  );
  await rm(fillFile(disk));
  await gateway.restart();
  const authorization = `Bearer ${await login()}`;
  for (const id of confirmedIds) {
    const url = `${gateway.url}/v1/businesses/${demoShopIdsAndLogins.businessId}/products/${id}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  }
  expect(await gateway.stop()).toBe(0);
});
