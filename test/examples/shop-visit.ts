/** Steps of a visit to the storefront in a browser: list, product, cart and sign-in. Each step waits for the text that the visitor sees. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { uniqueEmail, validPassword } from '../support/accounts.ts';
import { accessibilityViolations, contrastViolationsInOtherScheme } from '../support/browser.ts';
import { businessPath, type RunningShop } from './shop-server.ts';

export class Visitor {
  readonly page: Page;
  readonly shop: RunningShop;
  readonly email = uniqueEmail();
  readonly #name: string;

  constructor(page: Page, shop: RunningShop, name: string) {
    this.page = page;
    this.shop = shop;
    this.#name = name;
    page.setDefaultTimeout(30_000);
  }

  open(path: string) {
    return this.page.goto(`${this.shop.origin}${path}`);
  }

  /** REST request by staff of the shop. */
  async staff<Body = Record<string, never>>(method: string, path: string, body?: unknown): Promise<Body> {
    const { t, staff } = this.shop;
    const response = await t.rest<Body>(method, `${businessPath}${path}`, { as: staff, body });
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300);
    return response.body;
  }

  /** Waits until the text is on the page. */
  sees(text: string | RegExp) {
    return this.page.getByText(text).first().waitFor();
  }

  press(name: string | RegExp) {
    return this.page.getByRole('button', { name }).click();
  }

  follow(name: string | RegExp) {
    return this.page.getByRole('link', { name }).click();
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** Asserts that the page is accessible in both colour schemes and does not scroll horizontally. */
  async expectAccessible(name: string): Promise<void> {
    const { page } = this;
    if (process.env.SCREENSHOTS)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/shop-${name}-${this.#name}.png`,
        fullPage: true,
      });
    expect(
      [...(await accessibilityViolations(page)), ...(await contrastViolationsInOtherScheme(page))],
      name,
    ).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0);
  }

  async mailedLink(to: string): Promise<string> {
    const mails = await this.shop.t.outbox(to);
    return /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
  }
}

export async function findProduct(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const cards = page.locator('article.card');
  const count = page.locator('#count');
  const expectCount = (expected: string) =>
    expect.poll(() => count.textContent()).toMatch(new RegExp(`^${expected} products?$`));
  await visitor.open('/');
  await visitor.heading('Demo Coffee');
  await expectCount('12');
  expect(await cards.count()).toBe(8);
  await visitor.expectAccessible('list');
  await visitor.press('Show more');
  await expect.poll(() => cards.count()).toBe(12);

  await page.getByLabel('Search').pressSequentially('esspreso');
  await expectCount('1');
  expect(await cards.locator('mark').textContent()).toBe('Espresso');
  await page.getByLabel('Search').fill('');
  await expectCount('12');

  const filters = page.locator('details.filters');
  if ((await filters.getAttribute('open')) === null) await filters.locator('summary').click();
  await page.getByLabel(/^coffee/i).check();
  await expectCount('5');
  await page.getByLabel(/^cups/i).check();
  await expectCount('6');
  await page.getByLabel('Sort by').selectOption('PRICE_DESC');
  await expect.poll(() => cards.locator('h2').first().textContent()).toBe('Stoneware Cup');
  await page.getByLabel('In stock').check();
  const range = page.locator('.facets label').filter({ hasText: '$' }).last();
  const rangeCount = (await range.locator('.count').textContent()) ?? '';
  await range.click();
  await expectCount(rangeCount);
  await visitor.press('Clear filters');
  await expectCount('12');
  // Faster than the list is refreshed.
  await page.evaluate(
    'for (const name of ["category-coffee", "category-cups", "in-stock"]) document.getElementById(name).click()',
  );
  await expectCount('6');
  await page.reload();
  await expectCount('6');
  expect(new URL(page.url()).search).toBe('?category=coffee&category=cups&stock=1&sort=PRICE_DESC');

  const { id } = await visitor.staff<{ id: string }>('POST', '/products', { name: 'Without a category' });
  await page.reload();
  await page.getByLabel(/^coffee/i).waitFor({ state: 'attached' });
  const categories = await page
    .locator('.facets fieldset')
    .first()
    .locator('label span:first-of-type')
    .allTextContents();
  expect(categories.filter((name) => name === '')).toEqual([]);
  await visitor.staff('DELETE', `/products/${id}`);
}

