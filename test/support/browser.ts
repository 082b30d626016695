/** Headless Chromium in front of an app on a real socket. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import type { TestApp } from './app.ts';
import { findOrInstallProgram } from './system-programs.ts';

/** The app's address while the calling file runs. Apps that must know it beforehand bring a free port. */
export async function listen(t: TestApp, port = 0): Promise<string> {
  const server: Server = createHttpServer(t.app.dispatch);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    // The one without windows of its own takes a quarter less processor time.
    executablePath:
      process.env.CHROMIUM ?? (await findOrInstallProgram('chromium-headless-shell', 'chromium')),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages live for seconds: to optimize their code took more processor time than it saved.
      '--js-flags=--no-opt --no-maglev',
    ],
  });
  afterAll(() => browser.close());
  return browser;
}

export interface MonitoredPage {
  page: Page;
  /** What the page complained about: errors, blocked by policy, failed or foreign requests. */
  problems: string[];
}

/** A page whose every complaint is remembered. */
export async function openMonitoredPage(
  browser: Browser,
  base: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<MonitoredPage> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) complaints.push(`foreign request: ${url}`);
  });
  page.on('requestfailed', (request) => {
    // Going on to the next page ends what the last one still asked for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  return { page, problems: complaints };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is as it should be is not told in full, which takes a quarter of the time; and no page has styles of other origins to fetch. */
const looks: RunOptions = { resultTypes: ['violations'], preload: false };

/** Violations that keep somebody out. */
export const seriousViolations = (page: Page): Promise<string[]> =>
  accessibilityViolations(page, ['serious', 'critical']);

/** What depends on light alone: colours are the same at every width. */
export const contrastRule = 'color-contrast';

/** All of them, or those of some weight. */
export async function accessibilityViolations(
  page: Page,
  weights?: readonly string[],
  options: RunOptions = {},
): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  const results = (await page.evaluate(`axe.run(${JSON.stringify({ ...looks, ...options })})`)) as AxeResults;
  return results.violations
    .filter(({ impact }) => !weights || weights.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** What cannot be read on the same page by night, or by day if it is night. `again` draws what does not follow by itself. */
export async function contrastViolationsInOtherScheme(
  page: Page,
  again: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  const show = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(
      'document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish())',
    );
  };
  await show(isDark ? 'light' : 'dark');
  await again();
  const found = await accessibilityViolations(page, undefined, { runOnly: [contrastRule] });
  await show(isDark ? 'dark' : 'light');
  return found.map((one) => `in ${isDark ? 'light' : 'dark'}: ${one}`);
}
