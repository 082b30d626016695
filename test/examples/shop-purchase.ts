/** Further steps of a visit to the storefront: checkout, order status and return, account, newsletter. */
import { expect } from 'vitest';
import { uniqueEmail } from '../support/accounts.ts';
import type { Visitor } from './shop-visit.ts';

const newsletter = '/collections/weekly-cup';

/** Checks out with an incomplete address first, and pays again after a declined payment. */
export async function buy(visitor: Visitor): Promise<void> {
  const { page, shop } = visitor;
  const address = { Name: 'Ada Visitor', 'Street and number': '1 Market St', City: 'San Francisco' };
  for (const [label, text] of Object.entries(address))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('Country').selectOption('US');
  await page.getByLabel('Postal code').fill('94103');
  await page.getByLabel(/^Express/).check();
  await visitor.press('Check out');
  await page.locator('[name=region][aria-invalid]').waitFor();
  await page.getByLabel('State or region').fill('CA');
  await visitor.press('Check out');
  await page.waitForURL(`${shop.gateway}/sandbox/pay/**`);
  await visitor.press('Decline');
  await visitor.press('Cancel');
  await page.waitForURL(`${shop.origin}/order?**`);
  await visitor.sees('The last payment failed.');
  await visitor.press(/^Pay \$/);
  await page.waitForURL(`${shop.gateway}/sandbox/pay/**`);
  await visitor.press(/^Pay \$/);
  await page.waitForURL(`${shop.origin}/order?**`);
  await visitor.heading(/^Order 1\d{3}$/);
  await visitor.sees('Thank you! We are packing it.');
  await page.getByRole('link', { name: 'Cart with 0' }).waitFor();
}

export async function watchOrder(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const id = new URL(page.url()).searchParams.get('orderId');
  await visitor.staff('POST', `/orders/${id}/fulfilments`, { carrier: 'Post', trackingNumber: 'TRACK-1' });
  await visitor.sees('It is on its way.');
  await visitor.sees('TRACK-1');
  await page.locator('summary').click();
  await page.getByLabel('Stoneware Cup').selectOption('1');
  await page.getByLabel(/^Reason/).fill('A chip in the rim');
  await visitor.expectAccessible('order');
  await visitor.press('Request return');
  await visitor.sees(/^You have requested a return/);
}

/** Adds an address to the account, and finds it selected in the cart. */
export async function useAccount(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await visitor.follow('Account');
  await visitor.heading('Hello, Ada Visitor');
  await visitor.sees('On its way');
  await page.getByText('Add an address').click();
  const address = { Name: 'Ada at work', 'Street and number': '9 Mission St', City: 'San Francisco' };
  for (const [label, text] of Object.entries(address))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('State or region').fill('CA');
  await page.getByLabel('Postal code').fill('94105');
  await visitor.press('Save address');
  await visitor.sees('The address is saved.');
  await visitor.expectAccessible('account');
  await visitor.open('/products/gift-card');
  await visitor.press('Add to cart');
  await visitor.sees('It is in your cart.');
  await visitor.follow('Go to your cart');
  const selected = page.getByLabel('Send it to').locator('option:checked');
  await expect.poll(() => selected.textContent()).toMatch(/^Ada at work, 9 Mission St/);
  await visitor.press('Remove Gift Card');
  await visitor.heading('Your cart is empty');
  await visitor.follow('Account');
  await visitor.press('Sign out');
  await visitor.heading('Demo Coffee');
  await visitor.follow('Account');
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
}

/** Subscribes to the newsletter: active only after the link in the mail is confirmed. */
export async function subscribe(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const email = uniqueEmail();
  const statuses = async () => {
    const list = await visitor.staff<{ items: { email: string; status: string }[] }>(
      'GET',
      `${newsletter}/subscribers?email=${encodeURIComponent(email)}`,
    );
    return list.items.map(({ status }) => status);
  };
  await visitor.staff('PUT', newsletter, { doubleOptIn: true });
  await page.getByLabel('Your email').fill(email);
  await visitor.press('Subscribe');
  await visitor.sees(/^Almost done/);
  expect(await statuses()).toEqual(['PENDING_CONFIRMATION']);
  await page.goto(await visitor.mailedLink(email));
  await page.getByRole('button').first().click();
  await expect.poll(statuses).toEqual(['ACTIVE']);
}
