/** Deliveries: replayed, fair, survived, forgotten, and never a way into the network. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createHttpWebhooks } from '../../src/adapters/webhooks/http.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { deliverDueWebhooks } from '../../src/domains/webhooks/delivery/deliver-webhooks.ts';
import {
  claimDueDeliveries,
  recordDeliveryOutcome,
} from '../../src/domains/webhooks/delivery/delivery-claims.ts';
import { jobs as webhookJobs } from '../../src/domains/webhooks/jobs.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { retentionJob } from '../../src/maintenance/background-jobs.ts';
import { TestApp } from '../support/app.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import { accepts, deliveriesTo, makeDue, register, webhooksOf } from '../support/hooks.ts';
import { createProducts, deliverNow, env, hooks, onlyDelivery, respondWith, shop, t } from './setup.ts';

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
    await createProducts();
    await deliverNow();
    Object.assign(t.app.services, { webhooks });
    expect(await onlyDelivery(endpoint)).toMatchObject({
      status: 'PENDING',
      lastError: 'Only https is allowed.',
    });
    expect(hooks.received).toEqual([]);
  });
});

describe('a replay', () => {
  it('sends again what was delivered, and what failed for good, with all its tries', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await createProducts();
    await t.app.drainJobs();
    const { id } = await onlyDelivery(endpoint);
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
    hooks.answer = respondWith(500);
    await t.app.drainJobs();
    for (let count = 0; count < 10; count += 1) await deliverNow();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'FAILED', attempts: 12 });
    hooks.answer = accepts;
    const path = `${webhooksOf(shop)}/${endpoint.id}/deliveries/${id}/replay`;
    expect((await t.rest('POST', path, { as: shop.admin })).body).toMatchObject({
      status: 'PENDING',
      attempts: 12,
    });
    await t.app.drainJobs();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 13 });
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(hooks.received.map(({ body }) => body)).size).toBe(1);
  });
});

describe('fairness', () => {
  it('lets nobody wait for an endpoint that hangs', async () => {
    const slow = await register(t, shop, `${hooks.url}/slow`);
    const others = await Promise.all([t.shop(), t.shop()]);
    for (const other of others) await register(t, other, `${hooks.url}/quick`);
    await createProducts(shop, 40);
    for (const other of others) await createProducts(other, 8);
    const hanging: (() => void)[] = [];
    hooks.answer = (response, { path }) => {
      if (path === '/quick') accepts(response);
      else hanging.push(() => response.destroy());
    };
    const running = deliverDueWebhooks(t.app.services);
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

  it('lets nobody wait for all the endpoints of a business', async () => {
    for (let count = 0; count < 20; count += 1) await register(t, shop, `${hooks.url}/slow`);
    await createProducts(shop, 3);
    const other = await t.shop();
    await register(t, other, `${hooks.url}/quick`);
    const hanging: (() => void)[] = [];
    hooks.answer = (response, { path }) => {
      if (path === '/quick') accepts(response);
      else hanging.push(() => response.destroy());
    };
    const running = deliverDueWebhooks(t.app.services);
    await expect.poll(() => hanging.length).toBe(16);
    await createProducts(other, 2);
    await expect.poll(() => hooks.received.filter(({ path }) => path === '/quick').length).toBe(2);
    expect(hanging).toHaveLength(16);
    hooks.answer = (response) => response.destroy();
    for (const cut of hanging) cut();
    await running;
  });

  it('gives the next turn to the business with the fewest under way', async () => {
    const other = await t.shop();
    for (let count = 0; count < 4; count += 1) await register(t, shop, hooks.url);
    await register(t, other, hooks.url);
    await createProducts(shop, 5);
    await createProducts(other, 3);
    const shares = async (underWay: number, room: number) => {
      await makeDue(t);
      const busy = Array.from({ length: underWay }, () => ({
        endpointId: newId(),
        businessId: shop.businessId,
      }));
      const claimed = await claimDueDeliveries(t.db, busy, room);
      const ofMany = claimed.filter(({ businessId }) => businessId === shop.businessId).length;
      return [ofMany, claimed.length - ofMany];
    };
    expect(await shares(0, 4)).toEqual([2, 2]);
    expect(await shares(1, 3)).toEqual([1, 2]);
    expect(await shares(3, 3)).toEqual([0, 3]);
    expect(await shares(0, 32)).toEqual([16, 3]);
    expect(await shares(14, 32)).toEqual([2, 3]);
    expect(await shares(16, 32)).toEqual([0, 3]);
  });

  it('asks an endpoint that fails for one thing at a time', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await createProducts(shop, 6);
    expect(await claimDueDeliveries(t.db, [], 32)).toHaveLength(5);
    await makeDue(t);
    await t.db.sql('update webhook_endpoints set failing_since = 1 where id = $1', [endpoint.id]);
    expect(await claimDueDeliveries(t.db, [], 32)).toHaveLength(1);
    const busy = [{ endpointId: endpoint.id, businessId: shop.businessId }];
    expect(await claimDueDeliveries(t.db, busy, 32)).toEqual([]);
  });
});

describe('a process that dies', () => {
  it('leaves what it had claimed to the others, a minute later', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await createProducts();
    const [claimed] = await claimDueDeliveries(t.db, [], 32);
    await deliverDueWebhooks(t.app.services);
    expect(hooks.received).toEqual([]);
    const { nextAttemptAt = 0 } = await onlyDelivery(endpoint);
    expect(nextAttemptAt - now()).toBeGreaterThan(50);
    await deliverNow();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2 });
    // The dead come back: what they have to say does not count any more.
    if (claimed)
      await recordDeliveryOutcome(t.db, claimed, { status: 'FAILED', error: 'late', durationMs: 1 });
    expect(await onlyDelivery(endpoint)).toMatchObject({
      status: 'DELIVERED',
      attempts: 2,
      lastStatusCode: 200,
    });
  });

  it('between the change and its job loses nothing', async () => {
    const endpoint = await register(t, shop, hooks.url);
    await createProducts();
    await t.db.sql('delete from pgboss.job', []);
    const [deliverJob] = webhookJobs;
    expect(deliverJob?.policy).toMatchObject({ cron: '* * * * *', atStart: true });
    await deliverJob?.run(t.app.services, {});
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'DELIVERED' });
  });
});

it('forgets events and deliveries after thirty days', async () => {
  const endpoint = await register(t, shop, hooks.url);
  await createProducts(shop, 2);
  const [young] = await deliveriesTo(t, shop, endpoint);
  await t.db.sql('update webhook_events set created_at = $1 where id <> $2', [
    now() - 31 * 86_400,
    young?.eventId,
  ]);
  await retentionJob.run(t.app.services, {});
  expect((await deliveriesTo(t, shop, endpoint)).map(({ id }) => id)).toEqual([young?.id]);
});

it('keeps secrets and addresses out of the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const endpoint = await register(t, shop, `${hooks.url}/private-path`);
  const { log: before } = t.app.services;
  Object.assign(t.app.services, { log });
  hooks.answer = respondWith(410);
  await createProducts();
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
      Array.from({ length: 10 }, (_, index) => claimDueDeliveries((index % 2 ? one : two).db, [], 32)),
    );
    const claimed = claims.flat().map(({ id }) => id);
    expect(claimed.length).toBeGreaterThanOrEqual(32);
    expect(new Set(claimed).size).toBe(claimed.length);
    await one.db.sql('update webhook_deliveries set attempts = 0, next_attempt_at = 0');
    await Promise.all([deliverDueWebhooks(one.app.services), deliverDueWebhooks(two.app.services)]);
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
