/** Account pages in a real browser: confirming a registration, setting a new password, the overview, signing out everywhere. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import {
  registerAccount,
  registerConfirmedAccount,
  signIn,
  uniqueEmail,
  validPassword,
} from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  type MonitoredPage,
  openBrowser,
  openMonitoredPage,
} from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';
import { addProduct, createSellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let base: string;
let watched: MonitoredPage;

beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  t = await testApp({ PUBLIC_URL: base, RATE_LIMIT: 'off' });
  const server = createHttpServer(t.app.dispatch);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  watched = await openMonitoredPage(await openBrowser(), base);
  return () => {
    server.closeAllConnections();
    server.close();
  };
});

/** Opens the outbox and follows the link in the newest mail. */
async function followNewestLink(page: Page): Promise<void> {
  await t.app.drainJobs();
  await page.goto(`${base}/sandbox/outbox`);
  await page.locator('article a').first().click();
}

const alertText = (page: Page) => page.locator('[role=alert]').textContent();
const statusText = (page: Page) => page.locator('[role=status]').textContent();

it('confirms the address, sets a new password, and rejects a link that was used already', async () => {
  const { page, problems: complaints } = watched;
  const email = await registerAccount(t, uniqueEmail());
  await followNewestLink(page);
  expect(await page.title()).toBe('Confirm your email address');
  await expect(signIn(t, email)).rejects.toThrow('NOT_CONFIRMED');
  await page.getByText(`sign in as ${email}.`).waitFor();
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect.poll(() => statusText(page)).toBe(`${email} is confirmed. You can sign in now.`);
  expect(await page.getByRole('button').count()).toBe(0);
  await signIn(t, email);

  await t.rest('POST', '/v1/users/forgot-password', { body: { email } });
  await followNewestLink(page);
  await page.getByText(`For the account of ${email}.`).waitFor();
  await page.getByLabel('New password').fill('password123');
  const inputType = () => page.getByLabel('New password').getAttribute('type');
  await page.getByLabel('Show the password').check();
  expect(await inputType()).toBe('text');
  await page.getByLabel('Show the password').uncheck();
  expect(await inputType()).toBe('password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect.poll(() => alertText(page)).toContain('too common');
  await page.getByLabel('New password').fill('a browser otter dives');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect.poll(() => statusText(page)).toContain(`The new password of ${email} is set.`);
  expect(await alertText(page)).toBe('');
  await expect(signIn(t, email, validPassword)).rejects.toThrow('PASSWORD_WRONG');
  await signIn(t, email, 'a browser otter dives');

  await page.reload();
  expect(await page.title()).toBe('This link does not work');
  await page.getByText('It was used already').waitFor();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await page.getByText(`If ${email} has an account, a new link is on its way.`).waitFor();
  await page.getByRole('link', { name: 'Go to your account' }).waitFor();

  await page.goto(`${base}/account/security`);
  for (const [password, expectedText] of [
    ['not this one at all', /./],
    ['a browser otter dives', `Every device of ${email} is signed out.`],
  ] as const) {
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect.poll(async () => `${await statusText(page)}${await alertText(page)}`).toMatch(expectedText);
  }
  // Chromium logs error statuses as console errors; there are no others.
  expect(complaints).toEqual(['422', '404', '422'].map((code) => expect.stringContaining(code)));
});

it('creates an account, and says what to correct', async () => {
  const { page, problems } = watched;
  problems.length = 0;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${base}/account`);
  await page.getByText('No account yet?').click();
  const email = uniqueEmail();
  const create = async (password: string) => {
    await page.getByLabel('Your name').fill('Ada');
    await page.locator('#register').getByLabel('Email address').fill(email);
    await page.getByLabel('Choose a password').fill(password);
    await page.getByRole('button', { name: 'Create an account' }).click();
  };
  await create('short');
  await page.getByText(/^Must have at least \d+ characters\.$/).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await create(validPassword);
  await page.getByText(`Open the link in the mail to ${email}, then sign in.`).waitFor();
  expect((await t.outbox(email)).at(-1)?.text).toContain('/account/confirm?token=');
  expect(problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
});

it('shows addresses, orders and sessions on the overview, and ends a session', async () => {
  const { page, problems } = watched;
  problems.length = 0;
  const account = await signIn(t, await registerConfirmedAccount(t));
  const addresses = [
    { id: 'home', name: 'Home', street: '1 Market St', city: 'San Francisco', country: 'US' },
  ];
  await t.rest('PUT', '/v1/users/update', { as: account, body: { addresses } });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${base}/account`);
    await page.getByLabel('Email address').first().fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(validPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('1 Market St, San Francisco, US').waitFor();
    await page.getByText('You have no orders yet.').waitFor();
    await page.getByText('This page', { exact: true }).waitFor();
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/account-${width}.png`, fullPage: true });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  await page.getByRole('button', { name: 'Add orders placed without this account' }).click();
  await page.getByText('There are no other orders with your address.').waitFor();
  await page
    .getByRole('button', { name: /^End: / })
    .first()
    .click();
  await page.getByText('The session has ended.').waitFor();
  await page.getByRole('button', { name: 'Remove: Home' }).click();
  await page.getByText('You have no addresses.').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('You are signed out everywhere.').waitFor();
  expect((await t.rest('GET', '/v1/users/me', { as: account })).status).toBe(401);
  expect(problems).toEqual([]);
});

it('shows the content of an order', async () => {
  const { page, problems } = watched;
  problems.length = 0;
  const account = await signIn(t, await registerConfirmedAccount(t));
  const shop = await createSellingShop(t);
  const pot = await addProduct(t, shop, { price: 1000, stock: 10, name: 'Pot' });
  const { body: order } = await t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as: account,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 2 }] },
  });
  await t.rest('PUT', `${shop.orders}/${order.orderId}/status`, {
    as: shop.admin,
    body: { status: 'PROCESSING' },
  });
  const shipment = { carrier: 'Post', trackingNumber: 'AB1', trackingUrl: 'https://post.test/AB1' };
  const shipped = await t.rest('POST', `${shop.orders}/${order.orderId}/fulfilments`, {
    as: shop.admin,
    body: { ...shipment, lines: [{ line: 0, quantity: 2 }] },
  });
  expect(shipped.status, JSON.stringify(shipped.body)).toBe(200);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${base}/account`);
    await page.getByLabel('Email address').first().fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(validPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Show order \d+$/).click();
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Pot.* × 2 \$20\.00$/),
      'Shipping $5.90',
      expect.stringMatching(/^Tax \$\d/),
      expect.stringMatching(/^Total \$\d/),
    ]);
    expect(await page.getByRole('link', { name: 'Track' }).getAttribute('href')).toBe(shipment.trackingUrl);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/order-${width}.png`, fullPage: true });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  expect(problems).toEqual([]);
});
