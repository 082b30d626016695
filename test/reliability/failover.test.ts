/**
 * Automatic failover with Patroni and etcd: a crash of PostgreSQL under load, and a primary that Patroni no longer controls. No confirmed
 * change is lost, no response is wrong, and no gateway is restarted. `RELIABILITY=full` uses the time limits of ops/patroni, and adds a
 * planned change of the primary, the loss of its machine, and an outage of etcd.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { expectConsistentDatabase } from '../support/audited-databases.ts';
import { fetchWithRetry, type Gateway, startGateway } from '../support/gateway-process.ts';
import {
  type PatroniCluster,
  type PatroniNode,
  patroniVersion,
  startPatroniCluster,
} from '../support/patroni.ts';
import {
  consistencyErrors,
  formatTally,
  type PreparedWorkload,
  prepareWorkload,
  query as queryServer,
  runClients,
} from './network-faults/verified-workload.ts';
import { readProducts } from './network-faults/workload.ts';

const full = process.env.RELIABILITY === 'full';
const isInstalled = patroniVersion() !== undefined;
if (!isInstalled) console.log('Patroni, etcd or PostgreSQL is not installed: their test is skipped.');

const shortTimeLimits = {
  'ttl: 20': 'ttl: 5',
  'loop_wait: 5': 'loop_wait: 1',
  'retry_timeout: 5': 'retry_timeout: 2',
};

describe.runIf(isInstalled)('a Patroni cluster', () => {
  let cluster: PatroniCluster;
  const gateways: Gateway[] = [];
  let prepared: PreparedWorkload;

  beforeAll(async () => {
    cluster = await startPatroniCluster(['node1', 'node2'], full ? {} : shortTimeLimits);
    await cluster.waitForLeader();
    const env = {
      DATABASE_URL: cluster.url,
      SEED_DEMO: 'on',
      UNPAID_ORDERS_PER_CUSTOMER: '1000000',
      UNPAID_ORDERS_PER_ADDRESS: '1000000',
      OPERATION_TIMEOUT: '3s',
    };
    gateways.push(await startGateway(env), await startGateway(env));
    const dice = new Dice(1);
    prepared = await prepareWorkload(gateways[0]?.url ?? '', () => dice.pick(gateways)?.url ?? '');
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await cluster?.stop();
  });

  /** Waits until both gateways confirm writes again. Returns the milliseconds since `since`. */
  async function waitForWrites(since: number): Promise<number> {
    const { load } = prepared;
    const confirmed = () => load.changes.filter(({ outcome }) => outcome === 'ok').length;
    const before = confirmed();
    await expect.poll(confirmed).toBeGreaterThan(before + 10);
    return Math.round(performance.now() - since);
  }

  /** Causes a change of the primary, and waits until the other node confirms writes. Returns the former primary. */
  async function failOver(
    label: string,
    cause: (primary: PatroniNode) => Promise<void>,
  ): Promise<PatroniNode> {
    const primary = await cluster.waitForLeader();
    const since = performance.now();
    await cause(primary);
    await expect.poll(async () => (await cluster.waitForLeader(0)).name).not.toBe(primary.name);
    const electedMs = Math.round(performance.now() - since);
    console.log(`${label}: new primary after ${electedMs} ms, writes after ${await waitForWrites(since)} ms`);
    return primary;
  }

  it('loses no confirmed change and returns no wrong response', async () => {
    const { load } = prepared;
    const clients = runClients(load, 1);
    try {
      await waitForWrites(performance.now());
      await failOver('crash of PostgreSQL', async (primary) => {
        process.kill(await primary.postgresPid(), 'SIGKILL');
      });
      if (full) {
        await failOver('planned change', (primary) => cluster.switchover(primary));
        const lost = await failOver('loss of the machine', (primary) => primary.kill());
        await lost.start();
      }
    } catch (error) {
      load.abandoned = true;
      console.log(...gateways.map((gateway) => gateway.output().slice(-3000)));
      console.log(...cluster.nodes.map((node) => node.output().slice(-3000)));
      throw error;
    } finally {
      load.isOver = true;
      await clients;
    }
    console.log(formatTally(load));
    expect(load.errors).toEqual([]);
    for (const { url } of gateways) {
      load.gateway = () => url;
      for (const id of load.records)
        await expect.poll(() => readProducts(load, new Dice(1), 'final reader', id)).toBe(true);
    }
    const primary = await cluster.waitForLeader(0);
    expect(await consistencyErrors(prepared, primary.url)).toEqual([]);
    await expectConsistentDatabase({ url: primary.url, poolSize: 2 });
  });

  it('leaves a primary that runs without Patroni', async () => {
    const { load } = prepared;
    const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products/${load.records[0]}`;
    const authorization = `Bearer ${load.staff.token}`;
    const readFrom = async ({ url }: Gateway) =>
      ((await (await fetch(url + path, { headers: { authorization } })).json()) as { name?: string }).name;
    const rename = async ({ url }: Gateway, name: string) => {
      const headers = { authorization, 'content-type': 'application/json' };
      return (await fetchWithRetry(url + path, { method: 'PUT', headers, body: JSON.stringify({ name }) }))
        .status;
    };
    const former = await cluster.waitForLeader();
    former.signalPatroni('SIGKILL');
    await expect.poll(async () => (await cluster.waitForLeader(0)).name).not.toBe(former.name);
    for (const gateway of gateways) {
      const name = `Renamed by ${gateway.url}`;
      expect(await rename(gateway, name)).toBe(200);
      await expect.poll(() => Promise.all(gateways.map(readFrom))).toEqual([name, name]);
    }
    // A commit that waits for a standby does not notice that its client is gone.
    const open = `select 1 from pg_stat_activity where application_name like 'duet %' and application_name <> 'duet search'
      and wait_event is distinct from 'SyncRep'`;
    await expect.poll(() => queryServer(former.url, open)).toEqual([]);
    const primary = await cluster.waitForLeader(0);
    expect(
      await queryServer(primary.url, `select name from products where id = '${load.records[0]}'`),
    ).toEqual([{ name: `Renamed by ${gateways[1]?.url}` }]);
    process.kill(await former.postgresPid(), 'SIGKILL');
    if (!full) return;
    await former.start();
    await cluster.waitForLeader();
    await cluster.etcd.stop();
    await sleep(40_000);
    for (const gateway of gateways) expect(await rename(gateway, 'Renamed without etcd')).toBe(200);
  });
});
