/** HTML pages and their assets over HTTP: content types, caching, Content-Security-Policy; and GraphQL requests at the same path. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoContentIds } from '../../src/seed/content-data.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp();
  base = await listen(t);
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** The page and the URLs of the files it loads. */
async function load(path: string) {
  const response = await fetch(base + path, { headers: browser });
  const text = await response.text();
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, href = '']) => href);
  return { response, text, files: [...new Set(files)] };
}

describe.each(['/', '/docs', '/graphql'])('%s', (path) => {
  it('has a strict policy and no inline script', async () => {
    const { response, text } = await load(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(text).not.toMatch(/\son\w+=|<style|\sstyle=/);
  });

  it('serves its assets with a content type and immutable caching', async () => {
    const { files } = await load(path);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const response = await fetch(base + file);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get('content-type')).toMatch(
        /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
      );
      expect(response.headers.get('cache-control')).toContain('immutable');
      const { byteLength } = await response.arrayBuffer();
      expect(byteLength).toBeGreaterThan(10);
      expect(response.headers.get('content-encoding')).toBe(byteLength < 1024 ? null : 'gzip');
      const notModified = await fetch(base + file, {
        headers: { 'if-none-match': response.headers.get('etag') ?? '' },
      });
      expect(notModified.status).toBe(304);
    }
  });
});

it('shows first requests that work in a shell', async () => {
  await seedDemo(t.db);
  const { text } = await load('/');
  const command = (id: string) =>
    (new RegExp(`<code id="${id}">([^]*?)</code>`).exec(text)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('http://localhost:4000', base);
  const script = [command('signin'), command('rest'), 'echo', command('graphql')].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const [rest, graphql] = stdout.split('\n').map((line) => JSON.parse(line));
  expect(rest.items).toHaveLength(3);
  expect(graphql.data.products.nodes.map(({ slug }: { slug: string }) => slug)).toEqual(
    rest.items.map(({ slug }: { slug: string }) => slug),
  );
});

it('distinguishes GraphQL over GET from the page by the Accept header', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${base}/graphql?query=%7B__typename%7D`, { headers });
  for (const headers of [{}, { accept: 'application/json' }])
    expect(await (await send(headers)).json()).toEqual({ data: { __typename: 'Query' } });
  expect((await send(browser)).headers.get('content-type')).toBe('text/html; charset=utf-8');
});

it('handles every form of GraphQL request on a socket', async () => {
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${base}/graphql`, { method: 'POST', headers, body });
  const json = { 'content-type': 'application/json' };
  const query = JSON.stringify({ query: '{ __typename }' });
  const statuses = await Promise.all([
    post(json, query),
    post(json, `[${query},${query}]`),
    post(json, '{'),
    post({ ...json, accept: 'text/event-stream' }, query),
    post({ ...json, accept: 'image/png' }, query),
    post({ 'content-type': 'text/plain' }, query),
    post({ 'content-type': 'application/graphql' }, '{ __typename }'),
    post(json, 'x'.repeat(1_100_000)),
    fetch(`${base}/graphql`, { method: 'PUT', body: '{}' }),
  ]).then((responses) => responses.map(({ status }) => status));
  expect(statuses).toEqual([200, 200, 400, 200, 406, 415, 200, 413, 405]);
  expect((await fetch(`${base}/health/live`)).status).toBe(200);
});

it('has no GraphiQL with trusted documents only', async () => {
  const closed = await testApp({ GRAPHQL_DOCUMENTS: 'trusted' });
  const response = await closed.app.fetch(new Request('http://duet.test/graphql', { headers: browser }));
  expect(await response.text()).toContain('Trusted documents only');
});

it('serves the pictures of the demo shop with a policy that forbids scripts', async () => {
  await seedDemo(t.db);
  const shop = `/v1/businesses/${demoShopIdsAndLogins.businessId}`;
  const as = await t.guest();
  const [products, entries] = await Promise.all([
    t.rest('GET', `${shop}/products?limit=50`, { as }),
    t.rest('GET', `${shop}/entries?collectionId=${demoContentIds.blogId}`, { as }),
  ]);
  const urls = JSON.stringify([products.body, entries.body]).match(/http:\/\/localhost:4000\/[^"]+/g) ?? [];
  expect(new Set(urls).size).toBeGreaterThan(12);
  for (const url of new Set(urls)) {
    const response = await fetch(url.replace('http://localhost:4000', base));
    expect([response.status, response.headers.get('content-type')], url).toEqual([200, 'image/svg+xml']);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(await response.text()).toMatch(/^<svg .*<title>.+<\/svg>$/s);
  }
});
