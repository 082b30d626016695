/** `duet move` between two servers: under load there and back, killed at each of its steps, cancelled, and with a process that hears nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, inject, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import {
  consistencyErrors,
  formatTally,
  type PreparedWorkload,
  prepareWorkload,
  runClients,
} from '../reliability/network-faults/verified-workload.ts';
import { expectConsistentDatabase } from '../support/audited-databases.ts';
import { runDuet } from '../support/cli.ts';
import { fetchWithRetry } from '../support/gateway-process.ts';
import { nodeFlags } from '../support/node-flags.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { businessId, listRemains, startTwoServers, type TwoServers } from './two-servers.ts';

let servers: TwoServers;
let prepared: PreparedWorkload;

beforeAll(async () => {
  servers = await startTwoServers();
  prepared = await prepareWorkload(servers.gateway.url, () => servers.gateway.url);
  return () => servers.gateway.kill();
});

const moveTo = (server: string, ...options: string[]) =>
  runDuet(['move', businessId, server, ...options], { env: servers.env });

/** What moves have left, with the business on this server. */
const listRemainsAt = (server: 'home' | 'second') => {
  const { source, target } = servers;
  return listRemains(server === 'home' ? { source, target } : { source: target, target: source });
};

const send = (path: string, token: string, body: object, method = 'POST') =>
  fetch(`${servers.gateway.url}/v1/businesses/${businessId}/${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });

/** Places an order of the sold product as a guest and pays it, with retries. Returns its id. */
async function buyAndPay(): Promise<string> {
  const { guest, soldProduct } = prepared.load;
  const { url } = servers.gateway;
  const placed = await fetchWithRetry(`${url}/v1/businesses/${businessId}/orders/checkout`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${guest.token}`,
      'idempotency-key': newId(),
    },
    body: JSON.stringify({
      market: 'US',
      shippingMethodId: 'standard',
      items: [{ ...soldProduct, quantity: 1 }],
    }),
  });
  const order = (await placed.json()) as { orderId: string; checkoutUrl: string };
  expect(placed.status, JSON.stringify(order)).toBe(200);
  prepared.load.orders.push(order.orderId);
  prepared.load.changes.push({ change: -1, outcome: 'ok' });
  const { pathname, search } = new URL(order.checkoutUrl);
  const paid = await fetchWithRetry(url + pathname + search, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'action=pay',
  });
  expect(paid.status, await paid.text()).toBe(303);
  return order.orderId;
}

const countPaid = async (server: PostgresServer, ids: readonly string[]) =>
  (
    await server.query(
      `select 1 from orders where payment_status = 'PAID' and id in (${ids.map((id) => `'${id}'`).join()})`,
    )
  ).length;

it('moves a shop that sells there and back, and loses and doubles nothing', {
  timeout: 240_000,
}, async () => {
  const { source, target } = servers;
  const { load } = prepared;
  const paid: string[] = [];
  const clients = runClients(load, 1);
  const payer = (async () => {
    while (!load.isOver) {
      paid.push(await buyAndPay());
      await sleep(100);
    }
  })();
  try {
    await expect.poll(() => load.orders.length).toBeGreaterThan(10);
    for (const [server, from, to] of [
      ['second', source, target],
      ['home', target, source],
    ] as const) {
      const before = load.orders.length;
      const { code, stdout, stderr } = await moveTo(server, '--json');
      expect(`${code} ${stderr}`).toBe('0 ');
      const { tables, findings, ...report } = JSON.parse(stdout);
      console.log(server, formatTally(load), { ...report, tables: tables.length });
      expect(findings).toEqual([]);
      expect(report.pauseMs).toBeLessThan(10_000);
      expect(await listRemainsAt(server)).toEqual([]);
      // Clients go on selling on the new server.
      const after = load.orders.length;
      expect(after).toBeGreaterThan(before);
      await expect.poll(() => load.orders.length, { timeout: 20_000 }).toBeGreaterThan(after + 5);
      const count = (postgres: PostgresServer) =>
        postgres.query(`select 1 from orders where business_id = '${businessId}'`);
      expect((await count(from)).length).toBe(0);
      expect((await count(to)).length).toBeGreaterThan(after);
    }
  } finally {
    load.isOver = true;
    await Promise.allSettled([clients, payer]);
  }
  await Promise.all([clients, payer]);
  expect(load.errors).toEqual([]);
  expect(await consistencyErrors(prepared, source.url)).toEqual([]);
  await expect.poll(() => countPaid(source, paid), { timeout: 30_000 }).toBe(paid.length);
  // Payments, stock, and order numbers without gaps.
  await expectConsistentDatabase({ url: source.url, poolSize: 2 });
  const check = await runDuet(['shards', '--check'], { env: servers.env });
  expect(check.stdout).toContain('Every business is on the server that the directory names.');
});

/** Kills the command when it prints a line that begins with `text`. Returns whether it printed one. */
async function killAt(server: string, text: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [...nodeFlags, join(inject('programs'), 'duet.js'), 'move', businessId, server],
    {
      cwd: packageRoot,
      env: { PATH: process.env.PATH, ...servers.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) if (line.startsWith(text)) child.kill('SIGKILL');
  expect(await exited, text).toEqual([null, 'SIGKILL']);
}

const serverByDirectory = async () =>
  (
    await servers.source.query<{ shard: string }>(
      `select shard from business_placements where business_id = '${businessId}'`,
    )
  )[0]?.shard ?? 'home';

const writeProduct = async () => {
  const { records, staff } = prepared.load;
  const response = await send(`products/${records[0]}`, staff.token, { description: newId() }, 'PATCH');
  return response.status;
};

it('continues after it was killed at each step', { timeout: 240_000 }, async () => {
  for (const step of ['prepare the tables', 'copy', 'copy:', 'pause', 'compare']) {
    await killAt('second', step);
    expect([step, await serverByDirectory()]).toEqual([step, 'home']);
    // A pause ends by itself.
    await expect.poll(writeProduct, { timeout: 15_000 }).toBe(200);
  }
  await killAt('second', 'switch');
  for (const step of ['second has the business', 'wait for reads', 'move the jobs', 'remove the rows']) {
    await killAt('second', step);
    expect([step, await serverByDirectory()]).toEqual([step, 'second']);
    await expect.poll(writeProduct, { timeout: 15_000 }).toBe(200);
  }
  expect(await moveTo('home')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A move to second is not finished'),
  });
  expect(await moveTo('second', '--cancel')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('second has the business already'),
  });
  const doctor = await runDuet(['doctor'], { env: servers.env });
  expect(doctor.stdout).toContain('a move to second is not finished');
  expect(await moveTo('second')).toMatchObject({ code: 0, stderr: '' });
  expect(await listRemainsAt('second')).toEqual([]);
  await buyAndPay();
  expect(await moveTo('home')).toMatchObject({ code: 0, stderr: '' });
  expect(await listRemainsAt('home')).toEqual([]);
  expect(await consistencyErrors({ ...prepared, initialRecords: new Map() }, servers.source.url)).toEqual([]);
});
