/** All pages in light and dark mode, on desktop and phone: accessibility, size, and every example request of the REST reference. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { OneTimeTokenPurpose } from '../../src/auth/sign-and-verify-tokens.ts';
import {
  createSubscriptionConfirmToken,
  createUnsubscribeToken,
} from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { createUnsavedOneTimeToken } from '../../src/domains/users/account/one-time-tokens.ts';
import { randomLinkToken, sha256Hex } from '../../src/lib/hash-encrypt-and-random-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { buildSeedId, demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type Account, registerConfirmedAccount, signIn } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  contrastRule,
  contrastViolationsInOtherScheme,
  listen,
  openBrowser,
  openMonitoredPage,
} from '../support/browser.ts';
import { contractExamples } from '../support/contract-examples.ts';
import { freePort } from '../support/gateway-process.ts';
import { isInSampleOfDay } from '../support/sample-of-the-day.ts';

let t: TestApp;
let base: string;
let browser: Browser;
let account: Account;
const paths: Record<string, string> = {};

beforeAll(async () => {
  const port = await freePort();
  t = await testApp({
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: 'an-operator-token-long-enough',
    RATE_LIMIT: 'off',
    // Origin of the sign-in example with an identity provider.
    ALLOWED_ORIGINS: 'http://localhost:4000',
  });
  await seedDemo(t.db, t.app.services.config.publicUrl);
  base = await listen(t, port);
  browser = await openBrowser();
  const open = await checkOut();
  const declined = await checkOut('decline');
  const paid = await checkOut('pay');
  const transferred = await checkOut('transfer');
  // The address is wider than a phone screen.
  account = await signIn(t, await registerConfirmedAccount(t, `${'somebody'.repeat(6)}@people.example`));
  await t.app.drainJobs();
  const { secret } = t.app.services.keys;
  const businessPath = `/v1/businesses/${demoShopIdsAndLogins.businessId}`;
  Object.assign(paths, {
    landing: '/',
    outbox: '/sandbox/outbox',
    payment: open.path,
    'declined payment': declined.path,
    'paid payment': paid.path,
    'transfer on its way': transferred.path,
    'failed transfer': (await checkOut('transfer', 'fail')).path,
    'waiting order': `/checkout/thanks?orderId=${open.orderId}`,
    thanks: `/checkout/thanks?orderId=${paid.orderId}`,
    cancelled: `/checkout/cancelled?orderId=${open.orderId}`,
    'cancelled after a decline': `/checkout/cancelled?orderId=${declined.orderId}`,
    'thanks for nothing': '/checkout/thanks',
    'stale payment': '/sandbox/pay/sbx_stale',
    'address to confirm': `/account/confirm?token=${await linkToken('CONFIRM')}`,
    'new password': `/account/reset-password?token=${await linkToken('RESET')}`,
    'dead link': '/account/confirm?token=x',
    invitation: `/account/invitation?token=${await inviteToken(account.email)}`,
    'invitation without an account': `/account/invitation?token=${await inviteToken('new@people.example')}`,
    'dead invitation': '/account/invitation?token=x',
    'look after': '/account/security',
    account: '/account',
    unsubscribe: `${businessPath}/collections/unsubscribe?token=${createUnsubscribeToken(secret, demoShopIdsAndLogins.businessId, buildSeedId(9, 1))}`,
    resubscribe: `${businessPath}/subscriptions/resubscribe?token=${createUnsubscribeToken(secret, demoShopIdsAndLogins.businessId, buildSeedId(9, 1))}`,
    confirm: `${businessPath}/subscriptions/confirm?token=${createSubscriptionConfirmToken(secret, demoShopIdsAndLogins.businessId, buildSeedId(9, 1))}`,
    'bad link': `${businessPath}/subscriptions/confirm?token=x`,
    admin: '/admin',
    nothing: '/nowhere',
    reference: '/docs',
    'a call of the reference': '/docs#CreateProduct',
    GraphiQL: '/graphql',
    'REST to GraphQL': '/migrate',
  });
});

/** Creates an order and presses the given buttons of its payment page. */
async function checkOut(...actions: string[]): Promise<{ orderId: string; path: string }> {
  const orders = `/v1/businesses/${demoShopIdsAndLogins.businessId}/orders/checkout`;
  const items = [{ productId: buildSeedId(3, 11), variantId: buildSeedId(4, 161), quantity: 1 }];
  const { body } = await t.rest<{ checkoutUrl: string; orderId: string }>('POST', orders, {
    as: await t.guest(),
    body: { market: 'US', shippingMethodId: 'standard', items },
  });
  for (const action of actions) {
    const form = new URLSearchParams({ action });
    const { status } = await fetch(body.checkoutUrl, { method: 'POST', body: form, redirect: 'manual' });
    expect(status).toBe(303);
  }
  return { orderId: body.orderId, path: new URL(body.checkoutUrl).pathname };
}

