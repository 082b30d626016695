/** User with personal data in every table that stores some; all of it contains a searchable mark. */
import { newId } from '../../src/lib/ids.ts';
import { type Account, registerConfirmedAccount, signIn } from '../support/accounts.ts';
import type { TestApp } from '../support/app.ts';
import { addProduct, type SellingShop } from '../support/shop-fixtures.ts';

export interface MarkedUser extends Account {
  /** Text in name, address, note and other fields, in lower case. */
  mark: string;
  phone: string;
  orderId: string;
  subscriptionId: string;
  entryId: string;
}

const requireOk = <Body>({ status, body }: { status: number; body: Body }): Body => {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

/** Registers, completes the profile, creates an API key, confirms a phone, subscribes, receives a newsletter, orders and pays. */
export async function createMarkedUser(t: TestApp, shop: SellingShop): Promise<MarkedUser> {
  const mark = `mark${newId().replaceAll('-', '').slice(-12)}`;
  const phone = `+49151${String(Math.random()).slice(2, 10)}`;
  const pathOf = (path: string) => `/v1/businesses/${shop.businessId}${path}`;
  const address = { name: mark, line1: `${mark} street 1`, city: mark, postalCode: '28195', country: 'DE' };
  const person = await signIn(t, await registerConfirmedAccount(t, `${mark}@people.example`));
  requireOk(
    await t.rest('PUT', '/v1/users', {
      as: person,
      body: {
        name: `Name ${mark}`,
        phoneNumbers: [phone],
        addresses: [{ street: `${mark} street 1`, city: mark, zip: '28195', country: 'DE' }],
        businessUserConfigs: [{ businessId: shop.businessId, settings: { note: mark } }],
        apiTokens: [{ id: `id-${mark}`, name: `key ${mark}`, value: `secret-${newId()}` }],
      },
    }),
  );
  requireOk(await t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber: phone } }));
  const code = /\d{6}/.exec((await t.outbox(phone)).at(-1)?.text ?? '')?.[0];
  requireOk(
    await t.rest('POST', '/v1/users/phone-number/confirm', {
      as: person,
      body: { phoneNumber: phone, code },
    }),
  );
  const newsletter = requireOk(
    await t.rest<{ id: string }>('POST', pathOf('/collections'), {
      as: shop.admin,
      body: { name: 'Letter', type: 'NEWSLETTER' },
    }),
  );
  // Subscribed as a guest: only the email address links the subscription to the user.
  const subscription = requireOk(
    await t.rest<{ id: string }>('POST', pathOf(`/collections/${newsletter.id}/subscribe`), {
      as: await t.guest(),
      headers: { 'idempotency-key': newId() },
      body: { email: person.email.toUpperCase(), name: `Reader ${mark}` },
    }),
  );
  const entry = requireOk(
    await t.rest<{ id: string }>('POST', pathOf('/entries'), {
      as: shop.admin,
      body: {
        collectionId: newsletter.id,
        blocks: [{ id: 'subject', type: 'TEXT', value: 'News for {{subscriberName}}' }],
      },
    }),
  );
  requireOk(await t.rest('POST', pathOf(`/entries/${entry.id}/send`), { as: shop.admin, body: {} }));
  const teapot = await addProduct(t, shop, { price: 2000, stock: 10 });
  const order = requireOk(
    await t.rest<{ orderId: string; checkoutUrl: string }>('POST', `${shop.orders}/checkout`, {
      as: person,
      headers: { 'idempotency-key': `key ${mark}` },
      body: {
        businessId: shop.businessId,
        market: 'US',
        paymentMethod: 'CREDIT_CARD',
        shippingMethodId: 'standard',
        items: [{ ...teapot, quantity: 2 }],
        shippingAddress: address,
        billingAddress: { ...address, company: `${mark} Ltd` },
        blocks: [
          { id: 'address', type: 'TEXT', value: { street: `${mark} street 1` } },
          { id: 'note', type: 'TEXT', value: `Ring twice, ${mark}` },
        ],
      },
    }),
  );
  await t.app.fetch(
    new Request(order.checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) }),
  );
  requireOk(
    await t.rest('POST', `${shop.orders}`, {
      as: shop.admin,
      headers: { 'idempotency-key': newId() },
      body: {
        customerId: person.userId,
        market: 'US',
        lines: [{ ...teapot, quantity: 1 }],
        shippingAddress: address,
        blocks: [{ id: 'note', type: 'TEXT', value: `Told by phone: ${mark}` }],
      },
    }),
  );
  await t.app.drainJobs();
  return {
    ...person,
    mark,
    phone,
    orderId: order.orderId,
    subscriptionId: subscription.id,
    entryId: entry.id,
  };
}
