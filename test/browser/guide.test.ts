/** The guide in a real browser: every page and link, search, copy buttons, and accessibility on phone and desktop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { writeGuide } from '../../scripts/docs/guide.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  contrastViolationsInOtherScheme,
  listen,
  openBrowser,
  openMonitoredPage,
} from '../support/browser.ts';
import { guidePages } from '../support/documents.ts';

const folder = join(packageRoot, 'dist', 'guide');
let t: TestApp;
let base: string;
let browser: Browser;
let pages: { path: string; title: string; kind: string }[];

beforeAll(async () => {
  writeGuide(folder);
  pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8'));
  t = await testApp();
  base = await listen(t);
  browser = await openBrowser();
});

const bodyOf = async (path: string) => {
  const response = await t.app.fetch(new Request(`http://localhost${path}`));
  return { status: response.status, text: await response.text() };
};

it('serves every document, and only links that lead somewhere', async () => {
  const documented = guidePages.map((page) =>
    page === 'docs/README.md' ? '/guide' : page.replace(/^docs(.*)\.md$/, '/guide$1'),
  );
  const paths = pages.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(documented));
  expect(paths).toEqual([...new Set(paths)]);
  const served = new Map<string, string>();
  for (const { path } of pages) {
    const { status, text } = await bodyOf(path);
    expect([path, status]).toEqual([path, 200]);
    served.set(path, text);
  }
  const dead = [...served].flatMap(([path, text]) =>
    [...text.matchAll(/href="(\/guide[^"#]*)?(?:#([^"]*))?"/g)]
      .filter(([, target = path, anchor]) => {
        const html = served.get(target);
        return html === undefined ? target !== '' : anchor && !html.includes(`id="${anchor}"`);
      })
      .map(([link]) => `${path}: ${link}`),
  );
  expect(dead).toEqual([]);
  expect((await bodyOf('/guide/nothing')).status).toBe(404);
});

it('finds a section by its words, and copies code', async () => {
  const { page, problems } = await openMonitoredPage(browser, base, {
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 1280, height: 720 },
  });
  await page.goto(`${base}/guide`);
  await page.keyboard.press('/');
  await page.keyboard.type('webhook signature');
  const results = page.locator('#results a');
  await expect
    .poll(() => results.allTextContents())
    .toContainEqual(expect.stringContaining('Webhooks › Receiving events'));
  await results.filter({ hasText: 'Webhooks › Receiving events' }).click();
  await page.waitForURL('**/guide/reference/webhooks#receiving-events');
  expect(await page.locator('#contents [aria-current]').textContent()).toBe('Webhooks');
  await page.getByRole('button', { name: 'Copy code 1', exact: true }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/webhooks -H');
  await page.getByLabel('Search').fill('qqxx');
  await page.getByText('0 sections').waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

const widthProblems = async (page: Page) => {
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return wide > 0 ? [`${wide} pixels too wide`] : [];
};

const screenshot = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name.replaceAll('/', '-')}.png` });
};

it.each(['/guide', '/guide/reference/configuration', '/guide/how-to/deploying'])(
  'has no accessibility problems at %s',
  async (path) => {
    const { page, problems } = await openMonitoredPage(browser, base, {
      colorScheme: 'light',
      viewport: { width: 360, height: 740 },
    });
    await page.goto(`${base}${path}`);
    await screenshot(page, `${path} phone`);
    expect([...(await widthProblems(page)), ...(await accessibilityViolations(page))]).toEqual([]);
    await page.setViewportSize({ width: 1366, height: 800 });
    await screenshot(page, `${path} desktop`);
    expect([
      ...(await widthProblems(page)),
      ...(await accessibilityViolations(page)),
      ...(await contrastViolationsInOtherScheme(page)),
    ]).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  },
);
