/** Refusals of a network beyond its share are delayed, and successful requests are not. */
import { afterEach, expect, it, vi } from 'vitest';
import {
  createRefusalDelays,
  maxDelayedPerNetwork,
  undelayedRefusals,
} from '../../src/http/guard/refusal-delays.ts';
import { testApp } from '../support/app.ts';

/** Delays that end when `wake` is called. */
function createControlledDelays() {
  const sleeping: (() => void)[] = [];
  const state = {
    time: 0,
    wake: () => {
      for (const end of sleeping.splice(0)) end();
    },
  };
  const delays = createRefusalDelays({
    clock: () => state.time,
    sleep: () => new Promise((resolve) => sleeping.push(resolve)),
  });
  const refuse = (network: string, count: number) =>
    Array.from({ length: count }, () => delays.delay(network)).filter((delay) => delay !== undefined);
  return { delays, state, refuse };
}

it('delays what exceeds the share of a network, and no other network', () => {
  const { refuse, state } = createControlledDelays();
  expect(refuse('a', undelayedRefusals)).toEqual([]);
  expect(refuse('a', 10)).toHaveLength(10);
  expect(refuse('b', 10)).toEqual([]);
  state.time += 1_000;
  expect(refuse('a', 30)).toHaveLength(10);
  state.time += 3_600_000;
  expect(refuse('a', undelayedRefusals + 1)).toHaveLength(1);
});

it('refuses a network before any work while its delayed refusals fill its share', async () => {
  const { delays, refuse, state } = createControlledDelays();
  const delayed = refuse('a', undelayedRefusals + maxDelayedPerNetwork + 50);
  expect(delayed).toHaveLength(maxDelayedPerNetwork);
  expect([delays.isSaturated('a'), delays.isSaturated('b')]).toEqual([true, false]);
  state.wake();
  await Promise.all(delayed);
  expect(delays.isSaturated('a')).toBe(false);
});

it('bounds the delayed refusals of all networks together', () => {
  const { delays, refuse } = createControlledDelays();
  const delayed = Array.from({ length: 20 }, (_, n) => refuse(`n${n}`, undelayedRefusals + 300)).flat();
  expect(delayed).toHaveLength(4_000);
  expect([delays.isSaturated('n0'), delays.isSaturated('other')]).toEqual([true, false]);
});

/** Holds the timers of the delays until `wake` is called. */
function holdDelays() {
  const held: (() => void)[] = [];
  const start = globalThis.setTimeout;
  const hold = ((run: () => void, ms: number) =>
    ms === 1_000 ? held.push(run) : start(run, ms)) as unknown as typeof setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold);
  return {
    count: () => held.length,
    wake: () => {
      for (const run of held.splice(0)) run();
    },
  };
}
afterEach(() => vi.restoreAllMocks());

it('delays 401 in both protocols, refuses a saturated network at once, and never delays successes', async () => {
  const t = await testApp({ TRUST_PROXY: 'on' });
  const shop = await t.shop();
  const path = `/v1/businesses/${shop.businessId}/products`;
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const query = `{ products(businessId: "${shop.businessId}", first: 1) { nodes { id } } }`;
  const delays = holdDelays();
  const pending: Promise<unknown>[] = [];
  let refused = await t.rest<{ error: string }>('GET', path, { headers });
  while (delays.count() < maxDelayedPerNetwork) {
    const before = delays.count();
    const send = () =>
      pending.length % 2 === 0 ? t.rest('GET', path, { headers }) : t.graphql(query, {}, { headers });
    const sent = send();
    pending.push(sent);
    while (delays.count() === before && !(await isSettled(sent))) await new Promise(setImmediate);
  }
  refused = await t.rest('GET', path, { headers });
  expect([refused.status, refused.body.error]).toEqual([429, 'RATE_LIMITED']);
  expect([refused.headers.get('connection'), refused.headers.get('retry-after')]).toEqual(['close', '1']);
  expect((await t.rest('GET', path, { as: shop.admin, headers })).status).toBe(200);
  expect((await t.rest('GET', '/health/live', { headers })).status).toBe(200);
  const other = { headers: { 'x-forwarded-for': '198.51.100.8' } };
  expect((await t.rest('GET', path, other)).status).toBe(401);
  delays.wake();
  await Promise.all(pending);
});

const isSettled = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
