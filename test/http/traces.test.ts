/** Traces: exported spans, values that must not be exported, and propagation to jobs and external services. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOtlpExporter, type OtlpExporter } from '../../src/adapters/traces/otlp-exporter.ts';
import { readConfig } from '../../src/config.ts';
import {
  buildTraceHeaders,
  buildTraceLogFields,
  continueTrace,
  setSpanCollector,
  withSpan,
} from '../../src/lib/tracing.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { registerEndpoint, startWebhookReceiver } from '../support/webhook-receiver.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

const received: { path: string | undefined; token: unknown; spans: SentSpan[] }[] = [];
const failures: unknown[] = [];
let status = 200;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const [{ scopeSpans, resource }] = body.resourceSpans;
  expect(resource.attributes[0]).toEqual({ key: 'service.name', value: { stringValue: 'shop' } });
  received.push({ path: request.url, token: request.headers['x-token'], spans: scopeSpans[0].spans });
  response.writeHead(status).end('{}');
});

let t: TestApp;
let shop: Shop;
let traces: OtlpExporter;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const config = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
    OTEL_SERVICE_NAME: 'shop',
  });
  if (!config.traces) throw new Error('Traces are not configured.');
  traces = createOtlpExporter({ ...config.traces, onError: (error) => failures.push(error) });
  t = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'on' });
  shop = await t.shop();
});
afterAll(() => {
  setSpanCollector(undefined);
  server.close();
});

/** The spans that `run` exports. */
async function spansOf(run: () => Promise<unknown>): Promise<SentSpan[]> {
  received.length = 0;
  setSpanCollector(traces);
  try {
    await run();
  } finally {
    setSpanCollector(undefined);
  }
  await traces.close();
  expect(received.every(({ path, token }) => path === '/v1/traces' && token === 'a b')).toBe(true);
  return received.flatMap(({ spans }) => spans);
}

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
const attribute = (span: SentSpan | undefined, name: string) => {
  const value = span?.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

it('continue the trace of the client down to SQL statements, without parameter values', async () => {
  const path = `/v1/businesses/${shop.businessId}/products`;
  const body = { name: 'Secret lamp', description: 's3cret-words' };
  const spans = await spansOf(() =>
    t.rest('POST', path, { as: shop.admin, body, headers: { traceparent, 'x-request-id': 'traced' } }),
  );
  const request = spans.find(({ parentSpanId }) => parentSpanId === caller.spanId);
  expect(request).toMatchObject({
    traceId: caller.traceId,
    name: 'POST /v1/businesses/:businessId/products',
    kind: 2,
    status: {},
  });
  expect(attribute(request, 'http.response.status_code')).toBe(200);
  expect(attribute(request, 'duet.request_id')).toBe('traced');
  const operation = spans.find(({ name }) => name === 'mutation CreateProduct');
  expect(operation).toMatchObject({ parentSpanId: request?.spanId, kind: 1 });
  const statements = spans.filter(({ name }) => name.startsWith('statement'));
  expect(statements.some(({ parentSpanId }) => parentSpanId === operation?.spanId)).toBe(true);
  expect(statements.map((span) => attribute(span, 'db.query.text')).join()).toContain('insert into products');
  expect(spans.every(({ traceId }) => traceId === caller.traceId)).toBe(true);
  expect(spans.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))).toBe(true);
  expect(JSON.stringify(spans)).not.toMatch(/s3cret|Secret lamp|Bearer|eyJ/);
});

it('name spans after the GraphQL operation or the route, never after the path', async () => {
  const list = `query Shelf($b: ID!) { products(businessId: $b) { nodes { name } } }`;
  const spans = await spansOf(async () => {
    await t.graphql(list, { b: shop.businessId }, { as: shop.admin });
    await t.rest('GET', '/v1/nowhere/with-a-secret');
  });
  const names = spans.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['POST /graphql', 'query Shelf', 'GET other']));
  expect(JSON.stringify(spans)).not.toContain('with-a-secret');
});

it('continue in jobs, ports and webhook receivers', async () => {
  const hooks = await startWebhookReceiver();
  await registerEndpoint(t, shop, hooks.url);
  const spans = await spansOf(async () => {
    await t.rest('POST', `/v1/businesses/${shop.businessId}/products`, {
      as: shop.admin,
      body: { name: 'Lamp' },
    });
    await t.app.drainJobs();
  });
  const job = spans.find(({ name }) => name === 'job webhooks-deliver');
  const post = spans.find(({ name }) => name === 'webhooks post');
  expect([job?.kind, post?.kind, post?.traceId]).toEqual([5, 3, job?.traceId]);
  const operation = spans.find(({ name }) => name === 'mutation CreateProduct');
  expect(job?.traceId).toBe(operation?.traceId);
  const spansById = new Map(spans.map((span) => [span.spanId, span]));
  const ancestors = [];
  for (let at = spansById.get(job?.parentSpanId ?? ''); at; at = spansById.get(at.parentSpanId ?? ''))
    ancestors.push(at.name);
  expect(ancestors).toContain('mutation CreateProduct');
  expect(hooks.received.at(-1)?.headers.traceparent).toBe(`00-${post?.traceId}-${post?.spanId}-01`);
});

it('respect the sampling flag of the client, and ignore an invalid traceparent', async () => {
  const send = (header: string) =>
    t.rest('GET', '/v1/users/me', { as: shop.admin, headers: { traceparent: header } });
  expect(await spansOf(() => send(traceparent.replace(/01$/, '00')))).toEqual([]);
  for (const wrong of ['', 'x', `00-${'0'.repeat(32)}-${caller.spanId}-01`, `ff-${caller.traceId}`]) {
    const [first] = (await spansOf(() => send(wrong))).filter(({ kind }) => kind === 2);
    expect([first?.parentSpanId, first?.traceId === caller.traceId]).toEqual([undefined, false]);
  }
});

it('add their ids to log lines, and create no spans without a collector', async () => {
  const lines: Record<string, string>[] = [];
  const log = pino(
    { mixin: buildTraceLogFields },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  await spansOf(async () =>
    continueTrace(traceparent, () => withSpan('work', 'internal', {}, () => log.info('in'))),
  );
  log.info('out');
  expect(lines).toMatchObject([{ trace_id: caller.traceId, msg: 'in' }, { msg: 'out' }]);
  expect(lines[1]).not.toHaveProperty('trace_id');
  const untraced = continueTrace(traceparent, () =>
    withSpan('work', 'internal', {}, (span) => [span, buildTraceHeaders()]),
  );
  expect(untraced).toEqual([undefined, {}]);
});

it('are dropped when the collector rejects them, without affecting requests', async () => {
  status = 400;
  await spansOf(() => t.rest('GET', '/v1/users/me', { as: shop.admin }));
  status = 200;
  expect(failures).toMatchObject([{ name: 'OTLPExporterError', code: 400 }]);
});

it('do not block requests or the shutdown when the collector is unavailable or slow', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  for (const port of [9, (silent.address() as AddressInfo).port]) {
    const exportErrors: unknown[] = [];
    const unavailable = createOtlpExporter({
      endpoint: `http://127.0.0.1:${port}`,
      headers: {},
      serviceName: 'shop',
      ratio: 1,
      onError: (error) => exportErrors.push(error),
    });
    setSpanCollector(unavailable);
    for (let n = 0; n < 10_000; n++) withSpan('work', 'internal', {}, () => undefined);
    setSpanCollector(undefined);
    // The collector never accepts the spans; close() must resolve anyway.
    await unavailable.close();
    expect(exportErrors).not.toEqual([]);
  }
  silent.closeAllConnections();
  silent.close();
});
