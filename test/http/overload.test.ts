/** Overload protection: concurrency limit, short queue, immediate rejection; health checks are exempt and sign-ins come first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { LoginDocument } from '../../src/generated/operations.ts';
import { isPureSignInRequest } from '../../src/graphql/http/is-pure-sign-in-request.ts';
import type { GraphqlDocumentRef } from '../../src/graphql/http/trusted-documents.ts';
import {
  type ConcurrencyGate,
  createConcurrencyGate,
  type RequestPriority,
} from '../../src/http/guard/concurrency-gate.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type LockedTables, lockTables } from '../support/locked-tables.ts';

describe('the gate', () => {
  let [delay, time] = [0, 0];
  const gateOf = (parallel: number) =>
    createConcurrencyGate({
      parallel,
      eventLoopDelay: () => delay,
      clock: () => time,
      tickStart: () => time,
    });
  const overloadError = { code: 'UNAVAILABLE', headers: { 'Retry-After': '1' } };

  /** Enters the gate and records the name when the request starts. */
  function enter(gate: ConcurrencyGate, priority: RequestPriority, name: string, order: string[]) {
    const queued = gate.enter(priority);
    if (queued) void queued.then(() => order.push(name));
    else order.push(name);
  }

  it('runs up to the limit at once and queues others, sign-ins first', async () => {
    const gate = gateOf(2);
    const order: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) enter(gate, 'usual', name, order);
    enter(gate, 'early', 'sign-in', order);
    expect(order).toEqual(['a', 'b']);
    for (let finished = 0; finished < 3; finished += 1) gate.leave(1);
    await Promise.resolve();
    expect(order).toEqual(['a', 'b', 'sign-in', 'c', 'd']);
  });

  it('rejects when the queue is full or its first entry has waited too long; sign-ins have their own queue', () => {
    const gate = gateOf(1);
    for (let n = 0; n < 3; n += 1) gate.enter('usual');
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(overloadError));
    gate.assertCapacity('early');
    gate.leave(1);
    gate.assertCapacity('usual');
    time += 1001;
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(overloadError));
    gate.assertCapacity('early');
  });

  it('rejects queued requests after four times the average running time, but no sign-ins', async () => {
    const gate = gateOf(1);
    gate.enter('usual');
    // Brings the average running time to 20 ms.
    for (let n = 0; n < 500; n += 1) {
      gate.enter('usual');
      gate.leave(20);
    }
    const outcome = (priority: RequestPriority) =>
      gate.enter(priority)?.then(
        () => 'started',
        (error: unknown) => error,
      );
    const [oldRequest, signIn] = [outcome('usual'), outcome('early')];
    time += 60;
    const newRequest = outcome('usual');
    time += 21;
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(overloadError));
    gate.leave(20);
    gate.leave(20);
    expect(await Promise.all([oldRequest, signIn, newRequest])).toEqual([
      expect.objectContaining(overloadError),
      'started',
      'started',
    ]);
  });

  it('rejects while the event loop is delayed, if at least half of the slots are in use', () => {
    const gate = gateOf(4);
    delay = 300;
    gate.assertCapacity('usual');
    gate.enter('usual');
    gate.enter('usual');
    expect(() => gate.assertCapacity('usual')).toThrow(expect.objectContaining(overloadError));
    gate.assertCapacity('early');
    delay = 0;
    gate.assertCapacity('usual');
  });
});

describe('a GraphQL sign-in', () => {
  const registered = LoginDocument.toString();
  const documents = {
    resolve: ({ query, documentId }: GraphqlDocumentRef) => (documentId ? registered : query) ?? undefined,
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
    expect(isPureSignInRequest(documents, Buffer.from(JSON.stringify(body)))).toBe(expected);
  });
  it('is not recognised in malformed JSON', () => {
    expect(isPureSignInRequest(documents, Buffer.from('{"query":"mutation { login('))).toBe(false);
  });
});

describe('the gateway', () => {
  const token = 'x'.repeat(16);
  let t: TestApp;
  let lockedTables: LockedTables;
  const waiting: Promise<Response>[] = [];
  const send = (path: string, init: RequestInit = {}) =>
    t.app.fetch(new Request(`http://duet.test${path}`, init));
  const sendWithLength = (query: string) => {
    const body = JSON.stringify({ query });
    return send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
      body,
    });
  };
  /** Operations that mention a sign-in next to other fields, and get no priority. */
  const notSignIns = [
    '{ __typename } # login',
    'mutation { login(input: { provider: "GUEST" }) { auth { userId } } deleteMe { id: deletedId } }',
    'query login { __typename }',
  ];
  const graphql = () =>
    send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });

  beforeAll(async () => {
    t = await testApp({ MAX_CONCURRENCY: '1', METRICS_TOKEN: token }, undefined, createPrometheus());
    const { businessId } = await t.shop();
    const { token: guest } = await t.guest();
    lockedTables = await lockTables(t.db, 'products');
    // One request runs and two are queued.
    for (let n = 0; n < 3; n += 1)
      waiting.push(
        send(`/v1/businesses/${businessId}/products`, { headers: { authorization: `Bearer ${guest}` } }),
      );
    await new Promise(setImmediate);
  });
  afterAll(() => lockedTables.release());

  it('rejects immediately in both protocols, serves health checks, and finishes all accepted requests', async () => {
    const restResponse = await send('/v1/users/me');
    expect([
      restResponse.status,
      restResponse.headers.get('retry-after'),
      await restResponse.json(),
    ]).toMatchObject([503, '1', { error: 'UNAVAILABLE', details: [] }]);
    const graphqlResponse = await graphql();
    expect([
      graphqlResponse.status,
      graphqlResponse.headers.get('retry-after'),
      await graphqlResponse.json(),
    ]).toMatchObject([503, '1', { errors: [{ extensions: { code: 'UNAVAILABLE', details: [] } }] }]);
    expect((await send('/health/live')).status).toBe(200);
    const signIns = [
      'mutation { login(input: { provider: "GUEST" }) { auth { userId } } }',
      'mutation { refresh(input: { refreshToken: "x" }) { auth { userId } } }',
    ].map(sendWithLength);
    expect((await Promise.all(notSignIns.map(sendWithLength))).map(({ status }) => status)).toEqual([
      503, 503, 503,
    ]);
    await lockedTables.release();
    expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await graphql()).status).toBe(200);
    const metrics = await send('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(await metrics.text()).toContain('duet_rejected_requests_total{reason="overload"} 5');
  });
});
