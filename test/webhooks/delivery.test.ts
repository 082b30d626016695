/** Deliveries: signed, retried, replayed, and never at the cost of somebody else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpWebhooks } from '../../src/adapters/webhooks/http.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { claimDue, settle } from '../../src/domains/webhooks/claims.ts';
import { deliverDue } from '../../src/domains/webhooks/deliver.ts';
import { jobs as webhookJobs } from '../../src/domains/webhooks/jobs.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Shop, TestApp, testApp } from '../support/app.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import {
  accepts,
  type Delivery,
  deliveriesTo,
  type Endpoint,
  type Hooks,
  makeDue,
  register,
  startHooks,
  verified,
  webhooksOf,
} from '../support/hooks.ts';

const env = { WEBHOOK_ALLOW_PRIVATE: 'on' };
let t: TestApp;
let hooks: Hooks;
let shop: Shop;

beforeAll(async () => {
  t = await testApp(env);
  hooks = await startHooks();
});

beforeEach(async () => {
  // What earlier tests left behind is not due in this one.
  await t.db.sql('delete from webhook_events');
  shop = await t.shop();
  hooks.received.length = 0;
  hooks.answer = accepts;
});

const happen = async (to: Shop = shop, times = 1) => {
  for (let count = 0; count < times; count += 1)
    await t.rest('POST', `/v1/businesses/${to.businessId}/products`, {
      as: to.admin,
      body: { name: newId() },
    });
};
const deliverNow = async () => {
  await makeDue(t);
  await deliverDue(t.app.services);
};
const only = async (endpoint: Endpoint): Promise<Delivery> => {
  const [first, ...rest] = await deliveriesTo(t, shop, endpoint);
  expect(rest).toEqual([]);
  return first ?? expect.unreachable('there is a delivery');
};
const read = async ({ id }: Endpoint) =>
  (await t.rest<Endpoint>('GET', `${webhooksOf(shop)}/${id}`, { as: shop.admin })).body;
const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Hooks['answer'] =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

describe('a request', () => {
  it('is signed as the specification says, and recorded', async () => {
    const endpoint = await register(t, shop, `${hooks.url}/hook?x=1`);
    await happen();
    await t.app.drainJobs();
    const [hook] = hooks.received;
    const delivery = await only(endpoint);
    expect(hook?.path).toBe('/hook?x=1');
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Duet',
      'webhook-id': delivery.eventId,
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      host: hooks.url.replace('http://', ''),
    });
    expect(Math.abs(Number(hook?.headers['webhook-timestamp']) - now())).toBeLessThan(60);
    expect(hook && verified(endpoint.secret, hook)).toEqual({
      type: 'product.created',
      timestamp: new Date(delivery.createdAt * 1000).toISOString(),
      data: delivery.data,
    });
    expect(delivery).toEqual({
      id: expect.any(String),
      endpointId: endpoint.id,
      eventId: expect.any(String),
      type: 'product.created',
      data: expect.objectContaining({ businessId: shop.businessId }),
      status: 'DELIVERED',
      attempts: 1,
      lastAttemptAt: expect.any(Number),
      lastStatusCode: 200,
      lastResponse: 'thank you',
      lastDurationMs: expect.any(Number),
      deliveredAt: expect.any(Number),
      createdAt: expect.any(Number),
    });
    expect(() => hook && verified('whsec_AAAA', hook)).toThrow();
    expect(() => hook && verified(endpoint.secret, { ...hook, body: `${hook.body} ` })).toThrow();
  });

  it('carries two signatures for a day after a rotation, then one', async () => {
    const endpoint = await register(t, shop, hooks.url);
    const path = `${webhooksOf(shop)}/${endpoint.id}/rotate-secret`;
    const { body: rotated } = await t.rest<Endpoint>('POST', path, { as: shop.admin });
    await happen();
    await t.app.drainJobs();
    const [both] = hooks.received.splice(0);
    expect(both?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [endpoint.secret, rotated.secret])
      expect(both && verified(secret, both)).toBeTruthy();
    await t.db.sql('update webhook_endpoints set previous_secret_until = $2 where id = $1', [
      endpoint.id,
      now() - 1,
    ]);
    await happen();
    await t.app.drainJobs();
    const [one] = hooks.received;
    expect(one && verified(rotated.secret, one)).toBeTruthy();
    expect(() => one && verified(endpoint.secret, one)).toThrow();
  });
});

describe('a failure', () => {
  it('is tried again, later each time, with the same id and body, and given up after a day', async () => {
    const endpoint = await register(t, shop, hooks.url);
    hooks.answer = answerWith(500, {}, 'out of order');
    await happen();
    await t.app.drainJobs();
    const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000];
    for (const [index, pause] of pauses.entries()) {
      const delivery = await only(endpoint);
      expect(delivery).toMatchObject({
        status: 'PENDING',
        attempts: index + 1,
        lastStatusCode: 500,
        lastError: 'Answered 500.',
        lastResponse: 'out of order',
      });
      const wait = (delivery.nextAttemptAt ?? 0) - (delivery.lastAttemptAt ?? 0);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(pause * 0.9));
      expect(wait).toBeLessThanOrEqual(Math.ceil(pause * 1.1) + 1);
      await deliverDue(t.app.services);
      expect(hooks.received).toHaveLength(index + 1);
      await deliverNow();
    }
    const last = await only(endpoint);
    expect(last).toMatchObject({ status: 'FAILED', attempts: 11 });
    expect(last.nextAttemptAt).toBeUndefined();
    await deliverNow();
    expect(hooks.received).toHaveLength(11);
    expect(new Set(hooks.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([last.eventId]),
    );
    for (const hook of hooks.received) verified(endpoint.secret, hook);
    expect((await read(endpoint)).failingSince).toEqual(expect.any(Number));
  });

  it('has a job that comes back for it when that is soon', async () => {
    await register(t, shop, hooks.url);
    hooks.answer = answerWith(500);
    await happen();
    await t.db.sql('delete from pgboss.job', []);
    await deliverDue(t.app.services);
    const jobs = await t.db.sql<{ name: string; wait: number }>(
      'select name, extract(epoch from start_after - now())::int as wait from pgboss.job',
    );
    expect(jobs).toEqual([{ name: 'webhooks-deliver', wait: expect.any(Number) }]);
    expect(jobs[0]?.wait).toBeLessThanOrEqual(7);
  });

  it('is forgotten after a success', async () => {
    const endpoint = await register(t, shop, hooks.url);
    hooks.answer = answerWith(500);
    await happen();
    await t.app.drainJobs();
    hooks.answer = accepts;
    await deliverNow();
    expect(await only(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2, lastStatusCode: 200 });
    expect((await only(endpoint)).lastError).toBeUndefined();
    expect((await read(endpoint)).failingSince).toBeUndefined();
  });

  it.each<[string, Hooks['answer'], Partial<Delivery>]>([
    [
      'a redirect, which is not followed',
      answerWith(302, { location: '/elsewhere' }),
      { lastStatusCode: 302, lastError: 'Answered 302; redirects are not followed.' },
    ],
    ['a connection that is cut', (response) => response.destroy(), { lastError: 'socket hang up' }],
    ['no permission', answerWith(401), { lastStatusCode: 401, lastError: 'Answered 401.' }],
  ])('is %s', async (_what, answer, expected) => {
    const endpoint = await register(t, shop, hooks.url);
    hooks.answer = answer;
    await happen();
    await t.app.drainJobs();
    expect(await only(endpoint)).toMatchObject({ status: 'PENDING', attempts: 1, ...expected });
    expect(hooks.received).toHaveLength(1);
  });

  it('is nobody at home', async () => {
    const endpoint = await register(t, shop, 'http://127.0.0.1:1/');
    await happen();
    await t.app.drainJobs();
    const delivery = await only(endpoint);
    expect(delivery).toMatchObject({ status: 'PENDING', lastError: expect.stringContaining('ECONNREFUSED') });
    expect(delivery.lastStatusCode).toBeUndefined();
  });

  it.each([
    ['seconds', '7200', 7200],
    ['far too many seconds', '999999999', 12 * 3600],
    ['less than we wait anyway', '1', 4],
  ])('may say when to come back: %s', async (_what, retryAfter, least) => {
    const endpoint = await register(t, shop, hooks.url);
    hooks.answer = answerWith(429, { 'retry-after': retryAfter });
    await happen();
    await t.app.drainJobs();
    const { nextAttemptAt = 0, lastAttemptAt = 0 } = await only(endpoint);
    expect(nextAttemptAt - lastAttemptAt).toBeGreaterThanOrEqual(least);
    expect(nextAttemptAt - lastAttemptAt).toBeLessThanOrEqual(least + 3);
  });

  it('of 410 disables the endpoint, and what waits goes on when it is enabled', async () => {
    const endpoint = await register(t, shop, hooks.url);
    hooks.answer = answerWith(410);
    await happen();
    await t.app.drainJobs();
    expect(await only(endpoint)).toMatchObject({ status: 'FAILED', attempts: 1, lastStatusCode: 410 });
    expect(await read(endpoint)).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE', version: 2 });
    await t.db.sql(`update webhook_deliveries set status = 'PENDING'`);
    await happen();
    await deliverNow();
    expect(hooks.received).toHaveLength(1);
    hooks.answer = accepts;
    await t.rest('PUT', `${webhooksOf(shop)}/${endpoint.id}`, { as: shop.admin, body: { status: 'ACTIVE' } });
    await deliverNow();
    expect(await only(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2 });
  });

  it('of everything for five days disables the endpoint', async () => {
    const endpoint = await register(t, shop, hooks.url);
    hooks.answer = answerWith(500);
    const failing = (since: number) =>
      t.db.sql('update webhook_endpoints set failing_since = $2 where id = $1', [endpoint.id, since]);
    await failing(now() - 4 * 86_400);
    await happen();
    await t.app.drainJobs();
    expect(await read(endpoint)).toMatchObject({ status: 'ACTIVE' });
    await failing(now() - 5 * 86_400);
    await deliverNow();
    expect(await read(endpoint)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  });
});

describe('an answer', () => {
  const ask = (options: Partial<Parameters<typeof createHttpWebhooks>[0]>, url = hooks.url) =>
    createHttpWebhooks({ allowPrivate: true, ...options }).post({ url, headers: {}, body: '{}' });

  it('is not read to its end when it is huge', async () => {
    let written = 0;
    hooks.answer = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && written < 1e9) {
          written += chunk.length;
          if (!response.write(chunk)) return response.once('drain', more);
        }
      };
      more();
    };
    const answer = await ask({});
    expect(answer).toEqual({ status: 200, retryAfter: undefined, excerpt: 'x'.repeat(4096) });
    expect(written).toBeLessThan(100 * 1024 * 1024);
  });

  it('that never comes, or never ends, is not waited for', async () => {
    hooks.answer = () => {};
    await expect(ask({ timeoutMs: 200 })).rejects.toThrow('No answer within 0.2 seconds.');
    hooks.answer = (response) => response.writeHead(200).write('x');
    await expect(ask({ timeoutMs: 200 })).rejects.toThrow('No answer within 0.2 seconds.');
  });
});

describe('a way inside', () => {
  const resolveTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const post = (url: string, addresses: string[], allowPrivate = false) =>
    createHttpWebhooks({ allowPrivate, resolve: resolveTo(...addresses), timeoutMs: 2000 }).post({
      url,
      headers: {},
      body: '{}',
    });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a private network', ['10.0.0.5']],
    ['the metadata service', ['169.254.169.254']],
    ['a public address and a private one', ['93.184.216.34', '127.0.0.1']],
  ])('is not a name that leads to %s', async (_what, addresses) => {
    await expect(post('https://innocent.example/', addresses)).rejects.toThrow(
      'innocent.example is a private address, which is not allowed.',
    );
    expect(hooks.received).toEqual([]);
  });

  it.each(['https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/'])(
    'is not %s, which is not looked up at all',
    async (url) => {
      await expect(post(url, ['93.184.216.34'])).rejects.toThrow('is a private address');
    },
  );

  it('is not plain http, nor a name without an address', async () => {
    await expect(post('http://innocent.example/', ['93.184.216.34'])).rejects.toThrow('Only https');
    await expect(post('https://innocent.example/', [])).rejects.toThrow('has no address');
  });

  it('goes to the address that was checked, under the name, where it is allowed', async () => {
    const port = new URL(hooks.url).port;
    const answer = await post(`http://receiver.example:${port}/in`, ['127.0.0.1'], true);
    expect(answer).toMatchObject({ status: 200 });
    expect(hooks.received).toMatchObject([{ path: '/in', headers: { host: `receiver.example:${port}` } }]);
  });

  it('is refused at delivery to what was registered when it was allowed', async () => {
    const endpoint = await register(t, shop, `http://localhost:${new URL(hooks.url).port}`);
    const { webhooks } = t.app.services;
    Object.assign(t.app.services, { webhooks: createHttpWebhooks({ allowPrivate: false }) });
    await happen();
    await deliverNow();
    Object.assign(t.app.services, { webhooks });
    expect(await only(endpoint)).toMatchObject({ status: 'PENDING', lastError: 'Only https is allowed.' });
    expect(hooks.received).toEqual([]);
  });
});

describe('a replay', () => {
  it('sends again what was delivered, and what failed for good, with all its tries', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await happen();
    await t.app.drainJobs();
    const { id } = await only(endpoint);
    const replay = `mutation($b: ID!, $id: ID!) { replayWebhookDelivery(businessId: $b, id: $id) {
      webhookDelivery { id status attempts deliveredAt nextAttemptAt } } }`;
    const { data } = await t.graphql(replay, { b: shop.businessId, id }, { as: shop.admin });
    expect(data).toEqual({
      replayWebhookDelivery: {
        webhookDelivery: {
          id,
          status: 'PENDING',
          attempts: 1,
          deliveredAt: null,
          nextAttemptAt: expect.any(Number),
        },
      },
    });
    hooks.answer = answerWith(500);
    await t.app.drainJobs();
    for (let count = 0; count < 10; count += 1) await deliverNow();
    expect(await only(endpoint)).toMatchObject({ status: 'FAILED', attempts: 12 });
    hooks.answer = accepts;
    const path = `${webhooksOf(shop)}/${endpoint.id}/deliveries/${id}/replay`;
    expect((await t.rest('POST', path, { as: shop.admin })).body).toMatchObject({
      status: 'PENDING',
      attempts: 12,
    });
    await t.app.drainJobs();
    expect(await only(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 13 });
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(hooks.received.map(({ body }) => body)).size).toBe(1);
  });
});

describe('fairness', () => {
  it('lets nobody wait for an endpoint that hangs', async () => {
    const slow = await register(t, shop, `${hooks.url}/slow`);
    const others = await Promise.all([t.shop(), t.shop()]);
    for (const other of others) await register(t, other, `${hooks.url}/quick`);
    await happen(shop, 40);
    for (const other of others) await happen(other, 8);
    const hanging: (() => void)[] = [];
    hooks.answer = (response, { path }) => {
      if (path === '/quick') accepts(response);
      else hanging.push(() => response.destroy());
    };
    const running = deliverDue(t.app.services);
    const quick = () => hooks.received.filter(({ path }) => path === '/quick').length;
    for (let waited = 0; waited < 8000 && quick() < 16; waited += 20) await sleep(20);
    expect(quick()).toBe(16);
    expect(hanging).toHaveLength(5);
    hooks.answer = (response) => response.destroy();
    for (const cut of hanging) cut();
    await running;
    const [{ most } = { most: 0 }] = await t.db.sql<{ most: number }>(
      'select max(attempts) as most from webhook_deliveries where endpoint_id = $1',
      [slow.id],
    );
    expect(most).toBe(1);
  });

  it('asks an endpoint that fails for one thing at a time', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await happen(shop, 6);
    expect(await claimDue(t.db, [], 32)).toHaveLength(5);
    await makeDue(t);
    await t.db.sql('update webhook_endpoints set failing_since = 1 where id = $1', [endpoint.id]);
    expect(await claimDue(t.db, [], 32)).toHaveLength(1);
    expect(await claimDue(t.db, [endpoint.id], 32)).toEqual([]);
  });
});

describe('a process that dies', () => {
  it('leaves what it had claimed to the others, a minute later', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await happen();
    const [claimed] = await claimDue(t.db, [], 32);
    await deliverDue(t.app.services);
    expect(hooks.received).toEqual([]);
    const { nextAttemptAt = 0 } = await only(endpoint);
    expect(nextAttemptAt - now()).toBeGreaterThan(50);
    await deliverNow();
    expect(await only(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2 });
    // The dead come back: what they have to say does not count any more.
    if (claimed) await settle(t.db, claimed, { status: 'FAILED', error: 'late', durationMs: 1 });
    expect(await only(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2, lastStatusCode: 200 });
  });

  it('between the change and its job loses nothing', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await happen();
    await t.db.sql('delete from pgboss.job', []);
    const [deliverJob] = webhookJobs;
    expect(deliverJob?.policy).toMatchObject({ cron: '* * * * *', atStart: true });
    await deliverJob?.run(t.app.services, {});
    expect(await only(endpoint)).toMatchObject({ status: 'DELIVERED' });
  });
});

it('forgets events and deliveries after thirty days', async () => {
  const endpoint = await register(t, shop, hooks.url);
  await happen(shop, 2);
  const [young] = await deliveriesTo(t, shop, endpoint);
  await t.db.sql('update webhook_events set created_at = $1 where id <> $2', [
    now() - 31 * 86_400,
    young?.eventId,
  ]);
  await webhookJobs[1]?.run(t.app.services, {});
  expect((await deliveriesTo(t, shop, endpoint)).map(({ id }) => id)).toEqual([young?.id]);
});

it('keeps secrets and addresses out of the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const endpoint = await register(t, shop, `${hooks.url}/private-path`);
  const { log: before } = t.app.services;
  Object.assign(t.app.services, { log });
  hooks.answer = answerWith(410);
  await happen();
  await t.app.drainJobs();
  Object.assign(t.app.services, { log: before });
  expect(lines.join('')).toContain('webhook endpoint disabled');
  expect(lines.join('')).not.toMatch(/whsec_|private-path/);
  expect(lines.join('')).not.toContain(endpoint.secret.slice(6));
});

it.runIf(onPostgres)('is sent once by two gateways on one database', async () => {
  const url = await testDatabaseUrl();
  const open = async () => {
    const db = await openDb({ url });
    const app = await createApp({ config: readConfig(env), db, log: pino({ level: 'silent' }) });
    return new TestApp(app, db, []);
  };
  const [one, two] = [await open(), await open()];
  try {
    const both = await one.shop();
    for (let count = 0; count < 6; count += 1) await register(one, both, `${hooks.url}/${count}`);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).rest('POST', `/v1/businesses/${both.businessId}/products`, {
          as: both.admin,
          body: { name: newId() },
        }),
      ),
    );
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) => claimDue((index % 2 ? one : two).db, [], 32)),
    );
    const claimed = claims.flat().map(({ id }) => id);
    expect(claimed.length).toBeGreaterThanOrEqual(32);
    expect(new Set(claimed).size).toBe(claimed.length);
    await one.db.sql('update webhook_deliveries set attempts = 0, next_attempt_at = 0');
    await Promise.all([deliverDue(one.app.services), deliverDue(two.app.services)]);
    const seen = hooks.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    const left = await one.db.sql(
      `select 1 from webhook_deliveries where status <> 'DELIVERED' or attempts <> 1`,
    );
    expect(left).toEqual([]);
  } finally {
    await one.db.close();
    await two.db.close();
  }
});
