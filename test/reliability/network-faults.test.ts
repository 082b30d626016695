/**
 * Network faults between two gateways and their database, mail server and Redis, under load. Confirmed writes are durable, requests without
 * a response are executed at most once, and the gateways recover without a restart. `RELIABILITY=full` runs for `FAULTS_SECONDS` from
 * `FAULTS_SEED`, and also kills and stops the gateways.
 */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Dice } from '../simulation/seeded-random.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startGateway } from '../support/gateway-process.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { type Database, type GatewayLinks, injectFaults } from './network-faults/fault-schedule.ts';
import {
  consistencyErrors,
  formatTally,
  type PreparedWorkload,
  post,
  prepareWorkload,
  query,
  runClients,
} from './network-faults/verified-workload.ts';
import { readProducts } from './network-faults/workload.ts';

/** 0: every kind of network fault once. Above 0, gateways are also killed and stopped. */
const seconds = process.env.RELIABILITY === 'full' ? Number(process.env.FAULTS_SECONDS ?? 120) : 0;
const seed = Number(process.env.FAULTS_SEED ?? 1);
/** Maximum time until a gateway is ready after the faults end, on a machine that is busy with other tests. */
const recoveryMs = 15_000;
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const gatewayLinks: GatewayLinks[] = [];
const proxies: FaultProxy[] = [];
let sink: SmtpSink;
let redis: RedisServer | undefined;
let database: Database;
let prepared: PreparedWorkload;

async function proxyTo(target: string): Promise<FaultProxy> {
  const proxy = await startFaultProxy(target);
  proxies.push(proxy);
  return proxy;
}

/** URL with a new role that is not a superuser: connection limits do not apply to superusers. */
async function withRestrictedRole(databaseUrl: string): Promise<string> {
  const name = `faults_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(databaseUrl);
  await query(database.adminUrl, `create role ${name} login password 'duet' in role ${url.username}`);
  url.username = name;
  return url.href;
}

async function startLinkedGateway(url: string, redisUrl: string | undefined): Promise<GatewayLinks> {
  const [database, mail] = [await proxyTo(url), await proxyTo(sink.url)];
  const limits = redisUrl === undefined ? undefined : await proxyTo(redisUrl);
  const gateway = await startGateway({
    DATABASE_URL: database.url,
    SMTP_URL: mail.url,
    ...(limits && { REDIS_URL: limits.url, RATE_LIMIT: 'on', REQUEST_BUDGET: '1000000000' }),
    SEED_DEMO: 'on',
    UNPAID_ORDERS_PER_CUSTOMER: '1000000',
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
    OPERATION_TIMEOUT: '3s',
  });
  return { gateway, database, mail, limits };
}

beforeAll(async () => {
  const databaseUrl = await auditedDatabaseUrl();
  const admin = new URL(inject('postgresTemplate'));
  admin.pathname = '/postgres';
  database = { name: new URL(databaseUrl).pathname.slice(1), adminUrl: admin.href };
  const url = await withRestrictedRole(databaseUrl);
  sink = await startSmtpSink();
  redis = hasRedis ? await startRedis() : undefined;
  gatewayLinks.push(
    ...(await Promise.all([startLinkedGateway(url, redis?.url), startLinkedGateway(url, redis?.url)])),
  );
  const dice = new Dice(seed);
  prepared = await prepareWorkload(
    gatewayLinks[0]?.gateway.url ?? '',
    () => dice.pick(gatewayLinks)?.gateway.url ?? '',
  );
});
afterAll(async () => {
  await Promise.all(gatewayLinks.map(({ gateway }) => gateway.kill()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await sink?.close();
  await redis?.stop();
});

const readiness = async (url: string): Promise<unknown> =>
  fetch(`${url}/health/ready`).then(
    (response) => response.json(),
    () => 'no response',
  );
const readyState = { status: 'ok', database: 'ok', migrations: 'ok', stopping: false };

it(
  `returns no wrong response and recovers, seed ${seed}`,
  async () => {
    const { load } = prepared;
    const clients = runClients(load, seed);
    let recoveredAfterMs = 0;
    const injectedFaults: string[] = [];
    try {
      await injectFaults(gatewayLinks, database, new Dice(seed), seconds, injectedFaults);
      const faultsEndedAt = performance.now();
      for (const { gateway } of gatewayLinks)
        await expect.poll(() => readiness(gateway.url), { timeout: recoveryMs }).toEqual(readyState);
      recoveredAfterMs = Math.round(performance.now() - faultsEndedAt);
    } catch (error) {
      load.abandoned = true;
      console.log(
        injectedFaults.join(', '),
        ...gatewayLinks.map(({ gateway }) => gateway.output().slice(-6000)),
      );
      throw error;
    } finally {
      load.isOver = true;
      await clients;
    }
    console.log(
      `${injectedFaults.length} faults, recovered after ${recoveredAfterMs} ms. ${formatTally(load)}`,
    );
    expect(load.errors).toEqual([]);

    // Final reads of all records through each gateway, for the consistency check below.
    for (const { gateway } of gatewayLinks) {
      load.gateway = () => gateway.url;
      for (const id of load.records)
        await expect
          .poll(() => readProducts(load, new Dice(seed), 'final reader', id), { timeout: recoveryMs })
          .toBe(true);
    }
    const url = new URL(database.adminUrl);
    url.pathname = database.name;
    expect(await consistencyErrors(prepared, url.href)).toEqual([]);

    for (const { gateway } of gatewayLinks) {
      let email = '';
      // On a busy machine the first registration may exceed OPERATION_TIMEOUT and fail with 503.
      const register = async () => {
        email = `${randomUUID()}@people.example`;
        const person = { provider: 'EMAIL', email, password: 'a long enough passphrase', name: 'Somebody' };
        await post(gateway.url, '/v1/users/register', person);
      };
      await expect.poll(() => register().catch(String), { timeout: recoveryMs }).toBeUndefined();
      await expect.poll(() => sink.recipients.has(email), { timeout: recoveryMs }).toBe(true);
    }
  },
  seconds * 1000 + 600_000,
);
