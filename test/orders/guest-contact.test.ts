/** Contact of customers without an account: given at checkout, used for mails, visible to the business and the customer alone. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAccount, uniqueEmail } from '../support/accounts.ts';
import type { Person } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  checkout,
  guestOrder,
  latestLink,
  type OrderBody,
  openLink,
  other,
  pot,
  readOrder,
  ship,
  shop,
  t,
} from './guest-setup.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the contact of a checkout', () => {
  it('is optional: a body without it places the order as before, without mails', async () => {
    const guest = await t.guest();
    const { status, body } = await checkout(guest, { shippingMethodId: 'standard' });
    expect([status, Object.keys(body).sort()]).toEqual([200, ['orderId', 'status']]);
    const order = (await readOrder(body.orderId)).body;
    expect(order).not.toHaveProperty('contactEmail');
    expect(order).not.toHaveProperty('contactPhone');
  });

  it('is validated: all invalid fields are named, in both protocols', async () => {
    const guest = await t.guest();
    const contact = { email: 'ada@', phone: 'call me' };
    const rejected = await checkout(guest, contact);
    expect([rejected.status, detailErrors(rejected.body)]).toEqual([
      422,
      ['email INVALID_EMAIL', 'phone INVALID_PHONE_NUMBER'],
    ]);
    const { errors } = await t.graphql(
      'mutation ($businessId: ID!, $input: CheckoutInput!) { checkout(businessId: $businessId, input: $input) { orderId } }',
      { businessId: shop.businessId, input: { market: 'US', items: [{ ...pot, quantity: 1 }], ...contact } },
      { as: guest },
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'email' }, { field: 'phone' }],
    });
  });

  it('is stored normalised, and visible to staff and to the customer alone', async () => {
    const guest = await t.guest();
    const contact = { email: ' Grace@People.Example ', phone: '0049 30 123456' };
    const { body } = await checkout(guest, { ...contact, shippingMethodId: 'standard' });
    const expected = { contactEmail: 'grace@people.example', contactPhone: '+4930123456' };
    expect((await readOrder(body.orderId)).body).toMatchObject(expected);
    expect((await readOrder(body.orderId, guest)).body).toMatchObject(expected);
    for (const stranger of [await t.guest(), await t.person(), other.admin])
      expect((await readOrder(body.orderId, stranger)).status).not.toBe(200);
    expect((await readOrder(body.orderId, other.admin, other.orders)).status).toBe(404);
  });

  it('comes from the cart, which forgets it after checkout', async () => {
    const guest = await t.guest();
    const carts = `/v1/businesses/${shop.businessId}/carts`;
    const email = uniqueEmail();
    const opened = await t.rest('POST', carts, {
      as: guest,
      body: { market: 'US', shippingMethodId: 'standard', promoCode: 'ALL', email, marketingConsent: true },
    });
    expect(opened.body).toMatchObject({ email, marketingConsent: true });
    const changed = await t.rest('PUT', `${carts}/me`, {
      as: guest,
      body: { email: `x${email}`, phone: '+4930123456' },
    });
    expect(changed.body).toMatchObject({ email: `x${email}`, phone: '+4930123456', marketingConsent: false });
    expect(
      detailErrors((await t.rest('PUT', `${carts}/me`, { as: guest, body: { email: 'x' } })).body),
    ).toEqual(['email INVALID_EMAIL']);
    await t.rest('POST', `${carts}/me/lines`, { as: guest, body: { ...pot, quantity: 1 } });
    const { body } = await t.rest<{ orderId: string }>('POST', `${carts}/me/checkout`, {
      as: guest,
      body: {},
    });
    expect((await readOrder(body.orderId)).body).toMatchObject({
      contactEmail: `x${email}`,
      contactPhone: '+4930123456',
    });
    expect((await t.rest('GET', `${carts}/me`, { as: guest })).body).not.toHaveProperty('email');
  });
});

describe('mails to a guest', () => {
  it('go to the contact address, with a link that shows the order without an account', async () => {
    const { id, email } = await guestOrder();
    const { number } = (await readOrder(id)).body;
    const { status, page, headers } = await openLink(await latestLink(email));
    expect([status, headers.get('referrer-policy'), headers.get('x-robots-tag')]).toEqual([
      200,
      'no-referrer',
      'noindex',
    ]);
    for (const text of [`Order ${number}`, 'Pot', 'Total', 'href="http://shop.test"'])
      expect(page).toContain(text);
    expect(page).not.toContain(email);
    await ship(id);
    expect((await t.outbox(email)).map(({ subject }) => subject)).toHaveLength(2);
    const shipped = await openLink(await latestLink(email));
    for (const text of ['on its way', 'DHL', 'https://track.example/0034'])
      expect(shipped.page).toContain(text);
  });

  it('go to the confirmed address of an account instead, without a link', async () => {
    const account = await createAccount(t);
    const { email } = await guestOrder(uniqueEmail(), account);
    expect(await t.outbox(email)).toEqual([]);
    const mail = (await t.outbox(account.email)).at(-1);
    expect(mail?.subject).toMatch(/^Your order \d+/);
    expect(mail?.text).not.toContain('/orders/view');
  });
});

describe('an order link', () => {
  it('expires after 90 days, and a damaged one shows nothing', async () => {
    const { email } = await guestOrder();
    const link = await latestLink(email);
    expect((await openLink(`${link}x`)).status).toBe(404);
    expect((await openLink('http://pay.test/orders/view')).status).toBe(404);
    const day = 86_400_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 89 * day });
    expect((await openLink(link)).status).toBe(200);
    vi.setSystemTime(Date.now() + 2 * day);
    expect((await openLink(link)).status).toBe(404);
  });

  it('is revoked by the customer and by staff, not by others', async () => {
    const { id, email, guest } = await guestOrder();
    const link = await latestLink(email);
    const revoke = (as: Person, orders = shop.orders) =>
      t.rest('POST', `${orders}/${id}/revoke-links`, { as });
    expect((await revoke(await t.guest())).status).toBe(404);
    expect((await revoke(other.admin, other.orders)).status).toBe(404);
    expect((await openLink(link)).status).toBe(200);
    expect((await revoke(guest)).status).toBe(200);
    expect((await openLink(link)).status).toBe(404);
    await ship(id);
    const next = await latestLink(email);
    expect((await openLink(next)).status).toBe(200);
    expect((await revoke(shop.admin)).status).toBe(200);
    expect((await openLink(next)).status).toBe(404);
  });

  it('ends when staff correct the address', async () => {
    const { id, email } = await guestOrder();
    const link = await latestLink(email);
    const corrected = uniqueEmail();
    const { body } = await t.rest<OrderBody>('PUT', `${shop.orders}/update`, {
      as: shop.admin,
      body: { id, contactEmail: corrected },
    });
    expect(body.contactEmail).toBe(corrected);
    expect((await openLink(link)).status).toBe(404);
    await ship(id);
    expect((await openLink(await latestLink(corrected))).status).toBe(200);
  });
});
