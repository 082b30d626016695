/** GraphiQL and the REST reference of a gateway without demo data: no demo ids, and examples on the shop of the account that signs in. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { replaceDemoValuesByPlaceholders } from '../../src/http/pages/replace-demo-values-by-placeholders.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { createAccount } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { accessibilityViolations, listen, openBrowser, openMonitoredPage } from '../support/browser.ts';

let t: TestApp;
let base: string;
let browser: Browser;
let account: Awaited<ReturnType<typeof createAccount>>;
let shop: { id: string; productId: string; variantId: string };

beforeAll(async () => {
  t = await testApp({ SEED_DEMO: 'off' });
  base = await listen(t);
  browser = await openBrowser();
  account = await createAccount(t);
  const post = async (path: string, body: object) =>
    (await t.rest<{ id: string; variants: { id: string }[] }>('POST', path, { as: account, body })).body;
  const { id } = await post('/v1/businesses', { name: 'Atelier' });
  await post(`/v1/businesses/${id}/markets`, { code: 'FR', currency: 'EUR', taxBps: 2000 });
  const prices = [{ marketId: 'FR', price: 700 }];
  await post(`/v1/businesses/${id}/shipping-methods`, { id: 'poste', name: 'Poste', prices });
  const product = await post(`/v1/businesses/${id}/products`, {
    name: 'Lampe',
    variants: [{ name: 'Rouge', pricing: { markets: [{ marketId: 'FR', currency: 'EUR', price: 4000 }] } }],
  });
  shop = { id, productId: product.id, variantId: product.variants[0]?.id ?? '' };
});

const screenshot = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/own-shop-${name}.png` });
};

async function signIn(page: Page): Promise<void> {
  await page.locator('.session summary').click();
  await page.getByLabel('Email address').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.locator('form[name=password]').getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(`Requests are sent as ${account.email}.`).waitFor();
  await page.getByLabel('Shop').waitFor();
}

const tabNames = (page: Page) => page.locator('.graphiql-tab-button').allTextContents();

it('shows no id or login of the demo shop', async () => {
  for (const path of [
    '/',
    '/docs',
    '/graphql',
    '/migrate',
    '/workbench',
    '/v1/openapi.json',
    '/assets/graphiql.js',
    '/assets/session.js',
  ]) {
    const response = await fetch(base + path, { headers: { accept: 'text/html,*/*' } });
    const text = await response.text();
    expect(response.status, path).toBe(200);
    for (const value of ['demo.example', demoShopIdsAndLogins.password, demoShopIdsAndLogins.businessId])
      expect(text.includes(value), `${path}: ${value}`).toBe(false);
  }
  expect(replaceDemoValuesByPlaceholders('01900000-0000-7003-8000-00000000000a')).toBe('YOUR_PRODUCT_ID');
});

it.each([1280, 390])(
  'opens tabs of GraphiQL on the own shop after a sign-in, %i pixels wide',
  async (width) => {
    const { page, problems } = await openMonitoredPage(browser, base, { viewport: { width, height: 844 } });
    await page.goto(`${base}/graphql`);
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    expect(await tabNames(page)).toEqual(['SignIn', 'MyData', 'Businesses']);
    await signIn(page);
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    expect(await tabNames(page)).toContain('CheckOut');
    await page.getByRole('button', { name: 'Products', exact: true }).click({ delay: 50 });
    await page.getByRole('button', { name: 'Execute query' }).click();
    await expect.poll(() => page.locator('.graphiql-response').textContent()).toContain('Lampe');
    await page.getByRole('button', { name: 'FillCart', exact: true }).click({ delay: 50 });
    await expect.poll(() => page.evaluate('localStorage.getItem("graphiql:query")')).toContain('FillCart');
    await page.getByRole('button', { name: 'Execute query' }).click();
    await expect.poll(() => page.locator('.graphiql-response').textContent()).toContain('addCartLine');
    await screenshot(page, `graphiql-${width}`);
    // Another sign-in keeps own operations and drops the examples of the shop.
    await page.getByRole('button', { name: 'Continue as a guest' }).click();
    await expect.poll(() => tabNames(page).catch(() => [])).toEqual(['SignIn', 'MyData', 'Businesses']);
    expect(problems).toEqual([]);
    await page.close();
  },
);

it('fills the forms of the reference with ids of the own shop, and never an existing record into a write', async () => {
  const { page, problems } = await openMonitoredPage(browser, base);
  await page.goto(`${base}/docs#GetProduct`);
  await expect.poll(() => page.locator('#try-path-id').inputValue()).toBe('YOUR_PRODUCT_ID');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/Replace YOUR_\w+ first, or sign in/).waitFor();
  await signIn(page);
  await expect.poll(() => page.locator('#try-path-id').inputValue()).toBe(shop.productId);
  expect(await page.locator('.code').textContent()).toContain(
    `/v1/businesses/${shop.id}/products/${shop.productId}`,
  );
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => page.locator('.answer').textContent()).toContain('Lampe');
  await screenshot(page, 'docs');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.goto(`${base}/docs#Checkout`);
  const body = JSON.parse(await page.getByLabel('Body').inputValue());
  expect(body).toMatchObject({
    market: 'FR',
    shippingMethodId: 'poste',
    items: [{ productId: shop.productId, variantId: shop.variantId }],
  });
  await page.goto(`${base}/docs#DeleteProduct`);
  await expect.poll(() => page.locator('#try-path-businessId').inputValue()).toBe(shop.id);
  expect(await page.locator('#try-path-id').inputValue()).toBe('YOUR_PRODUCT_ID');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Replace YOUR_PRODUCT_ID first.').waitFor();
  await page.goto(`${base}/docs#PatchMarket`);
  await expect.poll(() => page.locator('#try-path-code').inputValue()).toBe('YOUR_CODE');
  expect(problems).toEqual([]);
  await page.close();
});

it('uses an API key of the shop, and refuses an unknown one', async () => {
  const { token } = await t.withApiKey(account);
  const page = await browser.newPage();
  await page.goto(`${base}/docs#ListProducts`);
  const use = async (value: string) => {
    await page.locator('.session summary').click();
    await page.getByLabel('Access token or API key').fill(value);
    await page.getByRole('button', { name: 'Use it' }).click();
  };
  await use(token);
  await expect.poll(() => page.locator('#try-path-businessId').inputValue()).toBe(shop.id);
  await page.getByText('Requests are sent with your token.').waitFor();
  await use('unknown');
  await page.getByText('The token or key is not valid.').waitFor();
  await page.close();
});
