/** The start page with and without demo data, and the demo shop at `/demo`: a purchase in the browser. */
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLandingPage } from '../../src/http/pages/landing-page.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityViolations, listen, openBrowser, openMonitoredPage } from '../support/browser.ts';
import { runProcess } from '../support/cli.ts';
import { freePort } from '../support/gateway-process.ts';

const devices = [
  ['desk', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['phone', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
] as const;

let t: TestApp;
let base: string;
let browser: Browser;
beforeAll(async () => {
  const port = await freePort();
  t = await testApp({ PUBLIC_URL: `http://127.0.0.1:${port}`, RATE_LIMIT: 'off' });
  base = await listen(t, port);
  await seedDemo(t.db, base);
  browser = await openBrowser();
});

async function expectGoodPage(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
  expect(await accessibilityViolations(page), name).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0);
}

/** HTML of the start page of a gateway with these variables. */
async function renderStartPage(env: Record<string, string>): Promise<string> {
  const page = createLandingPage({
    config: readConfig({ PUBLIC_URL: base, ...env }),
    isReady: async () => true,
  });
  const response = await page({ method: 'GET', path: '/' } as Parameters<typeof page>[0]);
  return String(response?.body);
}

describe('the start page', () => {
  it('links pages for developers, all of which exist', async () => {
    const html = await (await fetch(base)).text();
    const links = [...html.matchAll(/href="(\/[^"?]*)"/g)].map(([, path = '']) => path);
    expect(links).toEqual(
      expect.arrayContaining(['/graphql', '/docs', '/guide', '/guide/changelog', '/sandbox/outbox']),
    );
    const isBuilt = existsSync('dist/guide/pages.json');
    for (const path of new Set(links.filter((link) => isBuilt || !/^\/(guide|demo)/.test(link)))) {
      const response = await fetch(base + path, { headers: { accept: 'text/html' } });
      expect([path, response.status]).toEqual([path, 200]);
      await response.body?.cancel();
    }
  });

  it.each(devices)('shows the steps to an own shop without demo data, on a %s', async (name, options) => {
    const html = await renderStartPage({ SEED_DEMO: 'off' });
    for (const demo of [
      demoShopIdsAndLogins.businessId,
      demoShopIdsAndLogins.email,
      demoShopIdsAndLogins.password,
      '/demo',
      'demo shop',
    ])
      expect(html).not.toContain(demo);
    const page = await browser.newPage(options);
    await page.goto(base);
    await page.setContent(html);
    await expectGoodPage(page, `own-shop-${name}`);
    await page.goto(base);
    await expectGoodPage(page, `start-${name}`);
    await page.close();
  });

  it('shows commands that create a shop', async () => {
    const page = await browser.newPage();
    await page.goto(base);
    await page.setContent(await renderStartPage({ SEED_DEMO: 'off' }));
    const textOf = async (id: string) => (await page.locator(`#${id}`).textContent()) ?? '';
    const run = (script: string) =>
      runProcess('bash', ['-c', script], { cwd: '/tmp', env: { PATH: process.env.PATH } });
    const [register, signIn, create] = [
      await textOf('register'),
      await textOf('sign-in'),
      await textOf('create'),
    ];
    expect((await run(register)).code).toBe(0);
    const [mail] = await t.outbox('you@shop.example');
    await page.goto(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    await page.getByRole('button', { name: /confirm/i }).click();
    await page.waitForLoadState();
    const { stdout } = await run(`${signIn}\n${create}`);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Your shop', slug: 'your-shop' });
    await page.close();
  });

  it('shows no steps in production, where everybody sees it', async () => {
    const production = { NODE_ENV: 'production', SANDBOX: 'allowed', SEED_DEMO: 'off' };
    const html = await renderStartPage(production);
    expect(html).not.toContain('duet init');
    expect(html).not.toContain('/sandbox/outbox"><strong>');
  });
});

describe.runIf(existsSync('dist/demo/index.html'))('the demo shop', () => {
  it.each(devices)('sells on a %s', async (name, options) => {
    const { page, problems } = await openMonitoredPage(browser, base, { locale: 'en-US', ...options });
    await page.goto(`${base}/demo`);
    await page.getByRole('heading', { level: 1, name: 'Demo Coffee' }).waitFor();
    await page.getByRole('link', { name: 'Stoneware Cup' }).waitFor();
    await expectGoodPage(page, `demo-list-${name}`);
    await page.getByRole('link', { name: 'Stoneware Cup' }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByText('It is in your cart.').waitFor();
    expect(page.url()).toBe(`${base}/demo/products/stoneware-cup`);
    await expectGoodPage(page, `demo-product-${name}`);
    await page.getByRole('link', { name: /^Cart/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Your cart' }).waitFor();
    // A page below /demo can be loaded again.
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Your cart' }).waitFor();
    await expectGoodPage(page, `demo-cart-${name}`);
    const paths = (await page.evaluate('[...document.links].map(({ pathname }) => pathname)')) as string[];
    expect(paths.filter((path) => !path.startsWith('/demo'))).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is served with the demo data only, and not with trusted documents', async () => {
    for (const env of [{ SEED_DEMO: 'off' }, { GRAPHQL_DOCUMENTS: 'trusted' }])
      expect(await renderStartPage(env)).not.toContain('"/demo"');
    const missing = await fetch(`${base}/demo-shop`);
    expect(missing.status).toBe(404);
  });
});
