/** Request budgets: units per minute by account, API key or network, in one process and shared through Redis. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLocalRequestBudgets } from '../../src/adapters/limits/in-process-request-budgets.ts';
import { connectRedis } from '../../src/adapters/limits/redis-rate-limits.ts';
import {
  createRedisBudgetReporter,
  createSharedRequestBudgets,
} from '../../src/adapters/limits/shared-request-budgets.ts';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';

const budget = 12;
let t: TestApp;
let shop: Shop;
let addresses = 0;

beforeAll(async () => {
  t = await testApp(
    { TRUST_PROXY: 'on', REQUEST_BUDGET: String(budget), METRICS_TOKEN: 'x'.repeat(16) },
    undefined,
    createPrometheus(),
  );
  shop = await t.shop();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const newAddress = () => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};
const list = (as: Person | undefined, address: string) =>
  t.rest('GET', `/v1/businesses/${shop.businessId}/products`, { as, headers: from(address) });
const rateLimitHeaders = ({ headers }: { headers: Headers }) =>
  ['policy', 'limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`));

describe('a plain request', () => {
  it('costs one unit; beyond the budget it is 429 with Retry-After', async () => {
    const address = newAddress();
    for (let remaining = budget - 1; remaining >= 0; remaining -= 1) {
      const response = await list(undefined, address);
      expect([response.status, ...rateLimitHeaders(response)]).toEqual([
        401,
        '12;w=60',
        '12',
        String(remaining),
      ]);
    }
    const stopped = await list(undefined, address);
    expect([stopped.status, stopped.body.error, ...rateLimitHeaders(stopped)]).toEqual([
      429,
      'RATE_LIMITED',
      '12;w=60',
      '12',
      '0',
    ]);
    expect(Number(stopped.headers.get('retry-after'))).toBeOneOf([58, 59, 60]);
    expect(stopped.headers.get('ratelimit-reset')).toBe(stopped.headers.get('retry-after'));
    expect(stopped.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining');
    expect((await list(undefined, newAddress())).status).toBe(401);
  });

  it('is charged to the account, from any network and with any of its tokens', async () => {
    const person = await t.person();
    const otherPerson = await t.person();
    for (let round = 0; round < budget; round += 1)
      expect((await list(person, newAddress())).status).toBe(200);
    expect((await list(person, newAddress())).status).toBe(429);
    const { token } = await t.app.services.tokens.issueAccess({ sub: person.userId, provider: 'EMAIL' });
    expect((await list({ ...person, token }, newAddress())).status).toBe(429);
    expect((await list(otherPerson, newAddress())).status).toBe(200);
  });

  it('with an API key is charged to the key, not to its user', async () => {
    const person = await t.person();
    const [one, two] = [await t.withApiKey(person), await t.withApiKey(person)];
    const header = { 'x-api-key': one.token, ...from(newAddress()) };
    for (let round = 0; round < budget - 1; round += 1)
      expect((await list(one, newAddress())).status).toBe(200);
    const path = `/v1/businesses/${shop.businessId}/products`;
    expect((await t.rest('GET', path, { headers: header })).status).toBe(200);
    expect((await list(one, newAddress())).status).toBe(429);
    expect((await list(two, newAddress())).status).toBe(200);
    expect((await list(person, newAddress())).status).toBe(200);
  });

  it('of a signed-in account is served from a network without budget; invented tokens are rejected', async () => {
    const address = newAddress();
    for (let round = 0; round <= budget; round += 1) await list(undefined, address);
    const person = await t.person();
    expect((await list(person, address)).status).toBe(200);
    for (let round = 0; round < budget; round += 1)
      expect((await list({ userId: '', token: `made-up-${round}` }, address)).status).toBe(401);
    expect((await list({ userId: '', token: 'made-up' }, address)).status).toBe(429);
    expect((await list(person, address)).status).toBe(200);
  });

  it('counts an IPv6 /64 network as one payer', async () => {
    for (let round = 0; round < budget; round += 1) await list(undefined, `2001:db8:1:2::${round}`);
    expect((await list(undefined, '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await list(undefined, '2001:db8:1:3::1')).status).toBe(401);
  });
});

describe('a GraphQL request', () => {
  const wide = `{ products(businessId: "${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}", first: 100) { nodes { id name slug } } }`;

  it('is charged by its cost, in the fast handler and in Yoga, and rejected as a GraphQL error', async () => {
    for (const accept of ['application/json', 'application/json, text/event-stream']) {
      const headers = { ...from(newAddress()), accept };
      const person = await t.person();
      const small = await t.graphql('{ me { id } }', {}, { as: person, headers });
      expect([small.status, ...rateLimitHeaders(small)]).toEqual([200, '12;w=60', '12', '11']);
      const large = await t.graphql(wide, {}, { as: person, headers });
      const remaining = Number(large.headers.get('ratelimit-remaining'));
      expect([large.status, remaining]).toEqual([200, 7]);
      // A request that costs more than the remaining budget is served once.
      for (const remaining of ['3', '0'])
        expect((await t.graphql(wide, {}, { as: person, headers })).headers.get('ratelimit-remaining')).toBe(
          remaining,
        );
      const { token } = await t.app.services.tokens.issueAccess({ sub: person.userId, provider: 'EMAIL' });
      for (const as of [person, { ...person, token }]) {
        const stopped = await t.graphql('{ me { id } }', {}, { as, headers });
        expect([stopped.status, stopped.errors[0]?.extensions]).toEqual([
          429,
          { code: 'RATE_LIMITED', details: [], requestId: stopped.headers.get('x-request-id') },
        ]);
        expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
  });
});

it('exempts health, metrics and preflights, and counts rejected requests', async () => {
  const send = (path: string, init: RequestInit = {}) =>
    t.app.fetch(new Request(`http://duet.test${path}`, init));
  for (let round = 0; round < budget + 3; round += 1) {
    const live = await send('/health/live');
    expect([live.status, live.headers.get('ratelimit-limit')]).toEqual([200, null]);
    const headers = { 'access-control-request-method': 'POST' };
    expect((await send('/graphql', { method: 'OPTIONS', headers })).status).toBe(204);
  }
  const metrics = await send('/metrics', { headers: { authorization: `Bearer ${'x'.repeat(16)}` } });
  expect(await metrics.text()).toMatch(/^duet_rejected_requests_total\{reason="budget"\} [1-9]/m);
});

it('is disabled by RATE_LIMIT=off', async () => {
  const free = await testApp({ RATE_LIMIT: 'off', REQUEST_BUDGET: '1' });
  for (let round = 0; round < 3; round += 1) {
    const response = await free.rest('GET', '/v1/users/me');
    expect([response.status, ...rateLimitHeaders(response)]).toEqual([401, null, null, null]);
  }
});

describe('counting', () => {
  it('resets after a minute', () => {
    let time = 0;
    const budgets = createLocalRequestBudgets(5, () => time);
    expect(budgets.spend('a', 7)).toEqual({ limit: 5, remaining: -2, reset: 60 });
    time = 59_001;
    expect(budgets.spend('a', 0)).toEqual({ limit: 5, remaining: -2, reset: 1 });
    time = 60_000;
    expect(budgets.spend('a', 1)).toEqual({ limit: 5, remaining: 4, reset: 60 });
    expect(budgets.spend('a', -9).remaining).toBe(5);
  });

  it('keeps a bounded number of payers and evicts the least recently used', () => {
    const budgets = createLocalRequestBudgets(5);
    budgets.spend('busy', 4);
    for (let n = 0; n < 60_000; n += 1) {
      budgets.spend(`made up ${n}`, 1);
      if (n % 1000 === 0) budgets.spend('busy', 0);
    }
    expect(budgets.spend('busy', 0).remaining).toBe(1);
    expect(budgets.spend('made up 0', 0).remaining).toBe(5);
  });
});

describe('over Redis', () => {
  const log = { warn: vi.fn(), info: vi.fn() };
  const closing: (() => unknown)[] = [];
  afterAll(() => Promise.all(closing.map((close) => close())));

  it('is shared by processes, and falls back to in-process counts with one log line while Redis is unavailable', async () => {
    let attempts = 0;
    const server = await startRedis();
    const process = async () => {
      const redis = await connectRedis(server.url, log as never);
      const budgets = createSharedRequestBudgets(createRedisBudgetReporter(redis), 10);
      closing.push(() => redis.disconnect(), budgets.close);
      redis.on('reconnecting', () => {
        attempts += 1;
      });
      return budgets;
    };
    const [one, two] = [await process(), await process()];
    expect(one.spend('a', 4).remaining).toBe(6);
    two.spend('a', 3);
    await expect
      .poll(() => {
        one.spend('b', 1);
        return two.spend('a', 0).remaining;
      })
      .toBe(3);
    one.spend('a', 1);
    await expect.poll(() => one.spend('a', 0).remaining).toBe(2);
    await server.stop();
    await expect.poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
    expect(one.spend('a', 2).remaining).toBe(0);
    await expect.poll(() => attempts).toBeGreaterThan(5);
    expect(one.spend('a', 0).remaining).toBe(0);
    expect(log.warn.mock.calls.map(([, message]) => message)).toEqual(
      Array(2).fill('Redis unavailable: falling back to in-process rate limits and budgets'),
    );
  });
});
