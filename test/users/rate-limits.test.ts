/** Rate limits per account and per address, in one process and shared in a real Redis. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
} from '../../src/domains/users/rate-limits.ts';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { registerConfirmedAccount, uniqueEmail, validPassword } from '../support/accounts.ts';
import { type RestResponse, type TestApp, testApp } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import { type EventStream, openSubscription, streamErrorCodes } from '../support/sse-client.ts';

const behindProxy = (address: string) => ({ 'x-forwarded-for': `203.0.113.99, ${address}` });

const attempt = (t: TestApp, email: string, address: string, password = 'wrong password') =>
  t.rest<{ error: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email, password },
    headers: behindProxy(address),
  });

const remaining = ({ headers }: RestResponse<unknown>) => Number(headers.get('ratelimit-remaining'));

const signInAsGuest = async (t: TestApp): Promise<string> =>
  (await t.rest<{ refreshToken: string }>('POST', '/v1/users/login', { body: { provider: 'GUEST' } })).body
    .refreshToken;

describe('in one process', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ TRUST_PROXY: 'on' }, { ...defaultLiveOptions, perAddress: 2 });
  });

  it('stop password guessing from one address, and let the owner sign in from another', async () => {
    const email = await registerConfirmedAccount(t);
    for (let expectedRemaining = 9; expectedRemaining >= 0; expectedRemaining -= 1) {
      const answer = await attempt(t, email, '198.51.100.1');
      expect([answer.status, remaining(answer)]).toEqual([422, expectedRemaining]);
    }
    const stopped = await attempt(t, email, '198.51.100.1', validPassword);
    expect([stopped.status, stopped.body.error]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(stopped.headers.get('ratelimit-limit')).toBe('10');
    expect(stopped.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(stopped.headers.get('ratelimit-reset'))).toBeGreaterThan(800);
    expect(stopped.headers.get('access-control-expose-headers')).toContain('Retry-After');
    // The first entry of the header is set by the client and is ignored.
    const spoofed = await t.rest('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email, password: validPassword },
      headers: { 'x-forwarded-for': '192.0.2.7, 198.51.100.1' },
    });
    expect(spoofed.status).toBe(429);
    expect((await attempt(t, email, '198.51.100.2', validPassword)).status).toBe(200);
  });

  it('never reject a known place because of attempts from other addresses', async () => {
    const email = await registerConfirmedAccount(t);
    expect((await attempt(t, email, '198.51.100.20', validPassword)).status).toBe(200);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_item, address) => {
        const answers: number[] = [];
        for (let round = 0; round < 100; round += 1)
          answers.push((await attempt(t, email, `192.0.2.${100 + address}`)).status);
        return answers;
      }),
    );
    const count = (status: number) => statuses.flat().filter((each) => each === status).length;
    // Ten attempts of each address are verified; the others are rejected without verifying the password.
    expect([count(422), count(429)]).toEqual([100, 900]);
    expect((await attempt(t, email, '198.51.100.20', validPassword)).status).toBe(200);
  });

  it('cause the same queries for existing and unknown accounts', async () => {
    const { limits } = t.app.services;
    const statementsOf = async (email: string, address: string) => {
      t.statements.length = 0;
      const { status } = await attempt(t, email, address);
      const reads = t.statements.filter((text) => /^select/i.test(text));
      return { status, reads };
    };
    const [existing, unknown] = [await registerConfirmedAccount(t), uniqueEmail()];
    expect(await statementsOf(existing, '198.51.100.40')).toEqual(
      await statementsOf(unknown, '198.51.100.41'),
    );
    for (const email of [existing, unknown])
      for (let count = 0; count < 100; count += 1)
        await limits.consume(accountRateLimitRules.loginByAccount, email);
    const rejected = await statementsOf(existing, '198.51.100.42');
    expect(rejected).toEqual(await statementsOf(unknown, '198.51.100.43'));
    expect([rejected.status, rejected.reads.length]).toEqual([429, 2]);
  });

  it('do not count sign-ins that succeed', async () => {
    const email = await registerConfirmedAccount(t);
    for (let round = 0; round < 15; round += 1) {
      expect((await attempt(t, email, '198.51.100.3', validPassword)).status).toBe(200);
    }
  });

  it('are the same over GraphQL, with the same headers', async () => {
    const email = uniqueEmail();
    const login = () =>
      t.graphql(
        'mutation($input: LoginInput!) { login(input: $input) { auth { userId } } }',
        { input: { provider: 'EMAIL', email, password: 'wrong password' } },
        { headers: behindProxy('198.51.100.4') },
      );
    for (let round = 0; round < 10; round += 1) await login();
    const stopped = await login();
    expect(stopped.errors[0]?.extensions.code).toBe('RATE_LIMITED');
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('limit password resets and phone codes per account', async () => {
    const email = await registerConfirmedAccount(t);
    const forgot = () => t.rest('POST', '/v1/users/forgot-password', { body: { email } });
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) statuses.push((await forgot()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const person = await t.person();
    const send = (last: number) =>
      t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber: `+49301234${last}00` } });
    const codeStatuses: number[] = [];
    for (let round = 0; round < 6; round += 1) codeStatuses.push((await send(round)).status);
    expect(codeStatuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('stop a flood from one address', async () => {
    const statuses = new Map<number, number>();
    for (let round = 0; round < 301; round += 1) {
      const { status } = await t.rest('POST', '/v1/users/login', {
        body: { provider: 'OAUTH_IDP', code: 'x', originUrl: 'http://evil.example' },
        headers: behindProxy('198.51.100.5'),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 422: 300, 429: 1 });
  });

  it('count no account for a registration that its address limit rejects', async () => {
    const { limits } = t.app.services;
    const address = '198.51.100.60';
    for (let count = 0; count < 200; count += 1)
      await limits.consume(accountRateLimitRules.registerByAddress, address);
    const take = vi.spyOn(limits, 'consume');
    const { status } = await t.rest('POST', '/v1/users/register', {
      body: { email: uniqueEmail(), password: validPassword },
      headers: behindProxy(address),
    });
    expect([status, take.mock.calls]).toEqual([429, [[accountRateLimitRules.registerByAddress, address]]]);
    take.mockRestore();
  });

  it('count subscriptions of one IPv6 network as one address', async () => {
    const shop = await t.shop();
    const document = 'subscription ($b: ID!) { orderChanged(businessId: $b) { id } }';
    const watch = (address: string) =>
      openSubscription(
        t,
        document,
        { b: shop.businessId },
        { as: shop.admin, headers: behindProxy(address) },
      );
    const streams: EventStream[] = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ff::3', '2001:db8:0:1::1'])
      streams.push(await watch(address));
    await expect.poll(() => streams[2]?.state).toBeDefined();
    expect(streams.map(streamErrorCodes)).toEqual([[], [], ['RATE_LIMITED'], []]);
    for (const stream of streams) await stream.close();
  });

  it('limit the refreshes of a session, in both protocols, and no other session', async () => {
    const [guest, other] = [await signInAsGuest(t), await signInAsGuest(t)];
    const { points } = accountRateLimitRules.refreshBySession;
    const refresh = (refreshToken: string) =>
      t.rest<{ error?: string }>('POST', '/v1/users/refresh', { body: { provider: 'GUEST', refreshToken } });
    const statuses = await Promise.all(Array.from({ length: points }, () => refresh(guest)));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await refresh(guest)).body.error).toBe('RATE_LIMITED');
    const { errors } = await t.graphql(
      'mutation ($t: String!) { refresh(input: { refreshToken: $t }) { auth { userId } } }',
      { t: guest },
    );
    expect(errors?.[0]?.extensions?.code).toBe('RATE_LIMITED');
    expect((await refresh(other)).status).toBe(200);
  });

  it('limit guests per address without affecting other sign-ins', async () => {
    const address = '198.51.100.6';
    const enter = () =>
      t.rest<{ error: string }>('POST', '/v1/users/login', {
        body: { provider: 'GUEST' },
        headers: behindProxy(address),
      });
    const { limits } = t.app.services;
    for (let count = 0; count < 2998; count += 1)
      await limits.consume(accountRateLimitRules.guestByAddress, address);
    for (const expectedRemaining of [1, 0]) {
      const answer = await enter();
      expect([answer.status, remaining(answer)]).toEqual([200, expectedRemaining]);
    }
    const stopped = await enter();
    expect([stopped.status, stopped.body.error]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(200);
    expect((await attempt(t, await registerConfirmedAccount(t), address, validPassword)).status).toBe(200);
  });
});

describe('without a proxy', () => {
  it('the X-Forwarded-For header is ignored', async () => {
    const t = await testApp();
    const email = uniqueEmail();
    for (let round = 0; round < 10; round += 1) await attempt(t, email, `198.51.100.${round}`);
    expect((await attempt(t, email, '198.51.100.77')).status).toBe(429);
  });

  it('nothing is counted when limits are off', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const email = uniqueEmail();
    for (let round = 0; round < 12; round += 1) {
      const answer = await attempt(t, email, 'x');
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([422, null]);
    }
  });
});

describe('in Redis', () => {
  it('are shared by several processes, and continue in-process when Redis is down', async () => {
    const redis = await startRedis();
    const [first, second] = [
      await testApp({ REDIS_URL: redis.url }),
      await testApp({ REDIS_URL: redis.url }),
    ];
    const email = uniqueEmail();
    for (let round = 0; round < 5; round += 1) {
      await attempt(first, email, 'x');
      await attempt(second, email, 'x');
    }
    expect((await attempt(first, email, 'x')).status).toBe(429);
    expect((await attempt(second, email, 'x')).status).toBe(429);
    await redis.stop();
    const answer = await attempt(first, uniqueEmail(), 'x');
    expect([answer.status, remaining(answer)]).toEqual([422, 9]);
    await Promise.all([first.app.services.limits.close(), second.app.services.limits.close()]);
  });
});

describe('the rate limit key of an address', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(buildClientNetworkRateLimitKey({ request: { address } } as never)).toBe(key);
  });
});
