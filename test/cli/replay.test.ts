/** `duet replay`: finds every planted difference between REST and GraphQL, and between two gateways, and no other. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { replayCommand, replayRequests } from '../../src/cli/commands/replay-recorded-reads.ts';
import { findJsonDifferences } from '../../src/cli/replay/find-json-differences.ts';
import { parseRecordedRequests } from '../../src/cli/replay/parse-recorded-requests.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';
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
      req.url === '/graphql'
        ? text.replaceAll('"Teapot"', '"Kettle"')
        : text.replace('"taxBps":825', '"taxBps":826');
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
  expect(await replay(gateway)).toEqual({
    compared: 7,
    skipped: 0,
    unauthenticated: 0,
    differences: 0,
    lines: [],
  });
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

it('reads the files from the command line, and fails on differences', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-replay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'access.log');
  await writeFile(log, paths.map((path) => `10.0.0.1 - - [-] "GET ${path} HTTP/1.1" 200 1\n`).join(''));
  const har = join(folder, 'shop.har');
  const headers = [{ name: 'Authorization', value: `Bearer ${shop.admin.token}` }];
  const entries = paths.map((path) => ({ request: { method: 'GET', url: `https://h${path}`, headers } }));
  await writeFile(har, JSON.stringify({ log: { entries } }));
  const output: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  const { token } = shop.admin;
  await replayCommand({}, [log, '--against', gateway, '--token', token]);
  await replayCommand({}, [har, '--against', gateway]);
  expect(output).toEqual(Array(2).fill('Compared requests: 7; skipped, without a route: 0.\n'));
  await expect(replayCommand({}, [har, '--against', faultyGateway])).rejects.toThrow('Differences: 4.');
  await expect(
    replayCommand({}, [log, '--against', gateway, '--and', faultyGateway, '--token', token]),
  ).rejects.toThrow('Differences: 1.');
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  await expect(replayCommand({}, [har, '--against', unreachable])).rejects.toThrow('No response from');
});

it('finds a difference planted at any field of a response, and names its path', async () => {
  const { body } = await t.rest<Record<string, unknown>>('GET', paths[0] ?? '', { as: shop.admin });
  const planted = leafPaths(body);
  expect(planted.length).toBeGreaterThan(10);
  const changes: ((value: unknown) => unknown)[] = [() => 'planted', () => null, () => undefined, () => [0]];
  for (const path of planted)
    for (const change of changes) {
      const copy = structuredClone(body);
      const keys = path.split('.');
      const owner = keys
        .slice(0, -1)
        .reduce<Record<string, unknown>>((node, key) => node[key] as never, copy);
      const last = keys.at(-1) ?? '';
      const value = change(owner[last]);
      if (value === undefined) delete owner[last];
      else owner[last] = value;
      expect(findJsonDifferences(body, copy).map((found) => found.path)).toEqual([path]);
    }
});

/** Paths of the values that are neither objects nor lists. */
const leafPaths = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) =>
        leafPaths(inner, path === '' ? name : `${path}.${name}`),
      )
    : [path];

it('names each difference by its path', () => {
  const left = { a: [1, { b: 2 }], c: null };
  expect(findJsonDifferences(left, { a: [1, { b: 3 }, 4], c: null })).toEqual([
    { path: 'a.1.b', left: 2, right: 3 },
    { path: 'a.2', left: undefined, right: 4 },
  ]);
});

it.each(['localhost:4000', 'shop.example', 'ftp://shop.example', '/v1'])(
  'rejects the URL %s',
  async (url) => {
    await expect(replayCommand({}, ['x.log', '--against', url])).rejects.toThrow(
      '--against must be a URL, such as',
    );
  },
);

it('fails if the file has no recorded request, and if no request is authenticated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-replay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'access.log');
  await writeFile(log, 'hello\n');
  await expect(replayCommand({}, [log, '--against', gateway])).rejects.toThrow(
    'no recorded GET request below /v1',
  );
  await writeFile(log, `10.0.0.1 - - [-] "GET ${paths[0]} HTTP/1.1" 200 1\n`);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  for (const args of [[], ['--token', 'invalid']])
    await expect(replayCommand({}, [log, '--against', gateway, ...args])).rejects.toThrow(
      'UNAUTHENTICATED on both sides: 1.',
    );
});
