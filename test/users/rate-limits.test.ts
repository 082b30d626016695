/** Rate limits by account and by address, in one process and in a real Redis for several. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { accountLimitRules, clientNetworkKey } from '../../src/domains/users/rate-limits.ts';
import { defaultLiveOptions } from '../../src/live/live-updates.ts';
import { confirmed, freshEmail, goodPassword } from '../support/accounts.ts';
import { type RestAnswer, type TestApp, testApp } from '../support/app.ts';
import { codesOf, type Stream, subscribed } from '../support/live.ts';
import { startRedis } from '../support/redis.ts';

const behindProxy = (address: string) => ({ 'x-forwarded-for': `203.0.113.99, ${address}` });

const attempt = (t: TestApp, email: string, address: string, password = 'wrong password') =>
  t.rest<{ error: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email, password },
    headers: behindProxy(address),
  });

const remaining = ({ headers }: RestAnswer<unknown>) => Number(headers.get('ratelimit-remaining'));

describe('in one process', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ TRUST_PROXY: 'on' }, { ...defaultLiveOptions, perAddress: 2 });
  });

  it('stop guessing at an account from one address, and let its owner in from another', async () => {
    const email = await confirmed(t);
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await attempt(t, email, '198.51.100.1');
      expect([answer.status, remaining(answer)]).toEqual([422, left]);
    }
    const stopped = await attempt(t, email, '198.51.100.1', goodPassword);
    expect([stopped.status, stopped.body.error]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(stopped.headers.get('ratelimit-limit')).toBe('10');
    expect(stopped.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(stopped.headers.get('ratelimit-reset'))).toBeGreaterThan(800);
    expect(stopped.headers.get('access-control-expose-headers')).toContain('Retry-After');
    // The first entry is what the client claims about itself: it changes nothing.
    const liar = await t.rest('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email, password: goodPassword },
      headers: { 'x-forwarded-for': '192.0.2.7, 198.51.100.1' },
    });
    expect(liar.status).toBe(429);
    expect((await attempt(t, email, '198.51.100.2', goodPassword)).status).toBe(200);
  });

  it('never refuse a place that is known because of others', async () => {
    const email = await confirmed(t);
    expect((await attempt(t, email, '198.51.100.20', goodPassword)).status).toBe(200);
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_item, address) => {
        const answers: number[] = [];
        for (let round = 0; round < 100; round += 1)
          answers.push((await attempt(t, email, `192.0.2.${100 + address}`)).status);
        return answers;
      }),
    );
    const count = (status: number) => statuses.flat().filter((one) => one === status).length;
    // Each address is heard ten times, and refused without a look at the password from then on.
    expect([count(422), count(429)]).toEqual([100, 900]);
    expect((await attempt(t, email, '198.51.100.20', goodPassword)).status).toBe(200);
  });

  it('ask the database the same for an account that exists and for one that does not', async () => {
    const { limits } = t.app.services;
    const asked = async (email: string, address: string) => {
      t.statements.length = 0;
      const { status } = await attempt(t, email, address);
      const reads = t.statements.filter((text) => /^select/i.test(text));
      return { status, reads };
    };
    const [known, unknown] = [await confirmed(t), freshEmail()];
    expect(await asked(known, '198.51.100.40')).toEqual(await asked(unknown, '198.51.100.41'));
    for (const email of [known, unknown])
      for (let count = 0; count < 100; count += 1)
        await limits.consume(accountLimitRules.loginByAccount, email);
    const refused = await asked(known, '198.51.100.42');
    expect(refused).toEqual(await asked(unknown, '198.51.100.43'));
    expect([refused.status, refused.reads.length]).toEqual([429, 2]);
  });

  it('do not count sign-ins that succeed', async () => {
    const email = await confirmed(t);
    for (let round = 0; round < 15; round += 1) {
      expect((await attempt(t, email, '198.51.100.3', goodPassword)).status).toBe(200);
    }
  });

  it('say the same in GraphQL, with the same headers', async () => {
    const email = freshEmail();
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

  it('stop forgotten passwords and phone codes per account', async () => {
    const email = await confirmed(t);
    const forgot = () => t.rest('POST', '/v1/users/forgot-password', { body: { email } });
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) statuses.push((await forgot()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const person = await t.person();
    const send = (last: number) =>
      t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber: `+49301234${last}00` } });
    const sent: number[] = [];
    for (let round = 0; round < 6; round += 1) sent.push((await send(round)).status);
    expect(sent).toEqual([200, 200, 200, 200, 200, 429]);
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

  it('remember nothing of a registration that was refused for its address', async () => {
    const { limits } = t.app.services;
    const address = '198.51.100.60';
    for (let count = 0; count < 200; count += 1)
      await limits.consume(accountLimitRules.registerByAddress, address);
    const take = vi.spyOn(limits, 'consume');
    const { status } = await t.rest('POST', '/v1/users/register', {
      body: { email: freshEmail(), password: goodPassword },
      headers: behindProxy(address),
    });
    expect([status, take.mock.calls]).toEqual([429, [[accountLimitRules.registerByAddress, address]]]);
    take.mockRestore();
  });

  it('count subscriptions of one IPv6 network as those of one address', async () => {
    const shop = await t.shop();
    const document = 'subscription ($b: ID!) { orderChanged(businessId: $b) { id } }';
    const watch = (address: string) =>
      subscribed(t, document, { b: shop.businessId }, { as: shop.admin, headers: behindProxy(address) });
    const streams: Stream[] = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ff::3', '2001:db8:0:1::1'])
      streams.push(await watch(address));
    await expect.poll(() => streams[2]?.ended).toBeDefined();
    expect(streams.map(codesOf)).toEqual([[], [], ['RATE_LIMITED'], []]);
    for (const stream of streams) await stream.close();
  });

  it('let many guests in from one address, not any number, and keep nobody else out', async () => {
    const address = '198.51.100.6';
    const enter = () =>
      t.rest<{ error: string }>('POST', '/v1/users/login', {
        body: { provider: 'GUEST' },
        headers: behindProxy(address),
      });
    const { limits } = t.app.services;
    for (let count = 0; count < 2998; count += 1)
      await limits.consume(accountLimitRules.guestByAddress, address);
    for (const left of [1, 0]) {
      const answer = await enter();
      expect([answer.status, remaining(answer)]).toEqual([200, left]);
    }
    const stopped = await enter();
    expect([stopped.status, stopped.body.error]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(200);
    expect((await attempt(t, await confirmed(t), address, goodPassword)).status).toBe(200);
  });
});

describe('without a proxy', () => {
  it('a header changes nothing', async () => {
    const t = await testApp();
    const email = freshEmail();
    for (let round = 0; round < 10; round += 1) await attempt(t, email, `198.51.100.${round}`);
    expect((await attempt(t, email, '198.51.100.77')).status).toBe(429);
  });

  it('nothing is counted when limits are off', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const email = freshEmail();
    for (let round = 0; round < 12; round += 1) {
      const answer = await attempt(t, email, 'x');
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([422, null]);
    }
  });
});

describe('in Redis', () => {
  it('are shared by several processes, and go on when Redis is gone', async () => {
    const redis = await startRedis();
    const [one, two] = [await testApp({ REDIS_URL: redis.url }), await testApp({ REDIS_URL: redis.url })];
    const email = freshEmail();
    for (let round = 0; round < 5; round += 1) {
      await attempt(one, email, 'x');
      await attempt(two, email, 'x');
    }
    expect((await attempt(one, email, 'x')).status).toBe(429);
    expect((await attempt(two, email, 'x')).status).toBe(429);
    await redis.stop();
    const answer = await attempt(one, freshEmail(), 'x');
    expect([answer.status, remaining(answer)]).toEqual([422, 9]);
    await Promise.all([one.app.services.limits.close(), two.app.services.limits.close()]);
  });
});

describe('the key of an address', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(clientNetworkKey({ request: { address } } as never)).toBe(key);
  });
});
