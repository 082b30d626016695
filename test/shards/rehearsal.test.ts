/** `duet move --rehearse` between two servers: under load, and killed at each of its steps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { beforeAll, expect, inject, it } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import {
  consistencyErrors,
  formatTally,
  prepareWorkload,
  runClients,
} from '../reliability/network-faults/verified-workload.ts';
import { expectConsistentDatabase } from '../support/audited-databases.ts';
import { nodeFlags } from '../support/node-flags.ts';
import { businessId, listRemains, startTwoServers, type TwoServers } from './two-servers.ts';

let servers: TwoServers;

beforeAll(async () => {
  servers = await startTwoServers();
  return () => servers.gateway.kill();
});

const readOther = () =>
  servers.target.query(
    `select b, m from businesses b left join markets m on m.business_id = b.id order by 1`,
  );

it('copies a shop that sells, and leaves nothing behind', async () => {
  const { gateway, source } = servers;
  const prepared = await prepareWorkload(gateway.url, () => gateway.url);
  const { load } = prepared;
  const before = await readOther();
  const clients = runClients(load, 1);
  let result: Awaited<ReturnType<TwoServers['move']>>;
  try {
    await expect.poll(() => load.orders.length).toBeGreaterThan(10);
    result = await servers.move('--rehearse', '--json');
  } finally {
    load.isOver = true;
    await clients;
  }
  expect(result.stderr).toBe('');
  const report = JSON.parse(result.stdout);
  console.log(formatTally(load), { ...report, tables: report.tables.length });
  expect(report.findings).toEqual([]);
  const rows = Object.fromEntries(
    report.tables.map(({ table, rows }: { table: string; rows: number }) => [table, rows]),
  );
  expect(rows).toMatchObject({
    businesses: 1,
    orders: expect.any(Number),
    stock_movements: expect.any(Number),
  });
  expect(rows.orders).toBeGreaterThan(10);
  expect(report.pauseMs).toBeLessThan(10_000);
  expect(await listRemains(servers)).toEqual([]);
  expect(await readOther()).toEqual(before);
  expect(load.errors).toEqual([]);
  expect(await consistencyErrors(prepared, source.url)).toEqual([]);
  await expectConsistentDatabase({ url: source.url, poolSize: 2 });
});

const startRehearsal = () =>
  spawn(
    process.execPath,
    [...nodeFlags, join(inject('programs'), 'duet.js'), 'move', businessId, 'second', '--rehearse'],
    {
      cwd: packageRoot,
      env: { PATH: process.env.PATH, ...servers.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

/** Kills the command when it prints a line that begins with `text`. */
async function killAt(text: string): Promise<void> {
  const child = startRehearsal();
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) if (line.startsWith(text)) child.kill('SIGKILL');
  expect(await exited, text).toEqual([null, 'SIGKILL']);
}

const writeBusiness = () =>
  servers.source.query(`update businesses set name = name || '.' where id = '${businessId}'`);

it('continues after it was killed at each step', async () => {
  await killAt('prepare the tables');
  await killAt('copy');
  await killAt('copy:');
  await killAt('pause');
  await killAt('compare');
  await killAt('remove the copy');
  await killAt('copy:');
  const result = await servers.move('--rehearse');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toContain('Both servers had the same rows.');
  expect(await listRemains(servers)).toEqual([]);
});

it('rejects writes for at most ten seconds if it is killed during the pause', async () => {
  // The copy is complete: the start of one would wait for the transaction of the writer.
  await killAt('compare');
  const writer = new pg.Client({ connectionString: servers.source.url });
  await writer.connect();
  await writer.query('begin');
  await writer.query(`update businesses set name = 'Written before the pause' where id = '${businessId}'`);
  const child = startRehearsal();
  child.stdout.resume();
  const exited = once(child, 'exit');
  const fences = () => servers.source.query('select 1 from business_write_fences');
  await expect.poll(async () => (await fences()).length, { timeout: 60_000, interval: 10 }).toBe(1);
  child.kill('SIGKILL');
  await exited;
  await writer.query('commit');
  await writer.end();
  await expect(writeBusiness()).rejects.toMatchObject({ code: 'DU001' });
  await expect.poll(() => writeBusiness().then(() => 'written', String), { timeout: 15_000 }).toBe('written');
  expect(await servers.move('--rehearse')).toMatchObject({ code: 0, stderr: '' });
  expect(await listRemains(servers)).toEqual([]);
});

it('cancels what an interrupted copy has left', async () => {
  await killAt('copy:');
  expect(await listRemains(servers)).not.toEqual([]);
  expect(await servers.move('--cancel')).toMatchObject({
    code: 0,
    stdout: 'Everything that the copy had left was removed.\n',
  });
  expect(await listRemains(servers)).toEqual([]);
  expect(await servers.move('--cancel', '--json')).toMatchObject({
    code: 0,
    stdout: '{"cancelled":false}\n',
  });
});
