/** Sending the confirmation link again, in both protocols, and the orders of the viewer in all businesses by REST. */
import { beforeAll, expect, it } from 'vitest';
import {
  createAccount,
  latestMailToken,
  registerAccount,
  registerConfirmedAccount,
  uniqueEmail,
} from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { addProduct, createSellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

const path = '/v1/users/resend-confirmation';
const resend = (body: object) =>
  t.rest<{ details: { field: string; error: string }[] }>('POST', path, { body });
const mailsTo = async (email: string) => (await t.outbox(email)).length;

it('mails another link, and both links work until one is used', async () => {
  const email = await registerAccount(t);
  const first = await latestMailToken(t, email);
  expect(await resend({ email: email.toUpperCase() })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  const second = await latestMailToken(t, email);
  expect(second).not.toBe(first);
  expect((await t.rest('PUT', '/v1/users/confirm', { body: { token: first } })).status).toBe(200);
  const page = await t.app.fetch(new Request(`http://localhost/account/confirm?token=${first}`));
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('confirmed already')]);
});

it('does the same in GraphQL, to a page of the frontend', async () => {
  const email = await registerAccount(t);
  const { data } = await t.graphql(
    'mutation($input: ResendConfirmationInput!) { resendConfirmation(input: $input) { success } }',
    { input: { email, reserveDomain: 'http://shop.test' } },
  );
  expect(data).toEqual({ resendConfirmation: { success: true } });
  expect((await t.outbox(email)).at(-1)?.text).toContain('http://shop.test/confirm?token=');
});

it('responds alike for unknown and confirmed addresses, and mails nothing', async () => {
  const [unknown, confirmed] = [uniqueEmail(), await registerConfirmedAccount(t)];
  const before = await mailsTo(confirmed);
  for (const email of [unknown, confirmed])
    expect(await resend({ email })).toMatchObject({ status: 200, body: { success: true } });
  expect([await mailsTo(unknown), await mailsTo(confirmed)]).toEqual([0, before]);
});

it('rejects invalid input, and more than five mails in a quarter of an hour', async () => {
  const rejected = await resend({ email: 'no address', reserveDomain: 'https://evil.example' });
  expect(rejected.status).toBe(422);
  expect(rejected.body.details.map(({ field, error }) => `${field} ${error}`).sort()).toEqual([
    'email INVALID_EMAIL',
    'reserveDomain INVALID_ORIGIN_URI',
  ]);
  const email = await registerAccount(t);
  const statuses: number[] = [];
  for (let tries = 0; tries < 6; tries += 1) statuses.push((await resend({ email })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

it('lists the orders of the viewer in all businesses, and those of nobody else', async () => {
  const [viewer, other] = [await createAccount(t), await createAccount(t)];
  const numbers: string[] = [];
  for (const customer of [viewer, other])
    for (let shops = 0; shops < 2; shops += 1) {
      const shop = await createSellingShop(t);
      const { productId, variantId } = await addProduct(t, shop, { name: 'Teapot' });
      const { body } = await t.rest<{ orderId: string }>(
        'POST',
        `/v1/businesses/${shop.businessId}/orders/checkout`,
        {
          as: customer,
          body: {
            market: 'US',
            shippingMethodId: 'standard',
            items: [{ productId, variantId, quantity: 1 }],
          },
        },
      );
      if (customer === viewer) numbers.push(body.orderId);
    }
  const page = await t.rest<{ items: { id: string }[]; cursor: string | null }>(
    'GET',
    '/v1/users/me/orders?limit=1',
    { as: viewer },
  );
  expect(page.body.items.map(({ id }) => id)).toEqual([numbers[1]]);
  const next = await t.rest<{ items: { id: string }[]; cursor: string | null }>(
    'GET',
    `/v1/users/me/orders?limit=5&cursor=${encodeURIComponent(page.body.cursor ?? '')}`,
    { as: viewer },
  );
  expect([next.body.items.map(({ id }) => id), next.body.cursor]).toEqual([[numbers[0]], null]);
  expect((await t.rest('GET', '/v1/users/me/orders')).status).toBe(401);
});
