/** Workbench in a real browser: sign-in, a call that failed a moment ago with its details, replay, and all sections, on desk and phone. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createWorkbenchPages } from '../../src/http/pages/workbench/workbench-page.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  contrastViolationsInOtherScheme,
  listen,
  openBrowser,
  openMonitoredPage,
} from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';

let t: TestApp;
let base: string;
let browser: Browser;
let token: string;

const sections = ['Requests', 'Errors', 'Clients', 'Webhooks', 'Keys', 'Limits'] as const;
const products = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products`;

beforeAll(async () => {
  const port = await freePort();
  t = await testApp({ PUBLIC_URL: `http://127.0.0.1:${port}` });
  await seedDemo(t.db, t.app.services.config.publicUrl);
  base = await listen(t, port);
  browser = await openBrowser();
  // Only the recorder: jobs would compete with the pages for the processor.
  t.app.services.requestLog.start();
  const { body } = await t.rest<{ accessToken: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email: demoShopIdsAndLogins.email, password: demoShopIdsAndLogins.password },
  });
  token = body.accessToken;
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${base}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-client-name': 'importer',
      ...init.headers,
    },
  });

const section = (page: Page, name: (typeof sections)[number]) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click();

async function signIn(page: Page): Promise<void> {
  await page.goto(`${base}/workbench`);
  await page.getByLabel('Access token or API key').fill(token);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.locator('select#business').selectOption(demoShopIdsAndLogins.businessId);
}

const screenshot = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/workbench-${name}.png`, fullPage: true });
};

it('shows a call that failed a moment ago with its details, and replays it', async () => {
  const { page, problems } = await openMonitoredPage(browser, base);
  await signIn(page);
  // The page is open when the call fails.
  await call(products, { method: 'POST', body: JSON.stringify({ slug: 'no name' }) });
  const failed = page.getByRole('button', { name: /VALIDATION_FAILED POST .*products importer/ });
  await failed.click({ timeout: 10_000 });
  const details = page.locator('.details:not([hidden])');
  await details.getByText('This field is required.').waitFor();
  await details.getByText('Correct the fields that details lists.').waitFor();
  await details.getByRole('button', { name: 'curl' }).click();
  expect(await details.getByRole('region', { name: 'curl' }).textContent()).toContain(`${base}${products}`);
  expect(await details.textContent()).not.toContain(token);
  await screenshot(page, 'details');
  expect(await accessibilityViolations(page)).toEqual([]);
  await details.getByRole('button', { name: 'GraphQL' }).click();
  await details.getByRole('link', { name: 'Open in GraphiQL' }).waitFor();
  expect(await details.getByRole('region', { name: 'Operation' }).textContent()).toContain(
    'mutation CreateProduct(',
  );
  await details.getByRole('button', { name: 'TypeScript' }).click();
  await details.getByRole('region', { name: 'TypeScript' }).waitFor();
  // A write is sent only when it is confirmed.
  await details.getByLabel('Body').fill('{"name": "From the workbench", "slug": "from-the-workbench"}');
  await details.getByRole('button', { name: 'Send again' }).click();
  expect(await t.db.sql("select 1 from products where slug = 'from-the-workbench'")).toEqual([]);
  await details.getByLabel('This changes data').check();
  await details.getByRole('button', { name: 'Send again' }).click();
  await details.locator('[data-status="200"]').waitFor();
  await page.getByRole('button', { name: /^200 POST .*products duet-workbench-replay/ }).waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

it('replays a read at once, and not to other origins or with redacted values', async () => {
  await call(`${products}/no-such-product`);
  const { page } = await openMonitoredPage(browser, base);
  await signIn(page);
  await page.getByRole('button', { name: /NOT_FOUND GET/ }).click();
  const details = page.locator('.details:not([hidden])');
  const send = () => details.getByRole('button', { name: 'Send again' }).click();
  await send();
  await details.locator('[data-status="404"]').waitFor();
  for (const [path, text] of [
    ['//evil.example/v1/', 'The path must begin'],
    [`${products}?search=[redacted]`, 'Replace each'],
  ] as const) {
    await details.getByLabel('Path').fill(path);
    await send();
    await details.getByText(text).waitFor();
  }
  await page.close();
});

it('shows a GraphQL request as an operation and as code once bodies are recorded', async () => {
  const { page } = await openMonitoredPage(browser, base);
  await signIn(page);
  await section(page, 'Limits');
  await page.getByRole('button', { name: 'Record bodies for 24 hours' }).click();
  await page.getByText('Bodies are recorded for 24 hours.').waitFor();
  await t.app.services.requestLog.flush();
  const query = 'query Shelf($id: ID!) { products(businessId: $id, first: 1) { nodes { name } } }';
  await call('/graphql', {
    method: 'POST',
    body: JSON.stringify({ query, variables: { id: demoShopIdsAndLogins.businessId } }),
  });
  await section(page, 'Requests');
  await page.getByRole('button', { name: /200 Shelf importer/ }).click();
  const details = page.locator('.details:not([hidden])');
  await details.getByRole('button', { name: 'TypeScript' }).click();
  expect(await details.getByRole('region', { name: 'TypeScript' }).textContent()).toContain(
    'const Shelf = gql(',
  );
  await details.getByRole('button', { name: 'REST', exact: true }).click();
  expect(await details.getByRole('region', { name: 'products' }).textContent()).toBe(
    `GET ${products}?limit=1`,
  );
  await details.getByRole('button', { name: 'Send again' }).click();
  await details.locator('[data-status="200"]').waitFor();
  await details.getByRole('textbox', { name: 'Body' }).fill('{"query": "mutation { logout { success } }"}');
  await details.getByRole('button', { name: 'Send again' }).click();
  await details.getByText('a mutation is not sent in its place').waitFor();
  await screenshot(page, 'graphql');
  await page.close();
});

it.each([
  ['desk', { width: 1280, height: 900 }],
  ['phone', { width: 360, height: 740 }],
] as const)('shows all sections on a %s without accessibility problems', async (name, viewport) => {
  await t.rest('POST', `/v1/businesses/${demoShopIdsAndLogins.businessId}/webhooks`, {
    as: { userId: '', token },
    body: { url: 'https://hooks.example/', events: ['order.*'], description: 'Warehouse' },
  });
  const { page, problems } = await openMonitoredPage(browser, base, { colorScheme: 'light', viewport });
  await page.goto(`${base}/workbench`);
  const violations: string[] = [];
  const check = async (part: string) => {
    for (const violation of [
      ...(await accessibilityViolations(page)),
      ...(await contrastViolationsInOtherScheme(page)),
    ])
      violations.push(`${part}: ${violation}`);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== viewport.width) violations.push(`${part} is ${width} wide`);
    await screenshot(page, `${name}-${part}`);
  };
  await check('sign-in');
  await page.getByRole('button', { name: 'Sign in as the demo admin' }).click();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  for (const part of sections) {
    await section(page, part);
    await page.locator(`.tabs a[aria-current]`, { hasText: part }).waitFor();
    await page.locator('#shown > div > *').first().waitFor();
    if (part === 'Webhooks') {
      await page
        .getByRole('button', { name: /^Send a test event/ })
        .first()
        .click();
      await page
        .getByRole('button', { name: /^Replay/ })
        .first()
        .waitFor();
    }
    await check(part);
  }
  expect(violations).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

it('keeps the token in the tab, and forgets it', async () => {
  const { page } = await openMonitoredPage(browser, base);
  await page.goto(`${base}/workbench`);
  await page.getByLabel('Access token or API key').fill('not a token');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('The token or key is not valid.').waitFor();
  await signIn(page);
  await page.reload();
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
  await page.close();
});

it('tells a caller without the permission what is missing', async () => {
  const stranger = await t.withApiKey(await t.addMember(await t.shop(), await t.person(), 'EDITOR'));
  const { page } = await openMonitoredPage(browser, base);
  await page.goto(`${base}/workbench`);
  await page.getByLabel('Access token or API key').fill(stranger.token);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('does not have the permission').waitFor();
  await page.close();
});

it('sends writes again on a sandbox only', async () => {
  const production = { NODE_ENV: 'production', SANDBOX: 'allowed', SEED_DEMO: 'off' };
  const stripe = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
  const pageOf = async (env: Record<string, string>) => {
    const response = await new Map(createWorkbenchPages(readConfig(env))).get('/workbench')?.({
      header: () => undefined,
    } as never);
    return String(response?.body);
  };
  expect(await pageOf(production)).toContain('data-sandbox="on"');
  const live = await pageOf({ ...production, ...stripe });
  expect(live).toContain('data-sandbox="off"');
  await call(products, { method: 'POST', body: JSON.stringify({ slug: 'no name' }) });
  const { page } = await openMonitoredPage(browser, base);
  await page.route(`${base}/workbench`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('data-sandbox="on"', 'data-sandbox="off"');
    await route.fulfill({ response, body });
  });
  await signIn(page);
  await page
    .getByRole('button', { name: /VALIDATION_FAILED POST .*products importer/ })
    .first()
    .click();
  const details = page.locator('.details:not([hidden])');
  await details.getByText('This gateway is not a sandbox').waitFor();
  expect(await details.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  await page.close();
});