async function linkToken(
  purpose: OneTimeTokenPurpose,
  user: string = demoShopIdsAndLogins.adminId,
): Promise<string> {
  const { token, save } = await createUnsavedOneTimeToken(t.app.services, purpose, user);
  await t.db.transaction(save);
  return token;
}

async function inviteToken(email: string): Promise<string> {
  const token = randomLinkToken();
  await t.db.prisma.invitation.create({
    data: {
      id: newId(),
      businessId: demoShopIdsAndLogins.businessId,
      email,
      roleId: buildSeedId(1, 3),
      inviterId: demoShopIdsAndLogins.adminId,
      tokenHash: sha256Hex(token),
      expiresAt: now() + 3600,
      createdAt: now(),
      updatedAt: now(),
    },
  });
  return token;
}

/** Elements that scripts render, to wait for. */
const renderedSelectors: Record<string, string> = {
  reference: '#operation h1',
  'a call of the reference': '#operation form',
  GraphiQL: '[aria-label^="Execute query"]',
};

async function open(page: Page, name: string): Promise<void> {
  await page.goto(`${base}${paths[name]}`);
  const selector = renderedSelectors[name];
  if (selector !== undefined) await page.locator(selector).first().waitFor();
}

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 720 };

/** Accessibility problems of a page that was opened at phone size: there, then on some days at desktop size in light and dark mode. */
async function accessibilityProblems(page: Page, name: string): Promise<string[]> {
  // Colour contrast is the same at every width, so it is checked once.
  const rules = { [contrastRule]: { enabled: false } };
  const onPhone = [
    ...(await layoutProblems(page)),
    ...(await accessibilityViolations(page, undefined, { rules })),
  ];
  await screenshot(page, name, 'on a phone');
  const phoneProblems = onPhone.map((problem) => `${name} on a phone: ${problem}`);
  // Every page on every other day, half of them each day.
  if (!isInSampleOfDay(name.charCodeAt(0) + name.length, 2)) return phoneProblems;
  await page.setViewportSize(desktop);
  // The Monaco editors compute size and colours only when the page loads.
  const reload = name === 'GraphiQL' ? () => open(page, name) : undefined;
  await reload?.();
  const atDesk = [
    ...(await layoutProblems(page)),
    ...(await accessibilityViolations(page)),
    ...(await contrastViolationsInOtherScheme(page, reload)),
  ];
  await screenshot(page, name, 'on a desktop');
  await page.setViewportSize(phone);
  return [...phoneProblems, ...atDesk.map((problem) => `${name} on a desktop: ${problem}`)];
}

