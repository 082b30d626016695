/** The storefront example that is rendered on the server: compiled, and used without JavaScript on a phone and on a desktop. */
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { signIn, uniqueEmail } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';
import {
  accessibilityViolations,
  contrastViolationsInOtherScheme,
  listen,
  openBrowser,
  openMonitoredPage,
} from '../support/browser.ts';
import { freePort } from '../support/gateway-process.ts';
import { commandTimeout, run, succeed, tool } from './commands.ts';
import { businessPath, serve } from './shop-server.ts';

const example = resolve('examples/storefront-server');

let t: TestApp;
let browser: Browser;
let gateway: string;
let origin: string;
beforeAll(async () => {
  const [port, shopPort] = [await freePort(), await freePort()];
  gateway = `http://127.0.0.1:${port}`;
  origin = `http://localhost:${shopPort}`;
  t = await testApp({ PUBLIC_URL: gateway, ALLOWED_ORIGINS: origin, RATE_LIMIT: 'off' });
  await seedDemo(t.db, gateway);
  await listen(t, port);
  browser = await openBrowser();
  await succeed(run(example, tool(example, 'graphql-codegen'), []));
  const as = await signIn(t, demoShopIdsAndLogins.email, demoShopIdsAndLogins.password);
  await t.rest('PATCH', businessPath, { as, body: { publicRead: true } });
  await t.rest('PATCH', `${businessPath}/branding`, { as, body: { orderUrl: `${origin}/order` } });
  return serve(example, { PORT: String(shopPort), DUET_URL: gateway }, join('src', 'server.ts'));
}, commandTimeout);

it('compiles', () => succeed(run(example, tool(example, 'tsc'), [])), commandTimeout);

async function expectAccessible(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/server-${name}.png`, fullPage: true });
  const violations = [
    ...(await accessibilityViolations(page)),
    ...(await contrastViolationsInOtherScheme(page)),
  ];
  expect(violations, name).toEqual([]);
  const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(width, name).toBeLessThanOrEqual(0);
}

it.each([
  ['desktop', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)(
  'sells to a guest on a %s',
  async (device, options) => {
    const { page, problems } = await openMonitoredPage(browser, origin, options);
    page.setDefaultTimeout(30_000);
    const email = uniqueEmail();
    const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
    const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
    const check = (name: string) => expectAccessible(page, `${name}-${device}`);

    await page.goto(origin);
    await sees('12 products');
    await check('list');
    await page.getByLabel('Search').fill('no such thing');
    await press('Search');
    await page.getByRole('link', { name: 'See all products' }).click();
    await page.getByRole('link', { name: /^Cups/ }).click();
    await sees('1 product');
    await page.getByRole('link', { name: 'Stoneware Cup' }).click();
    await check('product');
    expect(await page.context().cookies()).toEqual([]);
    await press('Add to cart');
    await sees('It is in your cart.');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    await page.getByRole('link', { name: 'Go to your cart' }).click();
    await page.getByLabel('Quantity of Stoneware Cup').fill('2');
    await press('Update Stoneware Cup');
    await page.getByLabel('Promo code').fill('welcome10');
    await press('Apply');
    await sees('Discount');
    await check('cart');

    const fields = { Name: 'Ada Visitor', 'Street and number': '1 Market St', City: 'San Francisco' };
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await page.getByLabel('Postal code').fill('94103');
    await page.getByLabel(/^Email/).fill(email);
    await press('Check out');
    await page.locator('#region[aria-invalid]').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Visitor');
    await check('rejected');
    await page.getByLabel(/^State/).fill('CA');
    await press('Check out');
    await page.waitForURL(`${gateway}/sandbox/pay/**`);
    await press('Decline');
    await press('Cancel');
    await sees('The last payment failed.');
    await press(/^Pay \$/);
    await page.waitForURL(`${gateway}/sandbox/pay/**`);
    await press(/^Pay \$/);
    await sees('Thank you! We are packing it.');
    await check('order');

    const number = /\d+/.exec((await page.locator('h1').textContent()) ?? '')?.[0] ?? '';
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Your order' }).click();
    await page.getByLabel('Order number').fill(number);
    await page.getByLabel('Email').fill(email);
    await press('Send me a link');
    await sees(/^If there is such an order/);
    await t.app.drainJobs();
    const link = /https?:\S+token=\S+/.exec((await t.outbox(email)).at(-1)?.text ?? '')?.[0] ?? '';
    expect(link).toContain(`${origin}/order?token=`);
    await page.goto(link);
    await page.getByRole('heading', { name: `Order ${number}` }).waitFor();
    await sees('Thank you! We are packing it.');
    await check('linked-order');

    await page.goto(`${origin}/journal`);
    await page.getByRole('link', { name: 'A week in Konga' }).click();
    await sees('The washing station opens before sunrise.');
    await check('entry');
    const expected = [`foreign request: ${gateway}`, 'Failed to load resource'];
    expect(problems.filter((problem) => !expected.some((text) => problem.startsWith(text)))).toEqual([]);
    await page.close();
  },
  commandTimeout,
);

it('works without JavaScript', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(`${origin}/products/house-espresso-no-4`);
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('link', { name: 'Go to your cart' }).click();
  await page.getByRole('heading', { name: 'Your cart' }).waitFor();
  await page.close();
});

it('sends no token for the catalogue, rejects forms of other sites, and answers unknown paths with 404', async () => {
  const list = await fetch(origin);
  expect(list.headers.get('cache-control')).toContain('public');
  expect(list.headers.get('set-cookie')).toBeNull();
  expect(await list.text()).toContain('<h2>Stoneware Cup</h2>');
  for (const path of ['/nowhere', '/products/none', '/journal/none', '/%E0%A4%A'])
    expect((await fetch(origin + path)).status, path).toBe(404);
  const foreign = await fetch(`${origin}/cart/promo`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams({ promoCode: 'x' }),
  });
  expect(foreign.status).toBe(403);
});

/** Posts a form, or reads a page without a form, with the cookies of a visitor. Redirects are not followed. */
async function visit(path: string, cookie: string, form?: Record<string, string>) {
  const response = await fetch(origin + path, {
    redirect: 'manual',
    headers: { origin, cookie },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  });
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? cookie,
    text: await response.text(),
  };
}

