/** Admin pages in a real browser: token form, sessionStorage, light and dark mode, phone size. */
import type { Browser } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  contrastViolationsInOtherScheme,
  listen,
  openBrowser,
  openMonitoredPage,
} from '../support/browser.ts';
import { createFailedWork } from '../support/failed-work.ts';

const token = 'an-operator-token-long-enough';
let t: TestApp;
let base: string;
let browser: Browser;

beforeAll(async () => {
  t = await testApp({ ADMIN_TOKEN: token, WEBHOOK_ALLOW_PRIVATE: 'on' }, undefined, createPrometheus());
  await createFailedWork(t);
  base = await listen(t);
  browser = await openBrowser();
  await t.rest('GET', '/v1/users/me', { headers: { 'x-client-name': 'the till' } });
});

it.each(['light', 'dark'] as const)('shows the status on a phone in %s mode', async (colorScheme) => {
  const { page, problems: complaints } = await openMonitoredPage(browser, base, {
    colorScheme,
    viewport: { width: 360, height: 740 },
  });
  await page.goto(`${base}/admin`);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('the till').waitFor();
  expect(await page.locator('svg').count()).toBe(4);
  expect(await page.getByLabel('Operator token').isVisible()).toBe(false);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/admin-${colorScheme}.png`, fullPage: true });
  await page.close();
});

it('drops failed work, and removes the token from the tab', async () => {
  const { page, problems: complaints } = await openMonitoredPage(browser, base);
  await page.goto(`${base}/admin/jobs`);
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('the mailbox is full').waitFor();
  expect([
    ...(await accessibilityViolations(page)),
    ...(await contrastViolationsInOtherScheme(page)),
  ]).toEqual([]);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/jobs.png` });
  await page.getByRole('button', { name: /^Drop: Mail/ }).click();
  await page.getByText('Dropped.').waitFor();
  await expect.poll(() => page.getByText('the mailbox is full').count()).toBe(0);
  await page.goto(`${base}/admin`);
  await page.getByText('the till').waitFor();
  expect([
    ...(await accessibilityViolations(page)),
    ...(await contrastViolationsInOtherScheme(page)),
  ]).toEqual([]);
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Forget the token' }).click();
  expect(await page.getByText('the till').count()).toBe(0);
  await page.getByLabel('Operator token').fill('another one');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('The token is wrong.').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.close();
});
