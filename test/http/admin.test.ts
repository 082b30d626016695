/** `/admin` and `/admin/jobs`: access control, content, and retrying or dropping permanently failed work. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { formatChartLinePoints } from '../../src/http/admin/render-status-page.ts';
import {
  computeHistogramQuantile,
  requestRatePointBetween,
  summarizeOperationRequests,
} from '../../src/http/admin/request-rates.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { createFailedWork, type FailedWorkIds } from '../support/failed-work.ts';

const token = 'an-operator-token-long-enough';
const bearer = { authorization: `Bearer ${token}` };
let t: TestApp;
let planted: FailedWorkIds;

beforeAll(async () => {
  t = await testApp({ ADMIN_TOKEN: token, WEBHOOK_ALLOW_PRIVATE: 'on' }, undefined, createPrometheus());
  planted = await createFailedWork(t);
});

async function send(path: string, init: RequestInit = {}) {
  const response = await t.app.fetch(new Request(`http://duet.test${path}`, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const read = async (path: string) => JSON.parse((await send(path, { headers: bearer })).text);
const postAction = (body: unknown, headers: Record<string, string> = bearer) =>
  send('/admin/jobs', { method: 'POST', headers, body: JSON.stringify(body) });
const listFailures = async () =>
  ((await read('/admin/jobs')) as { items: { kind: string; id: string }[] }).items.map(
    ({ kind, id }) => `${kind} ${id}`,
  );

describe('access', () => {
  const wrong: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }, { authorization: token }];

  it.each(['/admin', '/admin/jobs'])('%s requires the token', async (path) => {
    for (const headers of wrong) expect((await send(path, { headers })).status).toBe(401);
    expect((await send(path, { headers: bearer })).status).toBe(200);
    const page = await send(path, { headers: { ...wrong[1], accept: 'text/html' } });
    expect(page.status).toBe(401);
  });

  it('shows browsers without a token a frame without data, which is not cached', async () => {
    const { status, headers, text } = await send('/admin/jobs', { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(text).not.toContain('mailbox');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('requires the token for actions', async () => {
    for (const headers of wrong)
      expect((await postAction({ action: 'drop', kind: 'job', id: planted.job }, headers)).status).toBe(401);
    expect((await listFailures()).length).toBe(5);
  });

  it('does not exist without ADMIN_TOKEN', async () => {
    const plain = await testApp();
    for (const path of ['/admin', '/admin/jobs'])
      expect(
        (await plain.app.fetch(new Request(`http://duet.test${path}`, { headers: bearer }))).status,
      ).toBe(404);
  });
});

describe('permanently failed work', () => {
  it('is listed with its reason, newest first, and escaped in the page', async () => {
    const { items } = await read('/admin/jobs');
    const anyTime = expect.any(Number);
    expect(items).toEqual([
      {
        kind: 'job',
        id: planted.job,
        at: anyTime,
        what: 'expire-orders, after 6 tries',
        reason: 'no <b>luck</b>',
      },
      {
        kind: 'mail',
        id: planted.mail,
        at: anyTime,
        what: 'mail, after 6 tries',
        reason: 'the mailbox is full',
      },
      {
        kind: 'refund',
        id: planted.refund,
        at: anyTime,
        what: expect.stringMatching(/^500 USD of order:/),
        reason: 'the card is closed',
      },
      {
        kind: 'delivery',
        id: planted.delivery,
        at: anyTime,
        what: expect.stringMatching(/^order\.created to http/),
        reason: 'nobody answers',
      },
      {
        kind: 'payment',
        id: planted.payment,
        at: anyTime,
        what: expect.stringMatching(/^700 USD for order:/),
        reason: 'unknown order',
      },
    ]);
    const page = await send('/admin/jobs', { headers: { ...bearer, accept: 'text/html' } });
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
  ])('rejects %j', async (body) => {
    expect((await postAction(body)).status).toBe(400);
  });

  it.each(['job', 'mail', 'refund', 'delivery', 'payment'])(
    'responds with 404 for an unknown %s',
    async (kind) => {
      for (const action of ['retry', 'drop'])
        for (const id of ['nothing', '01900000-0000-7000-8000-00000000dead'])
          expect((await postAction({ action, kind, id })).status).toBe(404);
      expect((await listFailures()).length).toBe(5);
    },
  );

  it('can be retried once', async () => {
    for (const kind of ['mail', 'refund', 'delivery'] as const) {
      const action = { action: 'retry', kind, id: planted[kind] };
      expect(await postAction(action)).toMatchObject({ status: 200, text: JSON.stringify(action) });
      expect((await postAction(action)).status).toBe(404);
    }
    // The order of the payment still does not exist.
    expect((await postAction({ action: 'retry', kind: 'payment', id: planted.payment })).status).toBe(200);
    expect(await listFailures()).toEqual([`job ${planted.job}`, `payment ${planted.payment}`]);
    const [state] = await t.db.sql(
      `select (select status::text from refunds) as refund, (select status::text from webhook_deliveries) as delivery,
         (select state::text from pgboss.job where id = $1::uuid) as mail,
         (select count(*)::int from pgboss.job where name = 'settle-refund') as jobs`,
      [planted.mail],
    );
    expect(state).toEqual({ refund: 'PENDING', delivery: 'PENDING', mail: 'retry', jobs: 1 });
  });

  it('can be dropped, and payment events stay stored', async () => {
    for (const kind of ['job', 'payment'] as const)
      expect((await postAction({ action: 'drop', kind, id: planted[kind] })).status).toBe(200);
    expect(await listFailures()).toEqual([]);
    expect(await t.db.sql(`select id from payment_events`)).toEqual([{ id: 'evt_1' }]);
    expect(await t.db.sql(`select 1 from pgboss.job where id = $1::uuid`, [planted.job])).toEqual([]);
  });
});

it('shows client usage, failing operations, queues, processes and migrations', async () => {
  await t.rest('GET', '/v1/users/me', { headers: { 'x-client-name': 'till <1>' } });
  await t.rest('GET', '/v1/users/me', { headers: { 'x-api-key': 'a secret key' } });
  await t.rest('GET', '/v1/nowhere');
  const status = await read('/admin');
  const line = { kind: 'ROW', name: 'GET /v1/users/me', calls: 1, lastAt: expect.any(Number) };
  expect(status.clients).toContainEqual({ ...line, client: 'till <1>' });
  // An API key that does not exist is not attributed to a client.
  expect(status.clients).toContainEqual({ ...line, client: 'unknown' });
  expect(JSON.stringify(status.clients)).not.toMatch(/nowhere|a secret key/);
  expect(status.failing).toContainEqual(
    expect.objectContaining({ protocol: 'rest', operation: 'GET /v1/users/me', count: 2, failed: 2 }),
  );
  expect(status).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    protocols: { graphql: expect.any(Array), rest: expect.any(Array) },
    stuckOrders: [],
    migrations: { pending: [], last: expect.stringMatching(/^\d{14}_/) },
  });
  expect(status.queues).toContainEqual(expect.objectContaining({ queue: 'mail', failed: 0 }));
  expect(status.processes.length).toBe(1);
  const page = await send('/admin', { headers: { ...bearer, accept: 'text/html' } });
  expect(page.text).toContain('till &lt;1&gt;');
});

describe('request statistics', () => {
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
    // Requests slower than the last bucket.
    [
      [
        [0.01, 0],
        [10, 1],
      ],
      100,
      10,
    ],
  ] as [[number, number][], number, number][])(
    '%j of %d requests: 95th percentile %d',
    (within, count, expected) => {
      expect(computeHistogramQuantile(within, count, 0.95)).toBe(expected);
    },
  );

  it('sum outcomes per operation', () => {
    const series = { protocol: 'rest', operation: 'a', seconds: 1, within: [[1, 2]] as [number, number][] };
    expect(
      summarizeOperationRequests([
        { ...series, outcome: 'ok', count: 2 },
        { ...series, outcome: 'NOT_FOUND', count: 2 },
      ]),
    ).toEqual([{ protocol: 'rest', operation: 'a', count: 4, failed: 2, meanMs: 500, p95Ms: 1000 }]);
  });

  it('compute rates between two samples', () => {
    const series = { protocol: 'rest', operation: 'a', outcome: 'ok', seconds: 1 };
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
    expect(requestRatePointBetween(before, after)).toEqual({ perSecond: 2, p95Ms: 10, failed: 1 });
    expect(requestRatePointBetween(after, after)).toEqual({ perSecond: 0, p95Ms: 0, failed: 0 });
  });

  it('draw chart lines that end at the right edge', () => {
    expect(formatChartLinePoints([], 3)).toBe('');
    expect(formatChartLinePoints([0, 4], 3)).toBe('120.0,54.0 240.0,4.0');
  });
});