const cup = {
  slug: 'stoneware-cup',
  productId: '01900000-0000-7003-8000-00000000000a',
  variantId: '01900000-0000-7004-8000-000000000091',
};

it('shows rejected changes of the cart on the page of the form, and keeps the cart', async () => {
  const rejected = await visit('/cart/add', '', { ...cup, variantId: 'none', quantity: '1' });
  expect(rejected).toMatchObject({ status: 422, text: expect.stringContaining('<h1>Stoneware Cup</h1>') });
  const { cookie, status } = await visit('/cart/add', rejected.cookie, { ...cup, quantity: '2' });
  expect(status).toBe(303);
  const cart = await visit('/cart', cookie);
  expect(cart.text).toMatch(/<dt>Shipping<\/dt><dd>\$/);
  const lineId = /name="lineId" value="([^"]+)"/.exec(cart.text)?.[1] ?? '';
  for (const quantity of ['', '-1', 'two', '2000000']) {
    const changed = await visit('/cart/change', cookie, { lineId, quantity });
    expect(changed.status, quantity).toBe(422);
    expect(changed.text).toMatch(/role="alert"[\s\S]*value="2"/);
  }
  await visit('/cart/change', cookie, { lineId, quantity: '5000' });
  const problem = /role="status">([^<]*)/.exec((await visit('/cart', cookie)).text)?.[1];
  expect(problem).toMatch(/^Stoneware Cup, 180 ml: Only \d+ left in stock\.$/);
  const promo = await visit('/cart/promo', cookie, { promoCode: 'x'.repeat(2000) });
  expect(promo).toMatchObject({ status: 422, text: expect.stringContaining('<h1>Your cart</h1>') });
  expect(await visit('/cart/change', cookie, { lineId, quantity: '0' })).toMatchObject({ location: '/cart' });
  expect((await visit('/cart', cookie)).text).toContain('Your cart is empty');
});

it('shows the errors of a checkout at the form, and places one order for a double click', async () => {
  const { cookie } = await visit('/cart/add', '', { ...cup, quantity: '1' });
  const address = {
    name: 'Ada',
    line1: '1 Market St',
    city: 'San Francisco',
    region: 'CA',
    postalCode: '94103',
  };
  const form = { email: 'ada@people.example', shippingMethodId: 'standard', ...address };
  const unknownCountry = await visit('/checkout', cookie, { ...form, country: 'XX' });
  expect(unknownCountry.status).toBe(422);
  expect(unknownCountry.text).toMatch(/role="alert"><p>(?!Please correct)[^<]+<\/p>/);
  const wrongEmail = await visit('/checkout', cookie, { ...form, email: 'ada', country: 'US' });
  expect(wrongEmail.text).toMatch(/Please correct[\s\S]*id="email-error"/);

  const attempt = /name="attempt" value="([^"]+)"/.exec(wrongEmail.text)?.[1] ?? '';
  const twice = [1, 2].map(() => visit('/checkout', cookie, { ...form, country: 'US', attempt }));
  const [first, second] = await Promise.all(twice);
  expect(first?.location).toContain('/sandbox/pay/');
  expect(second?.location, 'the payment page of the first click').toBe(first?.location);
});

