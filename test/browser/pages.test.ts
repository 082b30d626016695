/** Landing page, REST reference and GraphiQL in a real browser, without external requests and under a strict Content-Security-Policy. */
import { parse, validate } from 'graphql';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { exampleOperations } from '../../src/generated/domains/examples.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { createGraphiqlPages } from '../../src/http/pages/graphiql-pages.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  listen,
  openBrowser,
  openMonitoredPage,
  seriousViolations,
} from '../support/browser.ts';
import { contractExamples } from '../support/contract-examples.ts';

let t: TestApp;
let base: string;
let browser: Browser;
let token: string;

beforeAll(async () => {
  t = await testApp();
  await seedDemo(t.db);
  base = await listen(t);
  browser = await openBrowser();
  ({ token } = await t.app.services.tokens.issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
  }));
});

describe('the landing page', () => {
  it('links all entry points', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base);
    await page.goto(`${base}/`);
    await expect.poll(() => page.title()).toBe('Duet');
    for (const address of ['/graphql', '/docs', '/v1/openapi.json', '/health/ready'])
      expect(await page.locator(`a[href="${address}"]`).count()).toBeGreaterThan(0);
    const text = await page.locator('main').textContent();
    for (const expectedText of [
      'ready',
      'PGlite',
      demoShopIdsAndLogins.email,
      demoShopIdsAndLogins.password,
      demoShopIdsAndLogins.businessId,
    ])
      expect(text).toContain(expectedText);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('copies a first request that works', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${base}/`);
    await page.getByRole('button', { name: 'Copy: REST' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`/v1/businesses/${demoShopIdsAndLogins.businessId}/products?limit=3`);
    await context.close();
  });
});

describe('the REST reference', () => {
  it('finds an operation, documents it, and sends it', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${base}/docs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    expect(await links.count()).toBeGreaterThan(contractExamples.length);

    await page.keyboard.press('/');
    await page.keyboard.type('products list stock');
    await expect
      .poll(() => links.allTextContents())
      .toEqual(['List category productsGET', 'List productsGET', 'List stock movementsGET']);
    await links.filter({ hasText: /^List products/ }).click();
    await page.getByRole('heading', { name: 'List products', level: 1 }).waitFor();
    await page.getByText('Fields of items').click();
    await page.getByText('Fields of variants').click();
    await page.getByRole('button', { name: 'Send' }).click();
    const output = page.locator('.answer');
    await expect.poll(() => output.textContent()).toContain('200 OK');
    expect(await output.textContent()).toContain(demoShopIdsAndLogins.businessId);
    await page.getByRole('button', { name: 'Copy: curl' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`/v1/businesses/${demoShopIdsAndLogins.businessId}/products?limit=5`);
    expect(await seriousViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs the prerequisites of an example each time, and sends edited input unchanged', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base, {
      viewport: { width: 360, height: 740 },
    });
    await page.goto(`${base}/docs#Refresh`);
    const output = page.locator('.answer');
    const sendAndReadToken = async () => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Sending…').waitFor({ state: 'detached' });
      expect(await output.textContent()).toMatch(/^Sent first, for .+\{refreshToken\} = \S+200 OK/);
      return page.locator('.steps code').textContent();
    };
    const token = await sendAndReadToken();
    expect(await sendAndReadToken()).not.toBe(token);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(complaints).toEqual([]);
    await page.getByLabel('Body').fill('{"provider": "EMAIL", "refreshToken": "of my own"}');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => output.textContent()).toMatch(/^401 /);
    await page.close();
  });
});

describe('the REST reference on its own URL of an operation', () => {
  it('scrolls the list to the operation, has more languages, and sends an own token', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base);
    await page.goto(`${base}/docs#Checkout`);
    const current = page.locator('#menu [aria-current]');
    await expect.poll(async () => (await current.boundingBox())?.y ?? 9999).toBeLessThan(720);
    expect(await page.evaluate('scrollY')).toBe(0);
    for (const [language, text] of [
      ['Python', 'requests.request('],
      ['Go', 'http.NewRequest("POST", url'],
    ] as const) {
      await page.getByLabel('Language').selectOption(language);
      await page.locator('.code').getByText(text).waitFor();
    }
    await page.goto(`${base}/docs#GetMe`);
    await page.locator('.code').getByText('http.NewRequest("GET", url, nil)').waitFor();
    await page.locator('.session summary').click();
    await page.getByLabel('Access token or API key').fill(`Bearer ${token}`);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('Requests are sent with your token.').waitFor();
    await page.getByRole('button', { name: 'Send' }).first().click();
    await expect
      .poll(() => page.locator('.answer').first().textContent())
      .toContain(demoShopIdsAndLogins.email);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('offers the form before the fields on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${base}/docs#Checkout`);
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    await page.locator('.try').waitFor();
    expect(await top('.head-of')).toBeLessThan(await top('.try'));
    expect(await top('.try')).toBeLessThan(await top('.facts-of'));
    await page.close();
  });
});

