/** `/migrate` and the GraphQL twins of the REST reference, in a browser, with and without scripts. */
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityViolations, listen, openBrowser, openMonitoredPage } from '../support/browser.ts';

let t: TestApp;
let base: string;
let browser: Browser;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  await seedDemo(t.db);
  base = await listen(t);
  browser = await openBrowser();
});

const products = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products`;

describe('/migrate', () => {
  it('translates a curl command, and opens it in GraphiQL with its variables', async () => {
    const { page, problems } = await openMonitoredPage(browser, base);
    await page.goto(`${base}/migrate`);
    await page
      .getByLabel('curl commands, HAR file, or request line with body')
      .fill(`curl '${base}${products}?limit=2&inStock=true' -H "Authorization: Bearer secret-token"`);
    await page.getByRole('button', { name: 'Translate' }).click();
    await page.getByRole('heading', { name: /ListProducts/ }).waitFor();
    expect(JSON.parse((await page.locator('#variables-0').textContent()) ?? '')).toEqual({
      businessId: demoShopIdsAndLogins.businessId,
      first: 2,
      filter: { inStock: true },
    });
    expect(await page.locator('#client-0').textContent()).toContain('client.run(ListProductsDocument, {');
    expect(await page.getByRole('row', { name: /^items\[\]\.blocks\[\]\.id/ }).textContent()).toContain(
      'Block.key',
    );
    // The token is in the form, and nowhere else.
    await page.locator('#request').fill('');
    expect(await page.content()).not.toMatch(/secret-token.*<\/form>.*secret-token/s);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click();
    await page.getByRole('button', { name: 'Execute query' }).click();
    const response = page.locator('.graphiql-response');
    await expect.poll(() => response.textContent()).toContain('"nodes"');
    expect(await page.locator('.graphiql-tab-button[aria-current=true]').textContent()).toBe('ListProducts');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('works without scripts on a phone, for a HAR file', async () => {
    const { page, problems } = await openMonitoredPage(browser, base, {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    await page.goto(`${base}/migrate`);
    const entries = [`${products}/p1`, '/v1/nowhere', '/style.css'].map((path) => ({
      request: { method: 'GET', url: `https://shop.example${path}` },
    }));
    await page.locator('#request').fill(JSON.stringify({ log: { entries } }));
    await page.getByRole('button', { name: 'Translate' }).click();
    const headings = page.locator('details.call h2');
    await expect
      .poll(() => headings.allTextContents())
      .toEqual([`GET ${products}/p1 → GetProduct`, 'GET /v1/nowhere → no operation']);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.locator('#request').fill('curl http://shop.example/');
    await page.getByRole('button', { name: 'Translate' }).click();
    await page.getByRole('alert').getByText('no path below /v1/').waitFor();
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
    await page.close();
  });

  it('escapes the pasted text', async () => {
    const body = new URLSearchParams({ request: 'GET /v1/users/me?x=</textarea><script>alert(1)</script>' });
    const response = await fetch(`${base}/migrate`, { method: 'POST', body });
    const html = await response.text();
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script>alert');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('answers JSON with JSON, and documented errors', async () => {
    const translate = async (body: unknown) => {
      const response = await fetch(`${base}/migrate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return [response.status, await response.json()] as const;
    };
    expect(await translate({ method: 'get', path: `${products}/p1` })).toMatchObject([
      200,
      {
        operation: 'GetProduct',
        variables: { businessId: demoShopIdsAndLogins.businessId, id: 'p1' },
        errors: [],
      },
    ]);
    expect(await translate({ method: 'GET', path: '/v1/nowhere' })).toMatchObject([
      404,
      { error: 'NOT_FOUND' },
    ]);
    for (const invalid of [
      '{',
      '[]',
      { method: 'GET' },
      { method: 'GET', path: 1 },
      { method: 'GET', path: '/', body: [] },
    ])
      expect(await translate(invalid)).toMatchObject([400, { error: 'BAD_REQUEST' }]);
  });
});

it('shows the GraphQL twin of an operation of the reference, and follows the form', async () => {
  const { page, problems } = await openMonitoredPage(browser, base);
  await page.goto(`${base}/docs#ListProducts`);
  const twin = page.getByRole('region', { name: 'In GraphQL' });
  await twin.getByRole('link', { name: 'Open in GraphiQL' }).waitFor();
  const variables = async () =>
    JSON.parse((await twin.getByRole('region', { name: 'Variables' }).textContent()) ?? '');
  expect(await variables()).toMatchObject({
    businessId: demoShopIdsAndLogins.businessId,
    first: 5,
    sort: 'PRICE',
  });
  await page.getByLabel('limit').fill('7');
  await expect.poll(async () => (await variables()).first).toBe(7);
  expect(await accessibilityViolations(page)).toEqual([]);
  await twin.getByRole('link', { name: 'Open in GraphiQL' }).click();
  await page.getByRole('button', { name: 'Execute query' }).waitFor();
  expect(await page.evaluate('location.hash')).toBe('');
  await expect.poll(() => page.locator('.graphiql-query-editor').textContent()).toContain('ListProducts');
  expect(problems).toEqual([]);
  await page.close();
});
