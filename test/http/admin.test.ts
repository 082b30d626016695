/** `/admin`: who may see it, what it tells, and what an operator can do about what has failed for good. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { chartLinePoints } from '../../src/http/admin/charts.ts';
import {
  histogramQuantile,
  ratePointBetween,
  summarizeOperations,
} from '../../src/http/admin/request-rates.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type Failures, plantFailures } from '../support/failures.ts';

const token = 'an-operator-token-long-enough';
const bearer = { authorization: `Bearer ${token}` };
let t: TestApp;
let planted: Failures;

beforeAll(async () => {
  t = await testApp({ ADMIN_TOKEN: token, WEBHOOK_ALLOW_PRIVATE: 'on' }, undefined, createPrometheus());
  planted = await plantFailures(t);
});

async function ask(path: string, init: RequestInit = {}) {
  const response = await t.app.fetch(new Request(`http://duet.test${path}`, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const read = async (path: string) => JSON.parse((await ask(path, { headers: bearer })).text);
const act = (body: unknown, headers: Record<string, string> = bearer) =>
  ask('/admin/jobs', { method: 'POST', headers, body: JSON.stringify(body) });
const listed = async () =>
  ((await read('/admin/jobs')) as { items: { kind: string; id: string }[] }).items.map(
    ({ kind, id }) => `${kind} ${id}`,
  );

describe('who may see it', () => {
  const wrong: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }, { authorization: token }];

  it.each(['/admin', '/admin/jobs'])('%s only with the token', async (path) => {
    for (const headers of wrong) expect((await ask(path, { headers })).status).toBe(401);
    expect((await ask(path, { headers: bearer })).status).toBe(200);
    const page = await ask(path, { headers: { ...wrong[1], accept: 'text/html' } });
    expect(page.status).toBe(401);
  });

  it('shows people a frame that tells nothing, and nobody keeps any of it', async () => {
    const { status, headers, text } = await ask('/admin/jobs', { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(text).not.toContain('mailbox');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('is for the operator alone to act', async () => {
    for (const headers of wrong)
      expect((await act({ action: 'drop', kind: 'job', id: planted.job }, headers)).status).toBe(401);
    expect((await listed()).length).toBe(5);
  });

  it('is not there without a token', async () => {
    const plain = await testApp();
    for (const path of ['/admin', '/admin/jobs'])
      expect(
        (await plain.app.fetch(new Request(`http://duet.test${path}`, { headers: bearer }))).status,
      ).toBe(404);
  });
});

describe('what has failed for good', () => {
  it('is listed with its reason, newest first, and cannot write into the page', async () => {
    const { items } = await read('/admin/jobs');
    const moment = expect.any(Number);
    expect(items).toEqual([
      {
        kind: 'job',
        id: planted.job,
        at: moment,
        what: 'expire-orders, after 6 tries',
        reason: 'no <b>luck</b>',
      },
      {
        kind: 'mail',
        id: planted.mail,
        at: moment,
        what: 'mail, after 6 tries',
        reason: 'the mailbox is full',
      },
      {
        kind: 'refund',
        id: planted.refund,
        at: moment,
        what: expect.stringMatching(/^500 USD of order:/),
        reason: 'the card is closed',
      },
      {
        kind: 'delivery',
        id: planted.delivery,
        at: moment,
        what: expect.stringMatching(/^order\.created to http/),
        reason: 'nobody answers',
      },
      {
        kind: 'payment',
        id: planted.payment,
        at: moment,
        what: expect.stringMatching(/^700 USD for order:/),
        reason: 'unknown order',
      },
    ]);
    const page = await ask('/admin/jobs', { headers: { ...bearer, accept: 'text/html' } });
    expect(page.text).toContain('no &lt;b&gt;luck');
    expect(page.text).not.toContain('<b>luck');
  });

  it.each([
    [{}],
    [{ action: 'explode', kind: 'job', id: 'x' }],
    [{ action: 'retry', kind: 'order', id: 'x' }],
    [{ action: 'retry', kind: 'job', id: 'x'.repeat(301) }],
    [{ action: 'retry', kind: 'job', id: 'x', more: 1 }],
    ['nothing'],
  ])('refuses %j', async (body) => {
    expect((await act(body)).status).toBe(400);
  });

  it.each(['job', 'mail', 'refund', 'delivery', 'payment'])('knows no %s of another id', async (kind) => {
    for (const action of ['retry', 'drop'])
      for (const id of ['nothing', '01900000-0000-7000-8000-00000000dead'])
        expect((await act({ action, kind, id })).status).toBe(404);
    expect((await listed()).length).toBe(5);
  });

  it('is tried again, once', async () => {
    for (const kind of ['mail', 'refund', 'delivery'] as const) {
      const sent = { action: 'retry', kind, id: planted[kind] };
      expect(await act(sent)).toMatchObject({ status: 200, text: JSON.stringify(sent) });
      expect((await act(sent)).status).toBe(404);
    }
    // What the payment is for is still not there.
    expect((await act({ action: 'retry', kind: 'payment', id: planted.payment })).status).toBe(200);
    expect(await listed()).toEqual([`job ${planted.job}`, `payment ${planted.payment}`]);
    const [state] = await t.db.sql(
      `select (select status::text from refunds) as refund, (select status::text from webhook_deliveries) as delivery,
         (select state::text from pgboss.job where id = $1::uuid) as mail,
         (select count(*)::int from pgboss.job where name = 'settle-refund') as jobs`,
      [planted.mail],
    );
    expect(state).toEqual({ refund: 'PENDING', delivery: 'PENDING', mail: 'retry', jobs: 1 });
  });

  it('is dropped, and money stays in the books', async () => {
    for (const kind of ['job', 'payment'] as const)
      expect((await act({ action: 'drop', kind, id: planted[kind] })).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect(await t.db.sql(`select id from payment_events`)).toEqual([{ id: 'evt_1' }]);
    expect(await t.db.sql(`select 1 from pgboss.job where id = $1::uuid`, [planted.job])).toEqual([]);
  });
});

it('tells who uses which path, what fails, and where the database stands', async () => {
  await t.rest('GET', '/v1/users/me', { headers: { 'x-client-name': 'till <1>' } });
  await t.rest('GET', '/v1/users/me', { headers: { 'x-api-key': 'a secret key' } });
  await t.rest('GET', '/v1/nowhere');
  const status = await read('/admin');
  const line = { kind: 'ROW', name: 'GET /v1/users/me', calls: 1, lastAt: expect.any(Number) };
  expect(status.clients).toContainEqual({ ...line, client: 'till <1>' });
  // Not a key that anybody has: who used it is not known.
  expect(status.clients).toContainEqual({ ...line, client: 'unknown' });
  expect(JSON.stringify(status.clients)).not.toMatch(/nowhere|a secret key/);
  expect(status.failing).toContainEqual(
    expect.objectContaining({ voice: 'rest', operation: 'GET /v1/users/me', count: 2, failed: 2 }),
  );
  expect(status).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    voices: { graphql: expect.any(Array), rest: expect.any(Array) },
    stuckOrders: [],
    migrations: { pending: [], last: expect.stringMatching(/^\d{14}_/) },
  });
  expect(status.queues).toContainEqual(expect.objectContaining({ queue: 'mail', failed: 0 }));
  expect(status.processes.length).toBe(1);
  const page = await ask('/admin', { headers: { ...bearer, accept: 'text/html' } });
  expect(page.text).toContain('till &lt;1&gt;');
});

describe('the numbers', () => {
  it.each([
    [[], 0, 0],
    [[[0.01, 10]], 10, 0.01],
    [
      [
        [0.01, 94],
        [0.1, 100],
      ],
      100,
      0.1,
    ],
    [
      [
        [0.01, 95],
        [0.1, 100],
      ],
      100,
      0.01,
    ],
    // Slower than the last bucket.
    [
      [
        [0.01, 0],
        [10, 1],
      ],
      100,
      10,
    ],
  ] as [[number, number][], number, number][])('%j of %d: 95 of 100 within %d', (within, count, expected) => {
    expect(histogramQuantile(within, count, 0.95)).toBe(expected);
  });

  it('sum up outcomes', () => {
    const series = { voice: 'rest', operation: 'a', seconds: 1, within: [[1, 2]] as [number, number][] };
    expect(
      summarizeOperations([
        { ...series, outcome: 'ok', count: 2 },
        { ...series, outcome: 'NOT_FOUND', count: 2 },
      ]),
    ).toEqual([{ voice: 'rest', operation: 'a', count: 4, failed: 2, meanMs: 500, p95Ms: 1000 }]);
  });

  it('tell what happened between two looks', () => {
    const series = { voice: 'rest', operation: 'a', outcome: 'ok', seconds: 1 };
    const before = [
      {
        ...series,
        count: 100,
        within: [
          [0.01, 0],
          [1, 100],
        ] as [number, number][],
      },
    ];
    const after = [
      {
        ...series,
        count: 109,
        within: [
          [0.01, 9],
          [1, 109],
        ] as [number, number][],
      },
      {
        ...series,
        outcome: 'NOT_FOUND',
        count: 1,
        within: [
          [0.01, 1],
          [1, 1],
        ] as [number, number][],
      },
    ];
    expect(ratePointBetween(before, after)).toEqual({ perSecond: 2, p95Ms: 10, failed: 1 });
    expect(ratePointBetween(after, after)).toEqual({ perSecond: 0, p95Ms: 0, failed: 0 });
  });

  it('draw lines that end at the right', () => {
    expect(chartLinePoints([], 3)).toBe('');
    expect(chartLinePoints([0, 4], 3)).toBe('120.0,54.0 240.0,4.0');
  });
});