async function layoutProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  if (!(await page.locator('header .brand').innerText()).trim()) problems.push('no brand');
  if ((await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').count()) === 0)
    problems.push('no navigation');
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (wide > 0) problems.push(`${wide} pixels too wide`);
  return problems;
}

async function screenshot(page: Page, name: string, when: string): Promise<void> {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name} ${when}.png` });
}

it('has no accessibility problems', async () => {
  const { page } = await openMonitoredPage(browser, base, { colorScheme: 'light', viewport: phone });
  const problems: string[] = [];
  for (const name of Object.keys(paths)) {
    await open(page, name);
    problems.push(...(await accessibilityProblems(page, name)));
  }
  expect(problems).toEqual([]);
  await page.close();
});

const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click();

/** Actions on a page and the text of the resulting page. The order matters: some depend on earlier ones. */
const actions: readonly [expectedText: string, perform: (page: Page) => Promise<unknown>][] = [
  ['You are unsubscribed', (page) => open(page, 'unsubscribe').then(() => press(page, 'Unsubscribe'))],
  ['You are not subscribed', (page) => open(page, 'confirm').then(() => press(page, 'Confirm'))],
  ['as before.', (page) => open(page, 'resubscribe').then(() => press(page, 'Subscribe again'))],
  ['from now on.', (page) => open(page, 'confirm').then(() => press(page, 'Confirm'))],
  ['We send no more', (page) => open(page, 'unsubscribe').then(() => press(page, 'Unsubscribe'))],
  ['You are subscribed', (page) => press(page, 'Undo')],
  [
    'is confirmed.',
    async (page) => {
      await page.goto(`${base}/account/confirm?token=${await linkToken('CONFIRM', account.userId)}`);
      await press(page, 'Confirm email address');
    },
  ],
  [
    'You are a member of',
    async (page) => {
      await open(page, 'invitation');
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await press(page, 'Accept');
    },
  ],
  [
    'Confirm new@people.example',
    async (page) => {
      await open(page, 'invitation without an account');
      await page.getByLabel('New password').fill(account.password);
      await press(page, 'Create account');
    },
  ],
  [
    'too common',
    async (page) => {
      await page.goto(`${base}/account/reset-password?token=${await linkToken('RESET', account.userId)}`);
      await page.getByLabel('New password').fill('password123');
      await press(page, 'Set password');
    },
  ],
  [
    'is set.',
    async (page) => {
      await page.getByLabel('New password').fill(account.password);
      await press(page, 'Set password');
    },
  ],
  ['Origins of the', (page) => open(page, 'REST to GraphQL').then(() => press(page, 'Translate'))],
  ['wrong', (page) => signOutEverywhere(page, 'not this one at all')],
  ['is signed out.', (page) => signOutEverywhere(page, account.password)],
  [
    'Your card was declined',
    async (page) => {
      await page.goto(`${base}${(await checkOut()).path}`);
      await press(page, 'Decline');
    },
  ],
  ['Thank you for your order', (page) => page.getByRole('button', { name: /^Pay \$/ }).click()],
  [
    'Your order is awaiting payment',
    async (page) => {
      await page.goto(`${base}${(await checkOut()).path}`);
      await press(page, 'Cancel');
    },
  ],
];

async function signOutEverywhere(page: Page, password: string): Promise<void> {
  await open(page, 'look after');
  await page.getByLabel('Email address').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign out everywhere');
}

it('has no accessibility problems after user actions', async () => {
  const { page } = await openMonitoredPage(browser, base, { colorScheme: 'light', viewport: phone });
  const problems: string[] = [];
  for (const [expectedText, perform] of actions) {
    await perform(page);
    await page.locator('main').getByText(expectedText).first().waitFor();
    problems.push(...(await accessibilityProblems(page, expectedText)));
  }
  expect(problems).toEqual([]);
  await page.close();
});

/** Limits of transferred kilobytes and of requests. */
const sizeLimits: Record<string, [kilobytes: number, requests: number]> = {
  landing: [20, 6],
  reference: [130, 10],
  GraphiQL: [2000, 20],
};

it('stays within the size limits', async () => {
  for (const [name, [kilobytes, requests]] of Object.entries(sizeLimits)) {
    const page = await browser.newPage();
    await open(page, name);
    // Workers are loaded after the page is rendered, and on a slow machine one of them is loaded twice.
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

/** Runs in the page: sends every example with the identity it needs, and returns those with an unexpected status. */
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

it('sends every example request of the reference with the documented status', async () => {
  const page = await browser.newPage();
  // Sends the queued mails before the outbox is read.
  await page.route('**/sandbox/outbox', async (route) => {
    await t.app.drainJobs();
    await route.continue();
  });
  await open(page, 'reference');
  expect(await page.evaluate(`(${sendAll})(${JSON.stringify(contractExamples)})`)).toEqual([]);
  await page.close();
});
