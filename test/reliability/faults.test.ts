/**
 * Two gateways, each behind a network of its own that fails, while people work with them: what was said is true, what was lost in the
 * middle is done once or not at all, and the gateways come back by themselves. `RELIABILITY=full`: for
 * `FAULTS_SECONDS`, from `FAULTS_SEED`, and the gateways are killed and stopped, too.
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
import { breakThings, type Database, type Place } from './faults/schedule.ts';
import { asked, everybody, lies, type Opened, opened, send, tallyOf } from './faults/told.ts';
import { look } from './faults/workload.ts';

/** 0: every kind of network fault once. Longer ones also end the gateways. */
const seconds = process.env.RELIABILITY === 'full' ? Number(process.env.FAULTS_SECONDS ?? 120) : 0;
const seed = Number(process.env.FAULTS_SEED ?? 1);
/** A gateway that is well again says so within this time, on a machine that is busy with other tests too. */
const backMs = 15_000;
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

const places: Place[] = [];
const proxies: FaultProxy[] = [];
let sink: SmtpSink;
let redis: RedisServer | undefined;
let database: Database;
let shop: Opened;

async function through(target: string): Promise<FaultProxy> {
  const proxy = await startFaultProxy(target);
  proxies.push(proxy);
  return proxy;
}

/** Limits on connections do not hold for who may do everything. */
async function asSomebody(url: string): Promise<string> {
  const name = `faults_${randomUUID().replaceAll('-', '')}`;
  const own = new URL(url);
  await asked(database.adminUrl, `create role ${name} login password 'duet' in role ${own.username}`);
  own.username = name;
  return own.href;
}

async function startPlace(url: string, redisUrl: string | undefined): Promise<Place> {
  const [way, mail] = [await through(url), await through(sink.url)];
  const limits = redisUrl === undefined ? undefined : await through(redisUrl);
  const gateway = await startGateway({
    DATABASE_URL: way.url,
    SMTP_URL: mail.url,
    ...(limits && { REDIS_URL: limits.url, RATE_LIMIT: 'on', REQUEST_BUDGET: '1000000000' }),
    SEED_DEMO: 'on',
    UNPAID_ORDERS_PER_CUSTOMER: '1000000',
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
    OPERATION_TIMEOUT: '3s',
  });
  return { gateway, database: way, mail, limits };
}

beforeAll(async () => {
  const whole = await auditedDatabaseUrl();
  const admin = new URL(inject('postgresTemplate'));
  admin.pathname = '/postgres';
  database = { name: new URL(whole).pathname.slice(1), adminUrl: admin.href };
  const url = await asSomebody(whole);
  sink = await startSmtpSink();
  redis = hasRedis ? await startRedis() : undefined;
  places.push(...(await Promise.all([startPlace(url, redis?.url), startPlace(url, redis?.url)])));
  const chance = new Dice(seed);
  shop = await opened(places[0]?.gateway.url ?? '', () => chance.pick(places)?.gateway.url ?? '');
});
afterAll(async () => {
  await Promise.all(places.map(({ gateway }) => gateway.kill()));
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await sink?.close();
  await redis?.stop();
});

const readiness = async (url: string): Promise<unknown> =>
  fetch(`${url}/health/ready`).then(
    (answer) => answer.json(),
    () => 'no answer',
  );
const isWell = { status: 'ok', database: 'ok', migrations: 'ok', stopping: false };

it(
  `tells no lie and comes back, seed ${seed}`,
  async () => {
    const { load } = shop;
    const working = everybody(load, seed);
    let backAfter = 0;
    const broken: string[] = [];
    try {
      await breakThings(places, database, new Dice(seed), seconds, broken);
      const healed = performance.now();
      for (const { gateway } of places)
        await expect.poll(() => readiness(gateway.url), { timeout: backMs }).toEqual(isWell);
      backAfter = Math.round(performance.now() - healed);
    } catch (error) {
      load.abandoned = true;
      console.log(broken.join(', '), ...places.map(({ gateway }) => gateway.output().slice(-6000)));
      throw error;
    } finally {
      load.over = true;
      await working;
    }
    console.log(`${broken.length} faults, back after ${backAfter} ms. ${tallyOf(load)}`);
    expect(load.faults).toEqual([]);

    // Whoever looks now sees all of it, at either of them.
    for (const { gateway } of places) {
      load.gateway = () => gateway.url;
      for (const id of load.records)
        await expect.poll(() => look(load, new Dice(seed), 'the last', id), { timeout: backMs }).toBe(true);
    }
    const url = new URL(database.adminUrl);
    url.pathname = database.name;
    expect(await lies(shop, url.href)).toEqual([]);

    for (const { gateway } of places) {
      let email = '';
      // On a busy machine the first may take longer than an operation is given, and is told so.
      const register = async () => {
        email = `${randomUUID()}@people.example`;
        const person = { provider: 'EMAIL', email, password: 'a long enough passphrase', name: 'Somebody' };
        await send(gateway.url, '/v1/users/register', person);
      };
      await expect.poll(() => register().catch(String), { timeout: backMs }).toBeUndefined();
      await expect.poll(() => sink.recipients.has(email), { timeout: backMs }).toBe(true);
    }
  },
  seconds * 1000 + 600_000,
);
