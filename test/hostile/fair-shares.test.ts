/** One payer that takes all it can get: other payers still get connections, queue positions and budget. */
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { serviceAuditContext } from '../../src/db/audit-context.ts';
import { createBodyReader } from '../../src/http/guard/arriving-bodies.ts';
import { createConcurrencyGate } from '../../src/http/guard/concurrency-gate.ts';
import { createFairRequestStart } from '../../src/http/guard/fair-request-start.ts';
import type { HttpRequest } from '../../src/http-message.ts';
import { createEventLoopShareQueue } from '../../src/lib/async/event-loop-share-queue.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { onPostgres, testDb } from '../support/database.ts';

describe.runIf(onPostgres)('connections', () => {
  const shareOf = (payer: string, network?: string) => {
    const share = {
      payer,
      network,
      ms: 0,
      onDatabaseTime: (ms: number) => {
        share.ms += ms;
      },
    };
    return share;
  };
  const sleep = 'select pg_sleep(0.4)';

  it('of the pool are shared: long statements of one payer delay no other', async () => {
    const db = await testDb();
    const share = shareOf('attacker');
    const attacker = db.withContext({ auditContext: serviceAuditContext, share });
    const flood = Promise.all(Array.from({ length: 30 }, () => attacker.sql(sleep)));
    const startedAt = performance.now();
    const victim = db.withContext({ auditContext: serviceAuditContext, share: shareOf('victim') });
    for (let n = 0; n < 5; n += 1) await victim.sql('select 1');
    await victim.transaction((tx) => tx.sql('select 1'));
    expect(performance.now() - startedAt).toBeLessThan(1_200);
    await flood;
    expect(share.ms).toBeGreaterThan(30 * 390);
  });

  it('are shared by the guests of a network, and some are reserved for transactions', async () => {
    const db = await testDb();
    const flood = Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        db.withContext({ auditContext: serviceAuditContext, share: shareOf(`guest ${n}`, 'n') }).sql(sleep),
      ),
    );
    const startedAt = performance.now();
    await db.withContext({ auditContext: serviceAuditContext, share: shareOf('victim') }).sql('select 1');
    await db
      .withContext({ auditContext: serviceAuditContext, share: shareOf('buyer', 'n') })
      .transaction((tx) => tx.sql('select 1'));
    expect(performance.now() - startedAt).toBeLessThan(900);
    await flood;
  });

  it('are released when a statement fails', async () => {
    const db = await testDb();
    const context = db.withContext({ auditContext: serviceAuditContext, share: shareOf('a') });
    for (let n = 0; n < 20; n += 1) await expect(context.sql('select 1 / 0')).rejects.toThrow();
    expect(await context.sql('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(onPostgres)('a document with many expensive root fields', () => {
  it('occupies a third of the pool, and other callers can write', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const { businessId } = await t.shop();
    const [attacker, victim] = [await t.guest(), await t.person()];
    const fields = Array.from(
      { length: 30 },
      (_, n) =>
        `f${n}: products(businessId: "${businessId}", first: 1, search: "a${n}") { facets { inStock } }`,
    );
    let flood: Promise<unknown>[] = [];
    await t.db.transaction(async (tx) => {
      await tx.sql('lock table product_prices in access exclusive mode');
      flood = [1, 2].map(() => t.graphql(`{ ${fields.join(' ')} }`, {}, { as: attacker }));
      const inUse = () => t.db.connections().open - t.db.connections().idle;
      await expect.poll(inUse, { timeout: 20_000 }).toBeGreaterThan(3);
      const name = 'mutation { updateMe(input: { name: "Quick" }) { __typename } }';
      for (let n = 0; n < 5; n += 1) expect((await t.graphql(name, {}, { as: victim })).errors).toEqual([]);
      expect(inUse()).toBeLessThanOrEqual(1 + 4);
    });
    for (const answer of await Promise.all(flood)) expect(answer).toMatchObject({ status: 200 });
  });
});

describe('the queue', () => {
  it('leaves half of the running requests and a part of its length to other payers, and serves them in turn', async () => {
    const gate = createConcurrencyGate({
      parallel: 4,
      eventLoopDelay: () => 0,
      clock: () => 0,
      tickStart: () => 0,
    });
    const order: string[] = [];
    const enter = (payer: string) => {
      const queued = gate.enter('usual', payer);
      if (queued) void queued.then(() => order.push(`${payer} after waiting`));
      else order.push(payer);
    };
    for (let n = 0; n < 8; n += 1) enter('flood');
    expect(() => gate.assertCapacity('usual', 'flood')).toThrow('overloaded');
    for (let n = 0; n < 3; n += 1) enter(`other ${n}`);
    expect(order).toEqual(['flood', 'flood', 'other 0', 'other 1']);
    gate.leave(1, 'flood');
    await Promise.resolve();
    expect(order.slice(4)).toEqual(['other 2 after waiting']);
    gate.leave(1, 'other 0');
    gate.leave(1, 'flood');
    await Promise.resolve();
    expect(order.slice(5)).toEqual(['flood after waiting', 'flood after waiting']);
    gate.leave(1, 'other 1');
    await Promise.resolve();
    expect(order).toHaveLength(7);
  });

  it('serves other requests between sign-ins', async () => {
    const gate = createConcurrencyGate({
      parallel: 4,
      eventLoopDelay: () => 0,
      clock: () => 0,
      tickStart: () => 0,
    });
    const order: string[] = [];
    for (let n = 0; n < 4; n += 1) gate.enter('usual');
    for (let n = 0; n < 6; n += 1) void gate.enter('early')?.then(() => order.push('refresh'));
    void gate.enter('usual')?.then(() => order.push('read'));
    for (let n = 0; n < 5; n += 1) gate.leave(1);
    await Promise.resolve();
    expect(order).toContain('read');
  });
});

describe('the memory for arriving bodies', () => {
  it('is shared: slow bodies of one payer leave enough for others', async () => {
    const readBody = createBodyReader(1_000_000);
    const ends: (() => void)[] = [];
    const requestOf = (header: HttpRequest['header']) => ({
      ...({} as HttpRequest),
      header,
      body: () => new Promise<Buffer>((resolve) => ends.push(() => resolve(Buffer.alloc(1)))),
    });
    const [announced, chunked] = [requestOf(() => '1000000'), requestOf(() => undefined)];
    const arriving = Array.from({ length: 67 }, () => readBody(announced, 'flood'));
    await expect(readBody(announced, 'flood')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(readBody(chunked, 'flood')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    arriving.push(
      readBody(
        requestOf(() => '1000'),
        'flood',
      ),
      readBody(announced, 'other'),
    );
    for (const end of ends) end();
    await Promise.all(arriving);
    const next = readBody(announced, 'flood');
    ends.at(-1)?.();
    expect(await next).toHaveLength(1);
  });
});

describe('the event loop', () => {
  const nextTick = () => new Promise((resolve) => setImmediate(resolve));

  it('starts a millisecond of requests of one payer per tick while there are others', async () => {
    let time = 0;
    const turns = createFairRequestStart({ clock: () => time });
    const order: string[] = [];
    const enter = (payer: string) => {
      const start = () => {
        order.push(payer);
        time += 0.6;
      };
      const turn = turns.enter(payer);
      if (turn) void turn.then(start);
      else start();
    };
    enter('other');
    for (let n = 0; n < 8; n += 1) enter('flood');
    enter('buyer');
    await Promise.resolve();
    expect(order.filter((payer) => payer === 'flood').length).toBeLessThan(8);
    expect(order).toContain('buyer');
    for (let n = 0; n < 10; n += 1) await nextTick();
    expect(order.filter((payer) => payer === 'flood')).toHaveLength(8);
  });

  it('starts all requests of a payer who is alone', async () => {
    let time = 0;
    const turns = createFairRequestStart({ clock: () => time });
    turns.enter('flood');
    time += 2_000;
    expect(Array.from({ length: 50 }, () => turns.enter('flood'))).not.toContainEqual(expect.any(Promise));
  });

  it('runs long work in turns by payer, with pauses', async () => {
    let time = 0;
    const run = createEventLoopShareQueue({ share: 1 / 4, clock: () => time });
    const order: string[] = [];
    const work = (payer: string) =>
      run(payer, () => {
        time += 20;
        order.push(payer);
      });
    const startedAt = performance.now();
    await Promise.all(['a', 'a', 'a', 'b'].map(work));
    expect(order).toEqual(['a', 'a', 'b', 'a']);
    expect(performance.now() - startedAt).toBeGreaterThan(3 * 58);
  });

  it('serves other requests between introspections', async () => {
    const t = await testApp({ RATE_LIMIT: 'off' });
    const [attacker, victim] = [await t.guest(), await t.person()];
    await t.graphql('{ me { id } }', {}, { as: victim });
    let introspections = 0;
    const query = (name: string) =>
      getIntrospectionQuery({ inputValueDeprecation: true }).replace('IntrospectionQuery', name);
    const flood = Array.from({ length: 4 }, async (_, n) => {
      await t.graphql(query(`Q${n}`), {}, { as: attacker });
      introspections += 1;
    });
    for (let n = 0; n < 3; n += 1)
      expect((await t.graphql('{ me { id } }', {}, { as: victim })).errors).toEqual([]);
    expect(introspections).toBeLessThan(4);
    await Promise.all(flood);
  });
});

describe('budgets', () => {
  const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('ratelimit-remaining'));
  const me = (t: TestApp, token: string) => t.rest('GET', '/v1/users/me', { as: { userId: '', token } });

  it('of all guests of a network are limited together', async () => {
    const t = await testApp({ REQUEST_BUDGET: '6', GUEST_NETWORK_BUDGETS: '3' });
    let served = 0;
    for (let n = 0; n < 8; n += 1) {
      const { token } = await t.guest();
      for (let round = 0; round < 5; round += 1) if ((await me(t, token)).status === 200) served += 1;
    }
    expect(served).toBe(18);
    const { token } = await t.person();
    expect((await me(t, token)).status).toBe(200);
  });

  it('are charged with the measured time of introspection', async () => {
    const t = await testApp();
    const as = await t.person();
    const query =
      '{ __schema { types { name fields { name args { name type { name ofType { name } } } } } } }';
    const first = await t.graphql(query, {}, { as });
    expect(first.errors).toEqual([]);
    const before = remaining(await t.graphql('{ me { id } }', {}, { as }));
    const after = remaining(await t.graphql(query, {}, { as }));
    expect(before - after).toBeGreaterThan(300);
  });

  it('are charged with the measured time of validating new long documents', async () => {
    const t = await testApp();
    const as = await t.person();
    const operations = Array.from({ length: 100 }, (_, n) => `query q${n}($v: ID!) { ...F }`);
    const query = `${operations.join(' ')} fragment F on Query { products(businessId: "x", ids: [${'$v '.repeat(900)}]) { nodes { id } } }`;
    const before = remaining(await t.graphql('{ me { id } }', {}, { as }));
    expect((await t.graphql(query, {}, { as })).errors).not.toEqual([]);
    const after = remaining(await t.graphql('{ me { id } }', {}, { as }));
    expect(before - after).toBeGreaterThan(500);
  });

  it('are charged with database time beyond 100 ms', async () => {
    const t = await testApp();
    const as = await t.person();
    const before = remaining(await t.graphql('{ me { id } }', {}, { as }));
    await t.db.transaction(async (tx) => {
      await tx.sql('lock table users in access exclusive mode');
      const reading = t.graphql('mutation { updateMe(input: { name: "Slow" }) { __typename } }', {}, { as });
      await new Promise((resolve) => setTimeout(resolve, 600));
      void reading.catch(() => {});
    });
    await expect
      .poll(async () => before - remaining(await t.graphql('{ me { id } }', {}, { as })))
      .toBeGreaterThan(500);
  });
});
