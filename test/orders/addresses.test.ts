/** Shipping and billing addresses of orders: sent or referenced by id, validated by country, visible to staff and the customer only. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../support/app.ts';
import { addProduct, detailErrors, type SoldProduct } from '../support/shop-fixtures.ts';
import { customer, manualOrder, other, postOrder, putOrder, shop, t } from './setup.ts';

const home = { name: 'Ada', line1: 'Am Wall 1', city: 'Bremen', postalCode: '28195', country: 'DE' };
const office = {
  name: 'Ada',
  company: 'Looms',
  line1: '1 Market St',
  line2: 'Floor 3',
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94103',
  country: 'US',
  phone: '+14155550100',
};

interface Body {
  id: string;
  orderId: string;
  version: number;
  shippingAddress?: object;
  billingAddress?: object;
}

let cup: SoldProduct;
let profile: { id: string; city?: string }[];
beforeAll(async () => {
  cup = await addProduct(t, shop, { price: 100, name: 'Cup' });
  const { body } = await t.rest<{ addresses: typeof profile }>('PUT', '/v1/users/update', {
    as: customer,
    body: {
      addresses: [
        { street: 'Am Wall 1', city: 'Bremen', zip: '28195', country: 'de', line2: 'Hof' },
        { id: 'half', street: 'Somewhere', country: 'Germany' },
      ],
    },
  });
  profile = body.addresses;
});

const checkOut = (more: object, as: Person = customer) =>
  t.rest<Body>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...cup, quantity: 1 }], ...more },
  });

const orderOf = async (id: string, as: Person = shop.admin) =>
  (await t.rest<Body>('GET', `${shop.orders}/${id}`, { as })).body;

describe('addresses of an order', () => {
  it('are stored, updated by staff, and equal in REST and GraphQL', async () => {
    const { body } = await postOrder(
      manualOrder({ shippingAddress: home, billingAddress: { ...office, country: 'us' } }),
    );
    expect(body).toMatchObject({ shippingAddress: home, billingAddress: office });
    const { data } = await t.graphql(
      `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { shippingAddress { name line1 line2 city country }
        billingAddress { company region postalCode phone } } }`,
      { b: shop.businessId, id: body.id },
      { as: customer },
    );
    expect(data).toEqual({
      order: {
        shippingAddress: { name: 'Ada', line1: 'Am Wall 1', line2: null, city: 'Bremen', country: 'DE' },
        billingAddress: { company: 'Looms', region: 'CA', postalCode: '94103', phone: '+14155550100' },
      },
    });
    const moved = await putOrder('/update', {
      id: body.id,
      shippingAddress: { ...home, line1: 'Am Wall 2' },
    });
    expect(moved.body).toMatchObject({
      shippingAddress: { ...home, line1: 'Am Wall 2' },
      billingAddress: office,
    });
    // The audit log records that the address changed, without its content.
    const changes = await t.db.sql<object>('select before, after from changes where record_id = $1', [
      body.id,
    ]);
    expect(JSON.stringify(changes)).toContain('"shipping_address":{"omitted":"PERSONAL"}');
    expect(JSON.stringify(changes)).not.toContain('Am Wall');
  });

  it('are hidden from other users and other businesses', async () => {
    const { body } = await checkOut({ shippingAddress: home });
    expect(await orderOf(body.orderId, customer)).toMatchObject({ shippingAddress: home });
    const stranger = await t.person();
    for (const as of [stranger, other.admin])
      expect((await t.rest('GET', `${shop.orders}/${body.orderId}`, { as })).status).toBe(404);
  });

  it('are copied from the profile by id and stay unchanged when the profile changes', async () => {
    const { body } = await checkOut({ shippingAddressId: profile[0]?.id, billingAddress: office });
    const chosen = { ...home, line2: 'Hof' };
    expect(await orderOf(body.orderId)).toMatchObject({ shippingAddress: chosen, billingAddress: office });
    await t.rest('PUT', '/v1/users/update', { as: customer, body: { addresses: profile.slice(1) } });
    expect(await orderOf(body.orderId)).toMatchObject({ shippingAddress: chosen });
    expect(detailErrors((await checkOut({ shippingAddressId: profile[0]?.id })).body)).toEqual([
      'shippingAddressId ADDRESS_NOT_FOUND',
    ]);
    await t.rest('PUT', '/v1/users/update', { as: customer, body: { addresses: profile } });
  });

  it.each([
    [
      'without the required region and postal code',
      { shippingAddress: { ...office, region: '', postalCode: null } },
      ['shippingAddress.region REQUIRED', 'shippingAddress.postalCode REQUIRED'],
    ],
    [
      'with an unknown country code',
      { billingAddress: { ...home, country: 'XX' } },
      ['billingAddress.country INVALID_VALUE'],
    ],
    [
      'with a country that only becomes a code by case mapping',
      { billingAddress: { ...home, country: '\ufb01' } },
      ['billingAddress.country INVALID_VALUE'],
    ],
    [
      'without any field',
      { shippingAddress: {} },
      [
        'shippingAddress.name REQUIRED',
        'shippingAddress.line1 REQUIRED',
        'shippingAddress.city REQUIRED',
        'shippingAddress.country REQUIRED',
      ],
    ],
    ['of type string', { shippingAddress: 'Bremen' }, ['shippingAddress INVALID_TYPE']],
    [
      'together with an address id',
      { shippingAddress: home, shippingAddressId: 'half' },
      ['shippingAddressId INVALID_VALUE'],
    ],
    [
      'incomplete or missing in the profile',
      { shippingAddressId: 'half', billingAddressId: 'none' },
      ['shippingAddressId ADDRESS_INCOMPLETE', 'billingAddressId ADDRESS_NOT_FOUND'],
    ],
    [
      'with a line above 200 characters',
      { shippingAddress: { ...home, line1: 'x'.repeat(201) } },
      ['shippingAddress.line1 TOO_LONG'],
    ],
  ])('are rejected %s', async (_case, input, errors) => {
    const answer = await checkOut(input);
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, errors]);
  });

  it('cannot be taken from the profile of another user', async () => {
    const thief = await t.person();
    for (const id of [profile[0]?.id, 'half', '1'])
      expect(detailErrors((await checkOut({ shippingAddressId: id }, thief)).body)).toEqual([
        'shippingAddressId ADDRESS_NOT_FOUND',
      ]);
  });

  it('are stored in a cart, used by its checkout, and removed from the cart afterwards', async () => {
    const carts = `/v1/businesses/${shop.businessId}/carts`;
    const as = customer;
    await t.rest('POST', carts, {
      as,
      body: { market: 'US', shippingMethodId: 'standard', billingAddress: office },
    });
    await t.rest('POST', `${carts}/me/lines`, { as, body: { ...cup, quantity: 1 } });
    const updated = await t.rest<Body>('PUT', `${carts}/me`, {
      as,
      body: { shippingAddressId: profile[0]?.id },
    });
    const chosen = { ...home, line2: 'Hof' };
    expect(updated.body).toMatchObject({ shippingAddress: chosen, billingAddress: office });
    const invalid = await t.rest('PUT', `${carts}/me`, {
      as,
      body: { shippingAddress: { ...home, postalCode: 'x' } },
    });
    expect(detailErrors(invalid.body)).toEqual(['shippingAddress.postalCode INVALID_FORMAT']);
    const purchase = await t.rest<Body>('POST', `${carts}/me/checkout`, { as, body: {} });
    expect(await orderOf(purchase.body.orderId)).toMatchObject({
      shippingAddress: chosen,
      billingAddress: office,
    });
    const emptiedCart = (await t.rest<Body>('GET', `${carts}/me`, { as })).body;
    expect([emptiedCart.shippingAddress, emptiedCart.billingAddress]).toEqual([undefined, undefined]);
  });
});
