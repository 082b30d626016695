/** `/metrics`: access control, counters, and labels that clients cannot inflate. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrometheus, type Prometheus } from '../../src/adapters/metrics/prometheus.ts';
import { readConfig } from '../../src/config.ts';
import { createMetricsServer } from '../../src/http/metrics-endpoint.ts';
import { newId } from '../../src/lib/ids.ts';
import { retentionJob } from '../../src/maintenance/retention-job.ts';
import { type TestApp, testApp } from '../support/app.ts';

const token = 'a-token-that-is-long-enough';
const bearer = { authorization: `Bearer ${token}` };

let app: TestApp;
let prometheus: Prometheus;
beforeAll(async () => {
  prometheus = createPrometheus();
  app = await testApp({ METRICS_TOKEN: token }, undefined, prometheus);
});

const scrape = async (headers: Record<string, string> = bearer) => {
  const response = await app.app.fetch(new Request('http://duet.test/metrics', { headers }));
  return { status: response.status, text: await response.text() };
};
const lines = async (start: string) =>
  (await scrape()).text.split('\n').filter((line) => line.startsWith(start));

// First, because the queue counts are cached for five seconds.
it('shows gauges of the current state', async () => {
  const queue = 'mail';
  await app.db.write(
    `insert into pgboss.job (name, state, start_after, completed_on) values
       ($1, 'failed', now(), now()), ($1, 'created', now() - interval '90 seconds', null)`,
    [queue],
  );
  const { text } = await scrape();
  expect(text).toContain('duet_jobs{queue="mail",state="failed"} 1');
  expect(text).toMatch(/^duet_job_oldest_seconds\{queue="mail"\} 9\d$/m);
  expect(text).toMatch(/^duet_live_streams 0$/m);
  expect(text).toMatch(/^duet_database_connections\{state="open"\} \d+$/m);
  for (const cache of ['records', 'documents', 'tokens', 'budgets']) {
    expect(text).toMatch(new RegExp(`^duet_cache_entries\\{cache="${cache}"\\} \\d+$`, 'm'));
    expect(text).toMatch(
      new RegExp(`^duet_cache_lookups_total\\{cache="${cache}",outcome="miss"\\} \\d+$`, 'm'),
    );
  }
  expect((await lines('duet_statements_total'))[0]).toMatch(/ [1-9]\d*$/);
  await app.db.write(`delete from pgboss.job where name = $1`, [queue]);
});

it('requires the token', async () => {
  expect((await scrape()).status).toBe(200);
  for (const headers of [{}, { authorization: token }, { authorization: 'Bearer wrong' }])
    expect((await scrape(headers as Record<string, string>)).status).toBe(401);
});

it('blocks a network that guesses tokens, except one that has sent the right token before', async () => {
  const otherApp = await testApp({ METRICS_TOKEN: token, TRUST_PROXY: 'on' }, undefined, createPrometheus());
  const send = async (authorization: string | undefined, address: string) => {
    const headers = { 'x-forwarded-for': address, ...(authorization ? { authorization } : {}) };
    const response = await otherApp.app.fetch(new Request('http://duet.test/metrics', { headers }));
    return [response.status, response.headers.has('retry-after')];
  };
  const [scraper, guesser] = ['192.0.2.1', '192.0.2.2'];
  expect(await send(bearer.authorization, scraper)).toEqual([200, false]);
  for (let round = 0; round < 20; round += 1)
    for (const address of [scraper, guesser])
      expect(await send(`Bearer ${round}`, address)).toEqual([401, false]);
  for (const authorization of ['Bearer wrong', bearer.authorization])
    expect(await send(authorization, guesser)).toEqual([429, true]);
  expect(await send(undefined, guesser)).toEqual([401, false]);
  expect(await send('Bearer wrong', scraper)).toEqual([401, false]);
  expect(await send(bearer.authorization, scraper)).toEqual([200, false]);
});

it('does not exist without METRICS_TOKEN', async () => {
  const plain = await testApp();
  expect((await plain.app.fetch(new Request('http://duet.test/metrics'))).status).toBe(404);
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN');
});

it('counts requests by protocol, route or operation, and outcome', async () => {
  const shop = await app.shop();
  const path = `/v1/businesses/${shop.businessId}/products`;
  await app.rest('GET', path, { as: shop.admin });
  await app.rest('GET', path);
  await app.rest('POST', path, { as: shop.admin, body: {} });
  await app.graphql('{ me { id } }', {}, { as: shop.admin });
  const route = 'protocol="rest",operation="GET /v1/businesses/:businessId/products"';
  const counts = await lines('duet_request_duration_seconds_count');
  expect(counts).toContain(`duet_request_duration_seconds_count{${route},outcome="ok"} 1`);
  expect(counts).toContain(`duet_request_duration_seconds_count{${route},outcome="UNAUTHENTICATED"} 1`);
  expect(counts).toContain(
    'duet_request_duration_seconds_count{protocol="rest",operation="POST /v1/businesses/:businessId/products",outcome="VALIDATION_FAILED"} 1',
  );
  expect(counts).toContain(
    'duet_request_duration_seconds_count{protocol="graphql",operation="other",outcome="ok"} 1',
  );
});

it('uses one label value for all names that clients invent', async () => {
  const before = (await scrape()).text.split('\n').length;
  for (let n = 0; n < 50; n += 1) {
    await app.graphql(`query Made${n} { me { id } }`);
    await app.graphql(`{ made${n} }`);
    await app.app.fetch(new Request(`http://duet.test/v1/made/up/${n}`));
    await app.app.fetch(new Request(`http://duet.test/made-up-${n}`, { method: 'PATCH' }));
  }
  const { text } = await scrape();
  expect(text).not.toMatch(/made/i);
  // A few series with all their buckets instead of two hundred series.
  expect(text.split('\n').length - before).toBeLessThan(16 * 8);
});

it('counts mails and jobs by outcome', async () => {
  const email = 'counted@people.example';
  await app.rest('POST', '/v1/users/register', {
    body: { provider: 'EMAIL', email, password: 'a long enough passphrase', name: 'Counted' },
  });
  expect(await app.outbox(email)).not.toEqual([]);
  const text = (await scrape()).text;
  expect(text).toContain('duet_port_call_duration_seconds_count{port="mail",call="send",outcome="ok"} 1');
  expect(text).toContain('duet_job_duration_seconds_count{queue="users.confirm-mail",outcome="ok"} 1');
});

it('counts rows deleted by the retention job, by table', async () => {
  const outdated = async (rows: number) => {
    for (let route = 0; route < rows; route += 1)
      await app.db.write(
        `insert into idempotency_keys (caller, key, fingerprint, created_at) values ($1, 'k', 'f', 1)`,
        [newId()],
      );
    await retentionJob.run(app.app.services, {});
  };
  await outdated(2);
  await outdated(1);
  const counts = await lines('duet_retention_rows_total');
  expect(counts).toContain('duet_retention_rows_total{table="idempotency_keys"} 3');
  expect(counts).toContain('duet_retention_rows_total{table="carts"} 0');
  expect(counts).toContain('duet_retention_rows_total{table="users"} 0');
});

describe('on a separate port', () => {
  const server = createMetricsServer({ contentType: 'text/plain', text: async () => 'counts' }, undefined);
  const guarded = createMetricsServer({ contentType: 'text/plain', text: async () => 'counts' }, token);
  afterAll(() => void [server, guarded].map((server) => server.close()));
  const send = async (on: Server, path: string, headers = {}) => {
    if (!on.listening) await new Promise<void>((resolve) => on.listen(0, '127.0.0.1', resolve));
    const { port } = on.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return [response.status, await response.text()];
  };

  it('requires a token only if one is configured', async () => {
    expect(await send(server, '/metrics')).toEqual([200, 'counts']);
    expect(await send(server, '/v1/anything')).toEqual([404, '']);
    expect(await send(guarded, '/metrics')).toEqual([401, '']);
    expect(await send(guarded, '/metrics', bearer)).toEqual([200, 'counts']);
  });
});
