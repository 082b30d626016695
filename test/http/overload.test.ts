/** Overload: so many at once, a short queue, a quick no to the rest; health is always answered, sign-ins go first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { LoginDocument } from '../../src/generated/operations.ts';
import { isSignInRequest } from '../../src/graphql/http/sign-in-detection.ts';
import type { DocumentParams } from '../../src/graphql/http/trusted-documents.ts';
import {
  type ConcurrencyGate,
  createConcurrencyGate,
  type RequestPriority,
} from '../../src/http/guard/concurrency-gate.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type Held, holdTables } from '../support/held.ts';

describe('the gate', () => {
  let [late, time] = [0, 0];
  const gateOf = (parallel: number) =>
    createConcurrencyGate({ parallel, eventLoopDelay: () => late, clock: () => time, tickStart: () => time });
  const refusal = { code: 'UNAVAILABLE', headers: { 'Retry-After': '1' } };

  /** Enters and says so once it is let in. */
  function enter(gate: ConcurrencyGate, rank: RequestPriority, name: string, order: string[]) {
    const turn = gate.enter(rank);
    if (turn) void turn.then(() => order.push(name));
    else order.push(name);
  }

  it('lets so many in at once and queues others, sign-ins first', async () => {
    const gate = gateOf(2);
    const order: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) enter(gate, 'usual', name, order);
    enter(gate, 'early', 'sign-in', order);
    expect(order).toEqual(['a', 'b']);
    for (let left = 0; left < 3; left += 1) gate.leave(1);
    await Promise.resolve();
    expect(order).toEqual(['a', 'b', 'sign-in', 'c', 'd']);
  });

  it('refuses when the queue is full, or its first has waited for long; sign-ins have a queue of their own', () => {
    const gate = gateOf(1);
    for (let n = 0; n < 3; n += 1) gate.enter('usual');
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(refusal));
    gate.assertCapacity('early');
    gate.leave(1);
    gate.assertCapacity('usual');
    time += 1001;
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(refusal));
    gate.assertCapacity('early');
  });

  it('sends away who has waited four times as long as the work takes, but no sign-in', async () => {
    const gate = gateOf(1);
    gate.enter('usual');
    // Until it is known that the work takes 20 ms.
    for (let n = 0; n < 500; n += 1) {
      gate.enter('usual');
      gate.leave(20);
    }
    const outcome = (rank: RequestPriority) =>
      gate.enter(rank)?.then(
        () => 'goes on',
        (error: unknown) => error,
      );
    const [old, signIn] = [outcome('usual'), outcome('early')];
    time += 60;
    const young = outcome('usual');
    time += 21;
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(refusal));
    gate.leave(20);
    gate.leave(20);
    expect(await Promise.all([old, signIn, young])).toEqual([
      expect.objectContaining(refusal),
      'goes on',
      'goes on',
    ]);
  });

  it('refuses while the event loop is late, but only if there is enough to do to be the reason', () => {
    const gate = gateOf(4);
    late = 300;
    gate.assertCapacity('usual');
    gate.enter('usual');
    gate.enter('usual');
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(refusal));
    gate.assertCapacity('early');
    late = 0;
    gate.assertCapacity('usual');
  });
});

describe('a GraphQL sign-in', () => {
  const registered = LoginDocument.toString();
  const documents = {
    resolve: ({ query, documentId }: DocumentParams) => (documentId ? registered : query) ?? undefined,
  };
  const guest = 'mutation { a: login(input: { provider: "GUEST" }) { auth { userId } } }';
  it.each([
    [true, { query: registered, variables: { input: { provider: 'GUEST' } } }],
    [true, { query: guest }],
    [true, { query: 'mutation { tryLogin(by: { guest: {} }) { __typename } }' }],
    [true, { documentId: 'x' }],
    [false, { query: `${guest} query More { __typename }` }],
    [false, { query: 'fragment login on Query { __typename }' }],
    [false, { query: 'mutation { ...login } fragment login on Mutation { login { __typename } }' }],
    [false, { query: '{ login }' }],
    [false, { query: guest, variables: { x: 'y'.repeat(4096) } }],
    [false, [{ query: guest }]],
    [false, 'login'],
  ])('%s: %j', (expected, body) => {
    expect(isSignInRequest(documents, Buffer.from(JSON.stringify(body)))).toBe(expected);
  });
  it('is none when it cannot be read', () => {
    expect(isSignInRequest(documents, Buffer.from('{"query":"mutation { login('))).toBe(false);
  });
});

describe('the gateway', () => {
  const token = 'x'.repeat(16);
  let t: TestApp;
  let held: Held;
  const waiting: Promise<Response>[] = [];
  const ask = (path: string, init: RequestInit = {}) =>
    t.app.fetch(new Request(`http://duet.test${path}`, init));
  const short = (query: string) => {
    const body = JSON.stringify({ query });
    return ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
      body,
    });
  };
  /** Who names a sign-in beside other things does not come first with them. */
  const pretenders = [
    '{ __typename } # login',
    'mutation { login(input: { provider: "GUEST" }) { auth { userId } } deleteMe { id } }',
    'query login { __typename }',
  ];
  const graphql = () =>
    ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });

  beforeAll(async () => {
    t = await testApp({ MAX_CONCURRENCY: '1', METRICS_TOKEN: token }, undefined, createPrometheus());
    const { businessId } = await t.shop();
    const { token: guest } = await t.guest();
    held = await holdTables(t.db, 'products');
    // One is under way and two wait.
    for (let n = 0; n < 3; n += 1)
      waiting.push(
        ask(`/v1/businesses/${businessId}/products`, { headers: { authorization: `Bearer ${guest}` } }),
      );
    await new Promise(setImmediate);
  });
  afterAll(() => held.release());

  it('says no at once in both voices, answers health, and loses nothing it has accepted', async () => {
    const rest = await ask('/v1/users/me');
    expect([rest.status, rest.headers.get('retry-after'), await rest.json()]).toMatchObject([
      503,
      '1',
      { error: 'UNAVAILABLE', details: [] },
    ]);
    const refused = await graphql();
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      503,
      '1',
      { errors: [{ extensions: { code: 'UNAVAILABLE', details: [] } }] },
    ]);
    expect((await ask('/health/live')).status).toBe(200);
    const signIns = [
      'mutation { login(input: { provider: "GUEST" }) { auth { userId } } }',
      'mutation { refresh(input: { refreshToken: "x" }) { auth { userId } } }',
    ].map(short);
    expect((await Promise.all(pretenders.map(short))).map(({ status }) => status)).toEqual([503, 503, 503]);
    await held.release();
    expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await graphql()).status).toBe(200);
    const metrics = await ask('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(await metrics.text()).toContain('duet_refused_requests_total{reason="overload"} 5');
  });
});
