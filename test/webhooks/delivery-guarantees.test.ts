/** Guarantees of webhook delivery: SSRF protection, replay, fairness, crash recovery, retention, and exactly-once claims. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createHttpWebhookSender } from '../../src/adapters/webhooks/http.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import {
  claimDueWebhookDeliveries,
  recordWebhookDeliveryOutcome,
} from '../../src/domains/webhooks/delivery/claim-deliveries-and-record-outcomes.ts';
import { deliverDueWebhooks } from '../../src/domains/webhooks/delivery/deliver-webhooks.ts';
import { jobs as webhookJobs } from '../../src/domains/webhooks/jobs-and-retention-rules.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { retentionJob } from '../../src/maintenance/retention-job.ts';
import { TestApp } from '../support/app.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import {
  acceptWebhook,
  listDeliveries,
  makeDeliveriesDue,
  registerEndpoint,
  webhooksPath,
} from '../support/webhook-receiver.ts';
import { createProducts, deliverNow, env, hooks, onlyDelivery, respondWith, shop, t } from './setup.ts';

describe('SSRF protection', () => {
  const resolveTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const post = (url: string, addresses: string[], allowPrivate = false) =>
    createHttpWebhookSender({ allowPrivate, resolve: resolveTo(...addresses), timeoutMs: 2000 }).post({
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
  ])('rejects a host name that resolves to %s', async (_name, addresses) => {
    await expect(post('https://innocent.example/', addresses)).rejects.toThrow(
      'innocent.example is a private address, which is not allowed.',
    );
    expect(hooks.received).toEqual([]);
  });

  it.each(['https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/'])(
    'rejects %s without a DNS lookup',
    async (url) => {
      await expect(post(url, ['93.184.216.34'])).rejects.toThrow('is a private address');
    },
  );

  it('rejects plain http and a host name without an address', async () => {
    await expect(post('http://innocent.example/', ['93.184.216.34'])).rejects.toThrow('Only https');
    await expect(post('https://innocent.example/', [])).rejects.toThrow('has no address');
  });

  it('connects to the checked address with the host name in the Host header when private addresses are allowed', async () => {
    const port = new URL(hooks.url).port;
    const response = await post(`http://receiver.example:${port}/in`, ['127.0.0.1'], true);
    expect(response).toMatchObject({ status: 200 });
    expect(hooks.received).toMatchObject([{ path: '/in', headers: { host: `receiver.example:${port}` } }]);
  });

  it('checks the URL again at delivery, for endpoints registered when private addresses were allowed', async () => {
    const endpoint = await registerEndpoint(t, shop, `http://localhost:${new URL(hooks.url).port}`);
    const { webhooks } = t.app.services;
    Object.assign(t.app.services, { webhooks: createHttpWebhookSender({ allowPrivate: false }) });
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

describe('replayWebhookDelivery', () => {
  it('sends delivered and failed deliveries again, with the full number of attempts', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
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
    hooks.respond = respondWith(500);
    await t.app.drainJobs();
    for (let count = 0; count < 10; count += 1) await deliverNow();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'FAILED', attempts: 12 });
    hooks.respond = acceptWebhook;
    const path = `${webhooksPath(shop)}/${endpoint.id}/deliveries/${id}/replay`;
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
  it('delivers to other endpoints while one endpoint hangs', async () => {
    const slow = await registerEndpoint(t, shop, `${hooks.url}/slow`);
    const others = await Promise.all([t.shop(), t.shop()]);
    for (const other of others) await registerEndpoint(t, other, `${hooks.url}/quick`);
    await createProducts(shop, 40);
    for (const other of others) await createProducts(other, 8);
    const hangingResponses: (() => void)[] = [];
    hooks.respond = (response, { path }) => {
      if (path === '/quick') acceptWebhook(response);
      else hangingResponses.push(() => response.destroy());
    };
    const running = deliverDueWebhooks(t.app.services);
    const quickCount = () => hooks.received.filter(({ path }) => path === '/quick').length;
    for (let waited = 0; waited < 8000 && quickCount() < 16; waited += 20) await sleep(20);
    expect(quickCount()).toBe(16);
    expect(hangingResponses).toHaveLength(5);
    hooks.respond = (response) => response.destroy();
    for (const cut of hangingResponses) cut();
    await running;
    const [{ attempts } = { attempts: 0 }] = await t.db.sql<{ attempts: number }>(
      'select max(attempts) as attempts from webhook_deliveries where endpoint_id = $1',
      [slow.id],
    );
    expect(attempts).toBe(1);
  });

  it('delivers to other businesses while all endpoints of one business hang', async () => {
    for (let count = 0; count < 20; count += 1) await registerEndpoint(t, shop, `${hooks.url}/slow`);
    await createProducts(shop, 3);
    const other = await t.shop();
    await registerEndpoint(t, other, `${hooks.url}/quick`);
    const hangingResponses: (() => void)[] = [];
    hooks.respond = (response, { path }) => {
      if (path === '/quick') acceptWebhook(response);
      else hangingResponses.push(() => response.destroy());
    };
    const running = deliverDueWebhooks(t.app.services);
    await expect.poll(() => hangingResponses.length).toBe(16);
    await createProducts(other, 2);
    await expect.poll(() => hooks.received.filter(({ path }) => path === '/quick').length).toBe(2);
    expect(hangingResponses).toHaveLength(16);
    hooks.respond = (response) => response.destroy();
    for (const cut of hangingResponses) cut();
    await running;
  });

  it('claims first for the business with the fewest deliveries in flight', async () => {
    const other = await t.shop();
    for (let count = 0; count < 4; count += 1) await registerEndpoint(t, shop, hooks.url);
    await registerEndpoint(t, other, hooks.url);
    await createProducts(shop, 5);
    await createProducts(other, 3);
    const shares = async (inFlight: number, limit: number) => {
      await makeDeliveriesDue(t);
      const busy = Array.from({ length: inFlight }, () => ({
        endpointId: newId(),
        businessId: shop.businessId,
      }));
      const claimed = await claimDueWebhookDeliveries(t.db, busy, limit);
      const ofShop = claimed.filter(({ businessId }) => businessId === shop.businessId).length;
      return [ofShop, claimed.length - ofShop];
    };
    expect(await shares(0, 4)).toEqual([2, 2]);
    expect(await shares(1, 3)).toEqual([1, 2]);
    expect(await shares(3, 3)).toEqual([0, 3]);
    expect(await shares(0, 32)).toEqual([16, 3]);
    expect(await shares(14, 32)).toEqual([2, 3]);
    expect(await shares(16, 32)).toEqual([0, 3]);
  });

  it('claims one delivery at a time for a failing endpoint', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    await createProducts(shop, 6);
    expect(await claimDueWebhookDeliveries(t.db, [], 32)).toHaveLength(5);
    await makeDeliveriesDue(t);
    await t.db.write('update webhook_endpoints set failing_since = 1 where id = $1', [endpoint.id]);
    expect(await claimDueWebhookDeliveries(t.db, [], 32)).toHaveLength(1);
    const busy = [{ endpointId: endpoint.id, businessId: shop.businessId }];
    expect(await claimDueWebhookDeliveries(t.db, busy, 32)).toEqual([]);
  });
});

describe('a crashed process', () => {
  it('releases its claims after a minute', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    await createProducts();
    const [claimed] = await claimDueWebhookDeliveries(t.db, [], 32);
    await deliverDueWebhooks(t.app.services);
    expect(hooks.received).toEqual([]);
    const { nextAttemptAt = 0 } = await onlyDelivery(endpoint);
    expect(nextAttemptAt - now()).toBeGreaterThan(50);
    await deliverNow();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2 });
    // A late outcome of the first worker is ignored.
    if (claimed)
      await recordWebhookDeliveryOutcome(t.db, claimed, { status: 'FAILED', error: 'late', durationMs: 1 });
    expect(await onlyDelivery(endpoint)).toMatchObject({
      status: 'DELIVERED',
      attempts: 2,
      lastStatusCode: 200,
    });
  });

  it('loses nothing between the change and its job', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    await createProducts();
    await t.db.write('delete from pgboss.job', []);
    const [deliverJob] = webhookJobs;
    expect(deliverJob?.policy).toMatchObject({ cron: '* * * * *', atStart: true });
    await deliverJob?.run(t.app.services, {});
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'DELIVERED' });
  });
});

it('deletes events and deliveries after thirty days', async () => {
  const endpoint = await registerEndpoint(t, shop, hooks.url);
  await createProducts(shop, 2);
  const [young] = await listDeliveries(t, shop, endpoint);
  await t.db.write('update webhook_events set created_at = $1 where id <> $2', [
    now() - 31 * 86_400,
    young?.eventId,
  ]);
  await retentionJob.run(t.app.services, {});
  expect((await listDeliveries(t, shop, endpoint)).map(({ id }) => id)).toEqual([young?.id]);
});

it('does not log secrets or URLs', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const endpoint = await registerEndpoint(t, shop, `${hooks.url}/private-path`);
  const { log: originalLog } = t.app.services;
  Object.assign(t.app.services, { log });
  hooks.respond = respondWith(410);
  await createProducts();
  await t.app.drainJobs();
  Object.assign(t.app.services, { log: originalLog });
  expect(lines.join('')).toContain('webhook endpoint disabled');
  expect(lines.join('')).not.toMatch(/whsec_|private-path/);
  expect(lines.join('')).not.toContain(endpoint.secret.slice(6));
});

it.runIf(onPostgres)('delivers each event once with two gateways on one database', async () => {
  const url = await testDatabaseUrl();
  const open = async () => {
    const db = await openDb({ url });
    const app = await createApp({ config: readConfig(env), db, log: pino({ level: 'silent' }) });
    return new TestApp(app, db, []);
  };
  const [first, second] = [await open(), await open()];
  try {
    const sharedShop = await first.shop();
    for (let count = 0; count < 6; count += 1)
      await registerEndpoint(first, sharedShop, `${hooks.url}/${count}`);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? first : second).rest('POST', `/v1/businesses/${sharedShop.businessId}/products`, {
          as: sharedShop.admin,
          body: { name: newId() },
        }),
      ),
    );
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        claimDueWebhookDeliveries((index % 2 ? first : second).db, [], 32),
      ),
    );
    const claimed = claims.flat().map(({ id }) => id);
    expect(claimed.length).toBeGreaterThanOrEqual(32);
    expect(new Set(claimed).size).toBe(claimed.length);
    await first.db.write('update webhook_deliveries set attempts = 0, next_attempt_at = 0');
    await Promise.all([deliverDueWebhooks(first.app.services), deliverDueWebhooks(second.app.services)]);
    const seen = hooks.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    const undelivered = await first.db.sql(
      `select 1 from webhook_deliveries where status <> 'DELIVERED' or attempts <> 1`,
    );
    expect(undelivered).toEqual([]);
  } finally {
    await first.db.close();
    await second.db.close();
  }
});
