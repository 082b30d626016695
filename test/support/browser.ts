/** Headless Chromium, and an HTTP server for the app under test. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import type { TestApp } from './app.ts';
import { findOrInstallProgram } from './system-programs.ts';

/** Serves the app until the calling file ends and returns its URL. Pass a free port when the app needs to know the URL beforehand. */
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
    // The headless shell takes a quarter less CPU time than Chromium.
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
      // Pages live for seconds: optimizing their code takes more CPU time than it saves.
      '--js-flags=--no-opt --no-maglev',
    ],
  });
  afterAll(() => browser.close());
  return browser;
}

export interface MonitoredPage {
  page: Page;
  /** Console errors, exceptions, content security policy violations, failed requests, and requests to other origins. */
  problems: string[];
}

/** Opens a page and records its problems. */
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
    // Navigation aborts the pending requests of the previous page.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  return { page, problems: complaints };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Reports violations only, which takes a quarter of the time; no page has stylesheets of other origins to preload. */
const axeOptions: RunOptions = { resultTypes: ['violations'], preload: false };

/** Accessibility violations with impact `serious` or `critical`. */
export const seriousViolations = (page: Page): Promise<string[]> =>
  accessibilityViolations(page, ['serious', 'critical']);

/** The only axe rule whose result depends on the colour scheme. Colours are the same at every width. */
export const contrastRule = 'color-contrast';

/** Accessibility violations, of all impacts or of those given. */
export async function accessibilityViolations(
  page: Page,
  impacts?: readonly string[],
  options: RunOptions = {},
): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  const results = (await page.evaluate(
    `axe.run(${JSON.stringify({ ...axeOptions, ...options })})`,
  )) as AxeResults;
  return results.violations
    .filter(({ impact }) => !impacts || impacts.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Contrast violations in the other colour scheme (dark if the page is light). `redraw` updates parts that do not follow by themselves. */
export async function contrastViolationsInOtherScheme(
  page: Page,
  redraw: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
  const setColorScheme = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(
      'document.getAnimations().filter((animation) => animation instanceof CSSTransition).forEach((animation) => animation.finish())',
    );
  };
  await setColorScheme(isDark ? 'light' : 'dark');
  await redraw();
  const violations = await accessibilityViolations(page, undefined, { runOnly: [contrastRule] });
  await setColorScheme(isDark ? 'dark' : 'light');
  return violations.map((violation) => `in ${isDark ? 'light' : 'dark'}: ${violation}`);
}