it('shows products without a price in its market once as not sold, and no category without a name', async () => {
  const as = await signIn(t, demoShopIdsAndLogins.email, demoShopIdsAndLogins.password);
  const created = await t.rest<{ slug: string; id: string }>('POST', `${businessPath}/products`, {
    as,
    body: { name: 'Unpriced', variants: [{ name: 'One' }] },
  });
  const list = await (await fetch(origin)).text();
  const card = /<h2>Unpriced<\/h2>[\s\S]*?<\/li>/.exec(list)?.[0];
  expect(card).toContain('Not sold here');
  expect(card).not.toContain('Sold out');
  expect(list.match(/href="[^"]*"(?: aria-current="page")?>\s*<span/g)).toBeNull();
  expect(list).toContain('>Coffee <span');
  const page = await (await fetch(`${origin}/products/unpriced`)).text();
  expect(page).not.toMatch(/Sold out|Add to cart/);
  await t.rest('DELETE', `${businessPath}/products/${created.body.id}`, { as });
});

it('starts a new session when the tokens of a visitor have expired', async () => {
  const tokens = { accessToken: 'expired', refreshToken: 'expired' };
  const expired = `guest=${Buffer.from(JSON.stringify(tokens)).toString('base64url')}`;
  expect((await visit('/cart', expired)).text).toContain('Your cart is empty');
  expect((await visit('/order?orderId=x', expired)).text).toContain('Find your order');
  for (const path of ['/cart/change', '/cart/promo', '/checkout', '/pay']) {
    const answer = await visit(path, expired, {});
    expect(answer, path).toMatchObject({
      status: 401,
      text: expect.stringContaining('Your visit has ended'),
    });
    expect(answer.cookie, path).toBe('guest=');
  }
  const added = await visit('/cart/add', expired, { ...cup, quantity: '1' });
  expect(added).toMatchObject({ status: 303, location: '/products/stoneware-cup?added' });
  expect((await visit('/cart', added.cookie)).text).toContain('Stoneware Cup');
});

/** Generated code is missing when this file is type-checked. */
interface SessionModule {
  Session: new (
    request: unknown,
  ) => {
    start(): Promise<void>;
    run(document: string, variables: object): Promise<unknown>;
    runIfSignedIn(document: string, variables: object): Promise<unknown>;
  };
}

describe('session', () => {
  const start = async (cookie: string) => {
    const { Session } = (await import(join(example, 'src/lib/session.ts'))) as SessionModule;
    const headers = { cookie, 'x-forwarded-for': '198.51.100.7' };
    return new Session({ headers, socket: { remoteAddress: '10.0.0.1' } });
  };
  const respond = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  afterEach(() => vi.restoreAllMocks());

  it('outlives an outage of the gateway', async () => {
    const requests = vi.spyOn(globalThis, 'fetch');
    const unauthenticated = { errors: [{ message: '', extensions: { code: 'UNAUTHENTICATED' } }] };
    requests.mockImplementationOnce(async () => respond(200, unauthenticated));
    requests.mockImplementationOnce(() => Promise.reject(new TypeError('fetch failed')));
    const tokens = Buffer.from('{"accessToken":"a","refreshToken":"r"}').toString('base64url');
    const session = await start(`guest=${tokens}`);
    await expect(session.runIfSignedIn('query', {})).rejects.toThrow('fetch failed');
    expect(session).toMatchObject({ isKnown: true, setCookie: undefined });
  });

  it('tells the gateway the address of the visitor', async () => {
    const requests = vi.spyOn(globalThis, 'fetch');
    const auth = { accessToken: 'a', refreshToken: 'r' };
    requests.mockImplementation(async () => respond(200, { data: { login: { auth } } }));
    const session = await start('');
    await session.start();
    await session.run('query', {});
    const sent = requests.mock.calls.map(([, init]) => new Headers(init?.headers).get('x-forwarded-for'));
    expect(sent).toEqual(['198.51.100.7, 10.0.0.1', '198.51.100.7, 10.0.0.1']);
  });
});

it('says why it does not start', async () => {
  const env = { PORT: String(await freePort()), DUET_URL: 'http://127.0.0.1:1' };
  const { code, output } = await run(example, process.execPath, ['--import', 'tsx', 'src/server.ts'], env);
  expect(code).toBe(1);
  expect(output).toMatch(/^The catalogue cannot be read from http:\/\/127\.0\.0\.1:1: .*\n.*publicRead.*\n$/);
});
