/** Every page of our own, by day, by night and on a phone: nothing keeps anybody out. What all of them weigh; the others are in pages.test.ts. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { confirmToken, unsubscribeToken } from '../../src/domains/newsletter/tokens.ts';
import { demo, seedId } from '../../src/seed/data.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen, openBrowser, violations, watchedPage } from '../support/browser.ts';
import { freePort } from '../support/process.ts';

let t: TestApp;
let base: string;
let browser: Browser;
const paths: Record<string, string> = {};

beforeAll(async () => {
  const port = await freePort();
  t = await testApp({
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: 'an-operator-token-long-enough',
    RATE_LIMIT: 'off',
  });
  await seedDemo(t.db, t.app.services.config.publicUrl);
  base = await listen(t, port);
  browser = await openBrowser();
  const { body } = await t.rest<{ checkoutUrl: string }>(
    'POST',
    `/v1/businesses/${demo.businessId}/orders/checkout`,
    {
      as: await t.guest(),
      body: { market: 'US', items: [{ productId: seedId(3, 11), quantity: 1 }] },
    },
  );
  await t.rest('POST', '/v1/users/register', {
    body: { email: 'somebody@people.example', password: 'mauve otter climbs slowly' },
  });
  await t.app.drainJobs();
  const { secret } = t.app.services.keys;
  const of = `/v1/businesses/${demo.businessId}`;
  Object.assign(paths, {
    landing: '/',
    outbox: '/sandbox/outbox',
    payment: new URL(body.checkoutUrl ?? base).pathname,
    thanks: '/checkout/thanks',
    'address to confirm': '/account/confirm?token=x',
    'new password': '/account/reset-password?token=x',
    'look after': '/account/security',
    unsubscribe: `${of}/collections/unsubscribe?token=${unsubscribeToken(secret, demo.businessId, seedId(9, 1))}`,
    confirm: `${of}/subscriptions/confirm?token=${confirmToken(secret, demo.businessId, seedId(9, 1))}`,
    'bad link': `${of}/subscriptions/confirm?token=x`,
    admin: '/admin',
    nothing: '/nowhere',
  });
});

const others: Record<string, string> = { reference: '/docs', GraphiQL: '/graphql' };

/** What is drawn by scripts is waited for. */
const drawn: Record<string, string> = { reference: '.opblock', GraphiQL: '[aria-label^="Execute query"]' };

async function open(page: Page, name: string): Promise<void> {
  await page.goto(`${base}${paths[name] ?? others[name]}`);
  const part = drawn[name];
  if (part !== undefined) await page.locator(part).first().waitFor();
}

const phone = { width: 360, height: 740 };
it.each([
  ['by day', { colorScheme: 'light' }],
  ['by night on a phone', { colorScheme: 'dark', viewport: phone }],
] as const)(
  'keeps nobody out, %s',
  async (when, options) => {
    const { page } = await watchedPage(browser, base, options);
    const found: string[] = [];
    for (const name of Object.keys(paths)) {
      await open(page, name);
      for (const violation of await violations(page)) found.push(`${name}: ${violation}`);
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (wide > 0) found.push(`${name}: ${wide} pixels too wide`);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name} ${when}.png` });
    }
    expect(found).toEqual([]);
    await page.close();
  },
  60_000,
);

/** In kilobytes as they come over the wire, and in requests. */
const most: Record<string, [kilobytes: number, requests: number]> = {
  landing: [20, 6],
  reference: [900, 15],
  GraphiQL: [2500, 20],
};

it('weighs little', async () => {
  for (const [name, [kilobytes, requests]] of Object.entries(most)) {
    const page = await browser.newPage();
    await open(page, name);
    const figures = (await page.evaluate(`(() => {
      const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
      const { domInteractive, loadEventEnd } = all[0];
      return { kilobytes: Math.round(all.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024),
        requests: all.length, interactive: Math.round(domInteractive), loaded: Math.round(loadEventEnd), drawn: Math.round(performance.now()) };
    })()`)) as Record<string, number>;
    if (process.env.FIGURES) console.info(name, figures);
    expect(figures.kilobytes).toBeLessThanOrEqual(kilobytes);
    expect(figures.requests).toBeLessThanOrEqual(requests);
    await page.close();
  }
}, 60_000);