describe('GraphiQL', () => {
  it.each([1280, 390])('fits into a window of %i pixels, with settings and history', async (width) => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base, {
      viewport: { width, height: 844 },
    });
    await page.goto(`${base}/graphql`);
    await page.getByRole('button', { name: 'Execute query' }).click();
    await expect.poll(() => page.locator('.graphiql-response').textContent()).toContain('totalCount');
    const settings = page.getByRole('button', { name: 'Open settings dialog' });
    const box = await settings.boundingBox();
    expect(box && box.y + box.height).toBeLessThanOrEqual(844);
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history').getByText('Products').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has no tabs on the demo shop without a demo', async () => {
    const pages = new Map(createGraphiqlPages(readConfig({ SEED_DEMO: 'false' })));
    const request = { method: 'GET', path: '', query: '', header: () => undefined };
    const response = await pages.get('/assets/graphiql.js')?.(request as never);
    const text = String(response?.body);
    expect(text).toContain('query Businesses');
    expect(text).not.toContain(demoShopIdsAndLogins.businessId);
  });

  it('offers valid example operations', () => {
    for (const { query } of exampleOperations) expect(validate(schema, parse(query))).toEqual([]);
  });

  it('runs the first example with a token from its header editor', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, problems: complaints } = await openMonitoredPage(browser, base, { permissions });
    await page.goto(`${base}/graphql`);
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    const headers = page.locator('.graphiql-editor-tool .monaco-editor').last();
    await page.getByText('Headers', { exact: true }).click();
    await headers.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.evaluate(`navigator.clipboard.writeText('{"Authorization": "Bearer ${token}"}')`);
    await page.keyboard.press('Control+V');
    await page.getByRole('button', { name: 'Execute query' }).click();
    const response = page.locator('.graphiql-response');
    await expect.poll(() => response.textContent()).toContain('totalCount');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs the first example on a second visit, and follows the system colour scheme without a reload', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base, { colorScheme: 'light' });
    const openGraphiql = async () => {
      await page.goto(`${base}/graphql`);
      await page.getByRole('button', { name: 'Execute query' }).waitFor();
      return page.locator('.graphiql-tab-button').allTextContents();
    };
    const first = await openGraphiql();
    expect(await openGraphiql()).toEqual(first);
    const editorColour = () =>
      page.evaluate<string>(
        'getComputedStyle(document.querySelector(".monaco-editor .view-line span span")).color',
      );
    // `mtk1` until the editor has tokenized the text, which starts with a comment.
    const tokenClass = () =>
      page.evaluate<string>('document.querySelector(".monaco-editor .view-line span span").className');
    await expect.poll(tokenClass).not.toBe('mtk1');
    const lightColour = await editorColour();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(editorColour).not.toBe(lightColour);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(editorColour).toBe(lightColour);
    await page.getByRole('button', { name: 'Execute query' }).click();
    const response = page.locator('.graphiql-response');
    await expect.poll(() => response.textContent()).toContain('"data"');
    const responseText = await response.textContent();
    expect(responseText).toContain('"totalCount"');
    expect(responseText).not.toMatch(/"errors"|UNAUTHENTICATED/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('runs every example tab, and restores the tabs on reload', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base);
    await page.goto(`${base}/graphql`);
    await page.getByRole('button', { name: 'Sign in as the demo admin' }).click();
    await page.getByText('Requests are sent as the demo admin.').waitFor();
    const response = page.locator('.graphiql-response');
    for (const { query } of exampleOperations) {
      const [, tab = '', field = ''] =
        /^(?:query|mutation|subscription) (\w+).*\n {2}(\w+)/m.exec(query) ?? [];
      await page.getByRole('button', { name: tab, exact: true }).click({ delay: 50 });
      // GraphiQL stores the text once it has activated the new tab.
      const storedQuery = () => page.evaluate('localStorage.getItem("graphiql:query")');
      await expect.poll(storedQuery).toContain(` ${tab}`);
      await page.getByRole('button', { name: 'Execute query' }).click();
      await expect.poll(() => response.textContent()).toContain(`"${field}"`);
      expect(await response.textContent(), tab).not.toContain('"errors"');
      if (query.includes('\nsubscription'))
        await page.getByRole('button', { name: 'Stop query' }).click({ delay: 50 });
    }
    const names = () => page.locator('.graphiql-tab-button').allTextContents();
    const before = await names();
    expect(before.length).toBe(exampleOperations.length);
    // GraphiQL stores the active tab half a second after the last change.
    const active = () =>
      page.evaluate('JSON.parse(localStorage.getItem("graphiql:tabState")).activeTabIndex');
    await expect.poll(active).toBe(exampleOperations.length - 1);
    await page.reload();
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    expect(await names()).toEqual(before);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows stock changes live, and ends the subscription when the page is closed', async () => {
    const { page, problems: complaints } = await openMonitoredPage(browser, base, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${base}/graphql`);
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    // GraphiQL takes a click without duration for the start of a drag.
    await page.getByRole('button', { name: 'Stock', exact: true }).dispatchEvent('click');
    await page.getByText('stockChanged').waitFor();
    await page.getByText('Headers', { exact: true }).click();
    await page.locator('.graphiql-editor-tool .monaco-editor').last().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.evaluate(`navigator.clipboard.writeText('{"Authorization": "Bearer ${token}"}')`);
    await page.keyboard.press('Control+V');
    await page.getByRole('button', { name: 'Execute query' }).click();
    const response = page.locator('.graphiql-response');
    await expect.poll(() => response.textContent()).toContain('"quantity"');
    await t.db.transaction(async (tx) => {
      const ofProduct = `product_id = (select id from products where business_id = $1 and slug = 'house-espresso-no-4')`;
      await tx.write(`update variants set quantity = 4711 where ${ofProduct}`, [
        demoShopIdsAndLogins.businessId,
      ]);
      await tx.write('update products set version = version + 1 where business_id = $1', [
        demoShopIdsAndLogins.businessId,
      ]);
    });
    await expect.poll(() => response.textContent()).toContain('4711');
    expect(complaints).toEqual([]);
    await page.close();
    await expect.poll(() => t.app.services.live.state.watching).toBe(0);
  });
});
