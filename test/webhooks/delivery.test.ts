/** Webhook delivery: signatures, retries and the handling of responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHttpWebhookSender } from '../../src/adapters/webhooks/http.ts';
import { deliverDueWebhooks } from '../../src/domains/webhooks/delivery/deliver-webhooks.ts';
import { now } from '../../src/lib/time.ts';
import {
  acceptWebhook,
  listDeliveries,
  makeDeliveriesDue,
  registerEndpoint,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookReceiver,
  webhooksPath,
} from '../support/webhook-receiver.ts';
import {
  createProducts,
  deliverNow,
  hooks,
  onlyDelivery,
  readEndpoint,
  respondWith,
  shop,
  t,
} from './setup.ts';

describe('a request', () => {
  it('is signed by the Standard Webhooks specification and recorded', async () => {
    const endpoint = await registerEndpoint(t, shop, `${hooks.url}/hook?x=1`);
    await createProducts();
    await t.app.drainJobs();
    const [hook] = hooks.received;
    const delivery = await onlyDelivery(endpoint);
    expect(hook?.path).toBe('/hook?x=1');
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Duet',
      'webhook-id': delivery.eventId,
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      host: hooks.url.replace('http://', ''),
    });
    expect(Math.abs(Number(hook?.headers['webhook-timestamp']) - now())).toBeLessThan(60);
    expect(hook && verifyWebhook(endpoint.secret, hook)).toEqual({
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
    expect(() => hook && verifyWebhook('whsec_AAAA', hook)).toThrow();
    expect(() => hook && verifyWebhook(endpoint.secret, { ...hook, body: `${hook.body} ` })).toThrow();
  });

  it('carries two signatures for 24 hours after a rotation, then one', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    const path = `${webhooksPath(shop)}/${endpoint.id}/rotate-secret`;
    const { body: rotated } = await t.rest<WebhookEndpoint>('POST', path, { as: shop.admin });
    await createProducts();
    await t.app.drainJobs();
    const [both] = hooks.received.splice(0);
    expect(both?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [endpoint.secret, rotated.secret])
      expect(both && verifyWebhook(secret, both)).toBeTruthy();
    await t.db.write('update webhook_endpoints set previous_secret_until = $2 where id = $1', [
      endpoint.id,
      now() - 1,
    ]);
    await createProducts();
    await t.app.drainJobs();
    const [single] = hooks.received;
    expect(single && verifyWebhook(rotated.secret, single)).toBeTruthy();
    expect(() => single && verifyWebhook(endpoint.secret, single)).toThrow();
  });
});

describe('a failure', () => {
  it('is retried with growing delays, the same id and body, and fails after a day', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    hooks.respond = respondWith(500, {}, 'out of order');
    await createProducts();
    await t.app.drainJobs();
    const delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000];
    for (const [index, delay] of delays.entries()) {
      const delivery = await onlyDelivery(endpoint);
      expect(delivery).toMatchObject({
        status: 'PENDING',
        attempts: index + 1,
        lastStatusCode: 500,
        lastError: 'Response status 500.',
        lastResponse: 'out of order',
      });
      const wait = (delivery.nextAttemptAt ?? 0) - (delivery.lastAttemptAt ?? 0);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(delay * 0.9));
      expect(wait).toBeLessThanOrEqual(Math.ceil(delay * 1.1) + 1);
      await deliverDueWebhooks(t.app.services);
      expect(hooks.received).toHaveLength(index + 1);
      await deliverNow();
    }
    const last = await onlyDelivery(endpoint);
    expect(last).toMatchObject({ status: 'FAILED', attempts: 11 });
    expect(last.nextAttemptAt).toBeUndefined();
    await deliverNow();
    expect(hooks.received).toHaveLength(11);
    expect(new Set(hooks.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([last.eventId]),
    );
    for (const hook of hooks.received) verifyWebhook(endpoint.secret, hook);
    expect((await readEndpoint(endpoint)).failingSince).toEqual(expect.any(Number));
  });

  it('enqueues a job for a retry within a minute', async () => {
    await registerEndpoint(t, shop, hooks.url);
    hooks.respond = respondWith(500);
    await createProducts();
    await t.db.write('delete from pgboss.job', []);
    await deliverDueWebhooks(t.app.services);
    const jobs = await t.db.sql<{ name: string; wait: number }>(
      'select name, extract(epoch from start_after - now())::int as wait from pgboss.job',
    );
    expect(jobs).toEqual([{ name: 'webhooks-deliver', wait: expect.any(Number) }]);
    expect(jobs[0]?.wait).toBeLessThanOrEqual(7);
  });

  it('is cleared by a success', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    hooks.respond = respondWith(500);
    await createProducts();
    await t.app.drainJobs();
    hooks.respond = acceptWebhook;
    await deliverNow();
    expect(await onlyDelivery(endpoint)).toMatchObject({
      status: 'DELIVERED',
      attempts: 2,
      lastStatusCode: 200,
    });
    expect((await onlyDelivery(endpoint)).lastError).toBeUndefined();
    expect((await readEndpoint(endpoint)).failingSince).toBeUndefined();
  });

  it.each<[string, WebhookReceiver['respond'], Partial<WebhookDelivery>]>([
    [
      'a redirect, which is not followed',
      respondWith(302, { location: '/elsewhere' }),
      { lastStatusCode: 302, lastError: 'Response status 302; redirects are not followed.' },
    ],
    ['a connection that is cut', (response) => response.destroy(), { lastError: 'socket hang up' }],
    ['no permission', respondWith(401), { lastStatusCode: 401, lastError: 'Response status 401.' }],
  ])('is %s', async (_name, answer, expected) => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    hooks.respond = answer;
    await createProducts();
    await t.app.drainJobs();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'PENDING', attempts: 1, ...expected });
    expect(hooks.received).toHaveLength(1);
  });

  it('is a refused connection', async () => {
    const endpoint = await registerEndpoint(t, shop, 'http://127.0.0.1:1/');
    await createProducts();
    await t.app.drainJobs();
    const delivery = await onlyDelivery(endpoint);
    expect(delivery).toMatchObject({ status: 'PENDING', lastError: expect.stringContaining('ECONNREFUSED') });
    expect(delivery.lastStatusCode).toBeUndefined();
  });

  it.each([
    ['seconds', '7200', 7200],
    ['far too many seconds', '999999999', 12 * 3600],
    ['less than the own delay', '1', 4],
  ])('honours Retry-After: %s', async (_name, retryAfter, minDelay) => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    hooks.respond = respondWith(429, { 'retry-after': retryAfter });
    await createProducts();
    await t.app.drainJobs();
    const { nextAttemptAt = 0, lastAttemptAt = 0 } = await onlyDelivery(endpoint);
    expect(nextAttemptAt - lastAttemptAt).toBeGreaterThanOrEqual(minDelay);
    expect(nextAttemptAt - lastAttemptAt).toBeLessThanOrEqual(minDelay + 3);
  });

  it('with status 410 disables the endpoint; pending deliveries resume when it is enabled', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    hooks.respond = respondWith(410);
    await createProducts();
    await t.app.drainJobs();
    expect(await onlyDelivery(endpoint)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      lastStatusCode: 410,
    });
    expect(await readEndpoint(endpoint)).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'GONE',
      version: 2,
    });
    await t.db.write(`update webhook_deliveries set status = 'PENDING'`);
    await createProducts();
    await deliverNow();
    expect(hooks.received).toHaveLength(1);
    hooks.respond = acceptWebhook;
    await t.rest('PUT', `${webhooksPath(shop)}/${endpoint.id}`, {
      as: shop.admin,
      body: { status: 'ACTIVE' },
    });
    await deliverNow();
    expect(await onlyDelivery(endpoint)).toMatchObject({ status: 'DELIVERED', attempts: 2 });
  });

  it('of all attempts for five days disables the endpoint', async () => {
    const endpoint = await registerEndpoint(t, shop, hooks.url);
    hooks.respond = respondWith(500);
    const setFailingSince = (since: number) =>
      t.db.write('update webhook_endpoints set failing_since = $2 where id = $1', [endpoint.id, since]);
    await setFailingSince(now() - 4 * 86_400);
    await createProducts();
    await t.app.drainJobs();
    expect(await readEndpoint(endpoint)).toMatchObject({ status: 'ACTIVE' });
    await setFailingSince(now() - 5 * 86_400);
    await deliverNow();
    expect(await readEndpoint(endpoint)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  });
});

describe('a response', () => {
  const post = (options: Partial<Parameters<typeof createHttpWebhookSender>[0]>, url = hooks.url) =>
    createHttpWebhookSender({ allowPrivate: true, ...options }).post({ url, headers: {}, body: '{}' });

  it('is read only up to a limit', async () => {
    let written = 0;
    hooks.respond = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const writeMore = () => {
        while (!response.destroyed && written < 1e9) {
          written += chunk.length;
          if (!response.write(chunk)) return response.once('drain', writeMore);
        }
      };
      writeMore();
    };
    const response = await post({});
    expect(response).toEqual({ status: 200, retryAfter: undefined, excerpt: 'x'.repeat(4096) });
    expect(written).toBeLessThan(100 * 1024 * 1024);
  });

  it('times out when it does not start or does not end', async () => {
    hooks.respond = () => {};
    await expect(post({ timeoutMs: 200 })).rejects.toThrow('No answer within 0.2 seconds.');
    hooks.respond = (response) => response.writeHead(200).write('x');
    await expect(post({ timeoutMs: 200 })).rejects.toThrow('No answer within 0.2 seconds.');
  });
});

it('delivers the next share of an endpoint that became idle during the claim query', async () => {
  const endpoint = await registerEndpoint(t, shop, `${hooks.url}/share`);
  await createProducts(shop, 7);
  await makeDeliveriesDue(t);
  const { db } = t.app.services;
  const delivered = async () =>
    (await listDeliveries(t, shop, endpoint)).filter(({ status }) => status === 'DELIVERED').length;
  const write: typeof db.write = async <Row>(text: string, params?: readonly unknown[]) => {
    const rows = await db.write<Row>(text, params);
    // The query ran while the endpoint was busy and returns when it is idle.
    if (text.includes('from webhook_endpoints o cross join lateral') && rows.length === 0) {
      await expect.poll(delivered).toBeGreaterThanOrEqual(5);
      await sleep(50);
    }
    return rows;
  };
  await deliverDueWebhooks({ ...t.app.services, db: { ...db, write } });
  expect(await delivered()).toBe(7);
});
