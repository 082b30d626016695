/** Sandbox payment page in a real browser, without scripts: decline, payment, cancellation and redirect to the shop. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { listen, openBrowser, openMonitoredPage } from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let base: string;
let frontend: string;
let browser: Browser;
let shop: SellingShop;
let guest: Person;
let items: (SoldProduct & { quantity: number })[];

beforeAll(async () => {
  const port = await freePort();
  frontend = await startFrontend();
  t = await testApp({ PUBLIC_URL: `http://127.0.0.1:${port}`, ALLOWED_ORIGINS: frontend });
  base = await listen(t, port);
  browser = await openBrowser();
  shop = await createSellingShop(t);
  guest = await t.guest();
  const kettle = await addProduct(t, shop, { price: 8900, stock: 100, name: 'Gooseneck kettle <steel>' });
  const beans = await addProduct(t, shop, { price: 1650, stock: 100, name: 'Ethiopia Guji, 250 g' });
  items = [
    { ...kettle, quantity: 1 },
    { ...beans, quantity: 3 },
  ];
  await addPromoCode(t, shop, { code: 'TEN', type: 'PERCENTAGE', bps: 1000 });
});

/** The shop's own website, on another origin than the gateway. */
async function startFrontend(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>${request.url}</h1></html>`);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

async function checkOut(more: object = {}) {
  const { body } = await t.rest<{ orderId: string; checkoutUrl: string }>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: {
      market: 'US',
      shippingMethodId: 'standard',
      promoCode: 'TEN',
      items,
      returnUrl: `${frontend}/done`,
      cancelUrl: `${frontend}/cart`,
      ...more,
    },
  });
  return body;
}

const orderOf = async (orderId: string) => {
  const { body } = await t.rest<Record<'statuses' | 'paymentStatus', { status: string }[]>>(
    'GET',
    `${shop.orders}/${orderId}`,
    { as: guest },
  );
  return [body.statuses.at(-1)?.status, body.paymentStatus.at(-1)?.status];
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = (await page.evaluate('axe.run()')) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe('the payment page', () => {
  it('declines, pays and redirects to the shop, with scripts disabled', async () => {
    const { orderId, checkoutUrl } = await checkOut();
    const { page, problems: complaints } = await openMonitoredPage(browser, base, {
      javaScriptEnabled: false,
    });
    await page.goto(checkoutUrl);
    const text = (await page.locator('main').textContent()) ?? '';
    for (const expectedText of [
      'Pay Shop',
      'Gooseneck kettle <steel>, Small',
      'Ethiopia Guji, 250 g, Small × 3',
      '$134.93',
    ])
      expect(text).toContain(expectedText);
    await page.getByRole('button', { name: 'Decline' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('declined');
    expect(await orderOf(orderId)).toEqual(['PENDING', 'FAILED']);
    await page.getByRole('button', { name: 'Pay $134.93' }).click();
    expect(page.url()).toBe(`${frontend}/done?orderId=${orderId}`);
    expect(await orderOf(orderId)).toEqual(['PROCESSING', 'PAID']);
    await page.goto(checkoutUrl);
    expect(await page.getByRole('heading').textContent()).toBe('This has been paid');
    expect(complaints.filter((complaint) => !complaint.startsWith(`foreign request: ${frontend}`))).toEqual(
      [],
    );
    await page.close();
  });

  it('cancels back to the shop, or to the page of the gateway', async () => {
    const first = await checkOut();
    const second = await checkOut({ returnUrl: null, cancelUrl: null });
    const page = await browser.newPage();
    await page.goto(first.checkoutUrl);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toBe(`${frontend}/cart?orderId=${first.orderId}`);
    expect(await orderOf(first.orderId)).toEqual(['PENDING', 'PENDING']);
    await page.goto(second.checkoutUrl);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('heading').textContent()).toBe('Your order is awaiting payment');
    await page.goto(second.checkoutUrl);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    expect(page.url()).toBe(`${base}/checkout/thanks?orderId=${second.orderId}`);
    expect(await page.locator('main').textContent()).toMatch(/Order 1\d{3}/);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('has no accessibility problems in %s mode', async (colorScheme) => {
    const { checkoutUrl } = await checkOut();
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      const { page, problems: complaints } = await openMonitoredPage(browser, base, {
        colorScheme,
        viewport,
      });
      await page.goto(checkoutUrl);
      if (process.env.SCREENSHOTS)
        await page.screenshot({
          path: `${process.env.SCREENSHOTS}/pay-${colorScheme}-${viewport.width}.png`,
          fullPage: true,
        });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });
});
