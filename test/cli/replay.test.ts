/** `duet replay`: finds every planted difference between REST and GraphQL, and between two gateways, and no other. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayRequests } from '../../src/cli/commands/replay.ts';
import { findJsonDifferences } from '../../src/cli/replay/json-differences.ts';
import { parseRecordedRequests } from '../../src/cli/replay/recorded-requests.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';
import { addProduct, createSellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: Shop;
let gateway: string;
let faultyGateway: string;
let paths: string[];

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  gateway = await listen(t);
  const { productId } = await addProduct(t, shop, { name: 'Teapot' });
  const at = `/v1/businesses/${shop.businessId}`;
  paths = [
    `${at}/products/${productId}`,
    `${at}/products?limit=1`,
    `${at}/products?fields=id,name`,
    `${at}/markets`,
    `${at}/orders?limit=5`,
    `${at}/products/${newId()}`,
    `${at}/products?limit=x`,
  ];
  // Changes the name of the product in GraphQL responses, and the tax of markets in REST responses.
  const proxy = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const response = await fetch(`${gateway}${req.url}`, {
      method: req.method ?? 'GET',
      headers: { authorization: String(req.headers.authorization), 'content-type': 'application/json' },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const text = await response.text();
    const changed =
      req.url === '/graphql' ? text.replaceAll('"Teapot"', '"Kettle"') : text.replace('825', '826');
    res.writeHead(response.status, { 'content-type': 'application/json' }).end(changed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  faultyGateway = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

async function replay(against: string, and?: string) {
  const lines: string[] = [];
  const headers = { authorization: `Bearer ${shop.admin.token}` };
  const requests = paths.map((path) => ({ path, headers }));
  const result = await replayRequests({ requests, against, and, write: (line) => lines.push(line) });
  return { ...result, lines: lines.map((line) => line.split(': ').slice(1).join(': ')) };
}

it('finds no difference between the protocols', async () => {
  expect(await replay(gateway)).toEqual({ compared: 7, skipped: 0, differences: 0, lines: [] });
});

it('finds all planted differences between the protocols', async () => {
  const { lines } = await replay(faultyGateway);
  expect(lines).toEqual([
    'name: "Teapot" / "Kettle"',
    'items.0.name: "Teapot" / "Kettle"',
    'items.0.name: "Teapot" / "Kettle"',
    'items.1.taxBps: 826 / 825',
  ]);
});

it('finds the planted difference between two gateways', async () => {
  expect((await replay(gateway, faultyGateway)).lines).toEqual(['items.1.taxBps: 825 / 826']);
});

it('reads access logs and HAR files', () => {
  const log = `10.0.0.1 - - [18/Nov/2026:10:00:00 +0000] "GET /v1/a?x=1 HTTP/1.1" 200 12 "-" "curl"
10.0.0.1 - - [18/Nov/2026:10:00:01 +0000] "GET /v1/a?x=1 HTTP/2.0" 200 12
10.0.0.1 - - [18/Nov/2026:10:00:01 +0000] "POST /v1/a HTTP/1.1" 200 12
10.0.0.1 - - [18/Nov/2026:10:00:01 +0000] "GET /docs HTTP/1.1" 200 12`;
  expect(parseRecordedRequests(log)).toEqual([{ path: '/v1/a?x=1', headers: {} }]);
  const request = (method: string, url: string) => ({
    request: {
      method,
      url,
      headers: [
        { name: 'Authorization', value: 'Bearer x' },
        { name: 'Cookie', value: 'y' },
      ],
    },
  });
  const entries = [request('GET', 'https://a.example/v1/b?y=2'), request('PUT', 'https://a.example/v1/b')];
  expect(parseRecordedRequests(JSON.stringify({ log: { entries } }))).toEqual([
    { path: '/v1/b?y=2', headers: { authorization: 'Bearer x' } },
  ]);
  expect(() => parseRecordedRequests('{"log": {')).toThrow('not a valid HAR file');
});

it('names each difference by its path', () => {
  const left = { a: [1, { b: 2 }], c: null };
  expect(findJsonDifferences(left, { a: [1, { b: 3 }, 4], c: null })).toEqual([
    { path: 'a.1.b', left: 2, right: 3 },
    { path: 'a.2', left: undefined, right: 4 },
  ]);
});
