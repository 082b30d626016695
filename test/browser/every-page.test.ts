/** Every page, by day, by night and on a phone: nothing keeps anybody out. What they weigh, and every call of the reference. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { OneTimePurpose } from '../../src/auth/tokens.ts';
import { confirmToken, unsubscribeToken } from '../../src/domains/newsletter/tokens.ts';
import { issueToken } from '../../src/domains/users/one-time-tokens.ts';
import { demo, seedId } from '../../src/seed/data.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { listen, openBrowser, violations, violationsInOtherLight, watchedPage } from '../support/browser.ts';
import { printedExamples } from '../support/demo-examples.ts';
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
    // What the example of signing in with a provider names.
    ALLOWED_ORIGINS: 'http://localhost:4000',
  });
  await seedDemo(t.db, t.app.services.config.publicUrl);
  base = await listen(t, port);
  browser = await openBrowser();
  const { body } = await t.rest<{ checkoutUrl: string; orderId: string }>(
    'POST',
    `/v1/businesses/${demo.businessId}/orders/checkout`,
    {
      as: await t.guest(),
      body: {
        market: 'US',
        shippingMethodId: 'standard',
        items: [{ productId: seedId(3, 11), variantId: seedId(4, 161), quantity: 1 }],
      },
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
    payment: new URL(body.checkoutUrl).pathname,
    thanks: `/checkout/thanks?orderId=${body.orderId}`,
    'thanks for nothing': '/checkout/thanks',
    'stale payment': '/sandbox/pay/sbx_stale',
    'address to confirm': `/account/confirm?token=${await linkToken('CONFIRM')}`,
    'new password': `/account/reset-password?token=${await linkToken('RESET')}`,
    'dead link': '/account/confirm?token=x',
    'look after': '/account/security',
    unsubscribe: `${of}/collections/unsubscribe?token=${unsubscribeToken(secret, demo.businessId, seedId(9, 1))}`,
    confirm: `${of}/subscriptions/confirm?token=${confirmToken(secret, demo.businessId, seedId(9, 1))}`,
    'bad link': `${of}/subscriptions/confirm?token=x`,
    admin: '/admin',
    nothing: '/nowhere',
    reference: '/docs',
    'a call of the reference': '/docs#CreateProduct',
    GraphiQL: '/graphql',
  });
});

async function linkToken(purpose: OneTimePurpose): Promise<string> {
  const { token, save } = await issueToken(t.app.services, purpose, demo.adminId);
  await t.db.transaction(save);
  return token;
}

/** What is drawn by scripts is waited for. */
const drawn: Record<string, string> = {
  reference: '#operation h1',
  'a call of the reference': '#operation form',
  GraphiQL: '[aria-label^="Execute query"]',
};

async function open(page: Page, name: string): Promise<void> {
  await page.goto(`${base}${paths[name]}`);
  const part = drawn[name];
  if (part !== undefined) await page.locator(part).first().waitFor();
}

const phone = { width: 360, height: 740 };
it.each([
  ['on a desk, by day and by night', { colorScheme: 'light' }],
  ['on a phone, by night and by day', { colorScheme: 'dark', viewport: phone }],
] as const)('keeps nobody out %s', async (when, options) => {
  const { page } = await watchedPage(browser, base, options);
  const found: string[] = [];
  for (const name of Object.keys(paths)) {
    await open(page, name);
    if (!(await page.locator('header .brand').innerText()).trim()) found.push(`${name}: no brand`);
    if ((await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').count()) === 0)
      found.push(`${name}: no navigation`);
    // Its editors take their colours once.
    const again = name === 'GraphiQL' ? () => open(page, name) : undefined;
    for (const violation of [...(await violations(page)), ...(await violationsInOtherLight(page, again))])
      found.push(`${name}: ${violation}`);
    const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (wide > 0) found.push(`${name}: ${wide} pixels too wide`);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name} ${when}.png` });
  }
  expect(found).toEqual([]);
  await page.close();
});

/** In kilobytes as they come over the wire, and in requests. */
const most: Record<string, [kilobytes: number, requests: number]> = {
  landing: [20, 6],
  reference: [130, 10],
  GraphiQL: [2000, 20],
};

it('weighs little', async () => {
  for (const [name, [kilobytes, requests]] of Object.entries(most)) {
    const page = await browser.newPage();
    await open(page, name);
    // Workers come after what is seen, and where the page is slow one of them comes twice.
    const workers = `new Set(performance.getEntriesByType('resource').flatMap(({ name }) => name.match(/\\w+\\.worker\\.js/) ?? []))`;
    await expect.poll(() => page.evaluate(`${workers}.size`)).toBe(name === 'GraphiQL' ? 3 : 0);
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
});

/** Runs in the page: each call as it is shown, by whom it is meant for; gives those that went another way. */
const sendAll = `async (examples) => {
  const once = async (isSo) => { while (!isSo()) await new Promise((next) => setTimeout(next, 5)); };
  const token = () => JSON.parse(sessionStorage.getItem('duet:session') ?? '{}').token;
  const wrong = [];
  let caller;
  for (const { name, as, status } of examples) {
    if (as === 'guest' || caller !== as) {
      const before = token();
      document.querySelector('#session [data-as=' + as + ']').click();
      await once(() => token() !== before);
      caller = as;
    }
    location.hash = '#' + name;
    await once(() => document.querySelector('#menu [aria-current]')?.hash === '#' + name);
    document.querySelector('#operation form button.main').click();
    await once(() => document.querySelector('#operation .answer [data-status], #operation .answer .bad'));
    const got = document.querySelector('#operation [data-status]')?.dataset.status;
    if (got !== String(status)) wrong.push(name + ': ' + document.querySelector('.answer').textContent);
  }
  return wrong;
}`;

it('sends every call of the reference as it is shown', async () => {
  const page = await browser.newPage();
  await open(page, 'reference');
  expect(await page.evaluate(`(${sendAll})(${JSON.stringify(printedExamples)})`)).toEqual([]);
  await page.close();
});
