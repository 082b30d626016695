/** Rejections of a network beyond its share are delayed, and successful requests are not. */
import { afterAll, expect, it, vi } from 'vitest';
import {
  createRejectionDelays,
  maxDelayedPerNetwork,
  type RejectionDelayOptions,
  undelayedRejections,
} from '../../src/http/guard/rejection-delays.ts';
import { testApp } from '../support/app.ts';

/** Delays of the gateway, which end when they are called. The clock is real, and so are all other timers. */
const held = vi.hoisted((): (() => void)[] => {
  vi.resetModules();
  return [];
});
vi.mock('../../src/http/guard/rejection-delays.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../src/http/guard/rejection-delays.ts')>();
  const sleep = () => new Promise<void>((resolve) => held.push(resolve));
  return {
    ...actual,
    createRejectionDelays: (options: RejectionDelayOptions) =>
      actual.createRejectionDelays({ sleep, ...options }),
  };
});
afterAll(() => {
  vi.doUnmock('../../src/http/guard/rejection-delays.ts');
  vi.resetModules();
});

/** Delays that end when `wake` is called. */
function createControlledDelays() {
  const sleeping: (() => void)[] = [];
  const state = {
    time: 0,
    wake: () => {
      for (const end of sleeping.splice(0)) end();
    },
  };
  const delays = createRejectionDelays({
    clock: () => state.time,
    sleep: () => new Promise((resolve) => sleeping.push(resolve)),
  });
  const reject = (network: string, count: number) =>
    Array.from({ length: count }, () => delays.delay(network)).filter((delay) => delay !== undefined);
  return { delays, state, reject };
}

it('delays what exceeds the share of a network, and no other network', () => {
  const { reject, state } = createControlledDelays();
  expect(reject('a', undelayedRejections)).toEqual([]);
  expect(reject('a', 10)).toHaveLength(10);
  expect(reject('b', 10)).toEqual([]);
  state.time += 1_000;
  expect(reject('a', 30)).toHaveLength(10);
  state.time += 3_600_000;
  expect(reject('a', undelayedRejections + 1)).toHaveLength(1);
});

it('rejects a network before any work while its delayed rejections fill its share', async () => {
  const { delays, reject, state } = createControlledDelays();
  const delayed = reject('a', undelayedRejections + maxDelayedPerNetwork + 50);
  expect(delayed).toHaveLength(maxDelayedPerNetwork);
  expect([delays.isSaturated('a'), delays.isSaturated('b')]).toEqual([true, false]);
  state.wake();
  await Promise.all(delayed);
  expect(delays.isSaturated('a')).toBe(false);
});

it('bounds the delayed rejections of all networks together', () => {
  const { delays, reject } = createControlledDelays();
  const delayed = Array.from({ length: 20 }, (_, n) => reject(`n${n}`, undelayedRejections + 300)).flat();
  expect(delayed).toHaveLength(4_000);
  expect([delays.isSaturated('n0'), delays.isSaturated('other')]).toEqual([true, false]);
});

it('delays 401 in both protocols, rejects a saturated network at once, and never delays successes', async () => {
  const t = await testApp({ TRUST_PROXY: 'on' });
  const shop = await t.shop();
  const path = `/v1/businesses/${shop.businessId}/products`;
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const query = `{ products(businessId: "${shop.businessId}", first: 1) { nodes { id } } }`;
  const pending: Promise<unknown>[] = [];
  let rejected = await t.rest<{ error: string }>('GET', path, { headers });
  while (held.length < maxDelayedPerNetwork) {
    const before = held.length;
    const send = () =>
      pending.length % 2 === 0 ? t.rest('GET', path, { headers }) : t.graphql(query, {}, { headers });
    const sent = send();
    pending.push(sent);
    while (held.length === before && !(await isSettled(sent))) await new Promise(setImmediate);
  }
  rejected = await t.rest('GET', path, { headers });
  expect([rejected.status, rejected.body.error]).toEqual([429, 'RATE_LIMITED']);
  expect([rejected.headers.get('connection'), rejected.headers.get('retry-after')]).toEqual(['close', '1']);
  expect((await t.rest('GET', path, { as: shop.admin, headers })).status).toBe(200);
  expect((await t.rest('GET', '/health/live', { headers })).status).toBe(200);
  const other = { headers: { 'x-forwarded-for': '198.51.100.8' } };
  expect((await t.rest('GET', path, other)).status).toBe(401);
  for (const end of held.splice(0)) end();
  await Promise.all(pending);
});

const isSettled = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