interface Product {
  id: string;
  variants: { id: string; inventory: { quantity: number }; pricing: { markets: { price: number }[] } }[];
}

/** Checks live stock, and that the cart survives a reload and reports a changed price. */
export async function fillCart(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const cup = await visitor.staff<Product>('GET', '/products/stoneware-cup');
  const large = cup.variants[1];
  const quantity = large?.inventory.quantity ?? 0;
  await visitor.follow('Stoneware Cup');
  await visitor.heading('Stoneware Cup');
  await page.getByLabel('300 ml').check();
  await visitor.sees(`Only ${quantity} left`);
  await visitor.expectAccessible('product');
  await visitor.staff('POST', '/products/stoneware-cup/stock', { variantId: large?.id, change: 1 });
  await visitor.sees(`Only ${quantity + 1} left`);

  await page.getByLabel('Quantity').fill('2');
  await visitor.press('Add to cart');
  await visitor.sees('It is in your cart.');
  await page.reload();
  await page.getByRole('link', { name: 'Cart with 2' }).waitFor();

  for (const variant of cup.variants) for (const market of variant.pricing.markets) market.price += 100;
  await visitor.staff('PUT', `/products/${cup.id}`, { variants: cup.variants });
  await visitor.follow(/^Cart/);
  await visitor.sees(/^The price has changed/);
  await page.getByRole('textbox', { name: /^Promo code/ }).fill('NO-SUCH-CODE');
  await visitor.press('Apply');
  await visitor.sees('There is no such code.');
  await page.getByRole('textbox', { name: /^Promo code/ }).fill('welcome10');
  await visitor.press('Apply');
  await visitor.sees('Discount');
  await page.getByLabel('Quantity of Stoneware Cup').fill('3');
  await page.getByLabel('Quantity of Stoneware Cup').blur();
  await page.getByRole('link', { name: 'Cart with 3' }).waitFor();
  await visitor.expectAccessible('cart');
}

/** Registers and signs in. The cart of the guest is merged with the account's cart from another device. */
export async function signIn(visitor: Visitor): Promise<void> {
  const { page, email, shop } = visitor;
  const registerForm = page.getByRole('form', { name: 'Create an account' });
  const signInForm = page.getByRole('form', { name: 'Sign in' });
  const submitSignIn = async () => {
    await signInForm.getByLabel('Email').fill(email);
    await signInForm.getByLabel('Password').fill(validPassword);
    await visitor.press('Sign in');
  };
  await visitor.follow('sign in');
  await registerForm.getByLabel('Name').fill('Ada Visitor');
  await registerForm.getByLabel('Email').fill(email);
  await registerForm.getByLabel('Password').fill('password123');
  await visitor.press('Create account');
  await visitor.sees(/^This password is too easy to guess/);
  await visitor.expectAccessible('sign-in');
  await registerForm.getByLabel('Password').fill(validPassword);
  await visitor.press('Create account');
  await visitor.sees(/^We have sent a link/);
  await submitSignIn();
  await visitor.sees(/^Confirm your email address first/);

  await page.goto(await visitor.mailedLink(email));
  expect(page.url()).toContain(`${shop.origin}/confirm?token=`);
  await visitor.press('Confirm email address');
  await visitor.sees('Thank you. You can sign in now.');
  await fillCartOnOtherDevice(visitor);
  await visitor.open('/sign-in?to=/cart');
  await submitSignIn();
  await visitor.heading('Your cart');
  await page.getByRole('link', { name: 'Cart with 4' }).waitFor();
  expect(await page.locator('.line h2').allTextContents()).toEqual(['Paper Filters 02', 'Stoneware Cup']);
}

async function fillCartOnOtherDevice({ shop: { t }, email }: Visitor): Promise<void> {
  const { body } = await t.rest<{ accessToken: string; userId: string }>('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email, password: validPassword },
  });
  const as = { userId: body.userId, token: body.accessToken };
  const { body: filters } = await t.rest<Product>('GET', `${businessPath}/products/paper-filters-02`, { as });
  await t.rest('POST', `${businessPath}/carts`, {
    as,
    body: { market: 'US', shippingMethodId: 'standard' },
  });
  const line = { productId: filters.id, variantId: filters.variants[0]?.id, quantity: 1 };
  await t.rest('POST', `${businessPath}/carts/me/lines`, { as, body: line });
}
