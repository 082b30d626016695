/** The second half of a visit: buying, watching the order, sending a part of it back, the account and the newsletter. */
import { expect } from 'vitest';
import { uniqueEmail } from '../support/accounts.ts';
import type { Visitor } from './shop-visit.ts';

const newsletter = '/collections/weekly-cup';

/** What is wrong with the address is said at its field; a card that is declined is tried again. */
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
  await visitor.sees('The last payment did not work.');
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
  await page.getByLabel(/^Why/).fill('A chip in the rim');
  await visitor.isFine('order');
  await visitor.press('Ask to send it back');
  await visitor.sees(/^You asked to send something back/);
}

/** Addresses of the account can be chosen when one buys. */
export async function useAccount(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await visitor.follow('Account');
  await visitor.heading('Hello, Ada Visitor');
  await visitor.sees('On its way');
  await page.getByText('Add an address').click();
  const places = { Name: 'Ada at work', 'Street and number': '9 Mission St', City: 'San Francisco' };
  for (const [label, text] of Object.entries(places))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('State or region').fill('CA');
  await page.getByLabel('Postal code').fill('94105');
  await visitor.press('Keep address');
  await visitor.sees('The address is kept.');
  await visitor.isFine('account');
  await visitor.open('/products/gift-card');
  await visitor.press('Add to cart');
  await visitor.sees('It is in your cart.');
  await visitor.follow('Go to your cart');
  const chosen = page.getByLabel('Send it to').locator('option:checked');
  await expect.poll(() => chosen.textContent()).toMatch(/^Ada at work, 9 Mission St/);
  await visitor.press('Remove Gift Card');
  await visitor.heading('Your cart is empty');
  await visitor.follow('Account');
  await visitor.press('Sign out');
  await visitor.heading('Demo Coffee');
  await visitor.follow('Account');
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
}

/** On the list once the link in the mail was followed, and not before. */
export async function subscribe(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const email = uniqueEmail();
  const state = async () => {
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
  expect(await state()).toEqual(['PENDING_CONFIRMATION']);
  await page.goto(await visitor.mailedLink(email));
  await page.getByRole('button').first().click();
  await expect.poll(state).toEqual(['ACTIVE']);
}
