/** Where orders go and who is billed: sent or chosen, checked for the country, seen by staff and the customer alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../support/app.ts';
import { addProduct, faultsOf, type SoldProduct } from '../support/selling.ts';
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

describe('the addresses of an order', () => {
  it('are sent with it, changed by staff, and the same in both voices', async () => {
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
    // The history says that it has changed, not what it was.
    const changes = await t.db.sql<object>('select before, after from changes where record_id = $1', [
      body.id,
    ]);
    expect(JSON.stringify(changes)).toContain('"shipping_address":{"omitted":"PERSONAL"}');
    expect(JSON.stringify(changes)).not.toContain('Am Wall');
  });

  it('are not seen by others', async () => {
    const { body } = await checkOut({ shippingAddress: home });
    expect(await orderOf(body.orderId, customer)).toMatchObject({ shippingAddress: home });
    const stranger = await t.person();
    for (const as of [stranger, other.admin])
      expect((await t.rest('GET', `${shop.orders}/${body.orderId}`, { as })).status).toBe(404);
  });

  it('are chosen from the own profile, and kept as they were', async () => {
    const { body } = await checkOut({ shippingAddressId: profile[0]?.id, billingAddress: office });
    const chosen = { ...home, line2: 'Hof' };
    expect(await orderOf(body.orderId)).toMatchObject({ shippingAddress: chosen, billingAddress: office });
    await t.rest('PUT', '/v1/users/update', { as: customer, body: { addresses: profile.slice(1) } });
    expect(await orderOf(body.orderId)).toMatchObject({ shippingAddress: chosen });
    expect(faultsOf((await checkOut({ shippingAddressId: profile[0]?.id })).body)).toEqual([
      'shippingAddressId ADDRESS_NOT_FOUND',
    ]);
    await t.rest('PUT', '/v1/users/update', { as: customer, body: { addresses: profile } });
  });

  it.each([
    [
      'without its region and postal code',
      { shippingAddress: { ...office, region: '', postalCode: null } },
      ['shippingAddress.region REQUIRED', 'shippingAddress.postalCode REQUIRED'],
    ],
    [
      'of no country',
      { billingAddress: { ...home, country: 'XX' } },
      ['billingAddress.country INVALID_VALUE'],
    ],
    [
      'of a country that is none before its letters are changed',
      { billingAddress: { ...home, country: '\ufb01' } },
      ['billingAddress.country INVALID_VALUE'],
    ],
    [
      'with nothing in it',
      { shippingAddress: {} },
      [
        'shippingAddress.name REQUIRED',
        'shippingAddress.line1 REQUIRED',
        'shippingAddress.city REQUIRED',
        'shippingAddress.country REQUIRED',
      ],
    ],
    ['that is a text', { shippingAddress: 'Bremen' }, ['shippingAddress INVALID_TYPE']],
    [
      'that is both',
      { shippingAddress: home, shippingAddressId: 'half' },
      ['shippingAddressId INVALID_VALUE'],
    ],
    [
      'that is not enough',
      { shippingAddressId: 'half', billingAddressId: 'none' },
      ['shippingAddressId ADDRESS_INCOMPLETE', 'billingAddressId ADDRESS_NOT_FOUND'],
    ],
    [
      'as long as a book',
      { shippingAddress: { ...home, line1: 'x'.repeat(201) } },
      ['shippingAddress.line1 TOO_LONG'],
    ],
  ])('are refused %s', async (_what, sent, faults) => {
    const answer = await checkOut(sent);
    expect([answer.status, faultsOf(answer.body)]).toEqual([422, faults]);
  });

  it("are never another person's", async () => {
    const thief = await t.person();
    for (const id of [profile[0]?.id, 'half', '1'])
      expect(faultsOf((await checkOut({ shippingAddressId: id }, thief)).body)).toEqual([
        'shippingAddressId ADDRESS_NOT_FOUND',
      ]);
  });

  it('come with a cart, and stay out of what is kept when the order was made', async () => {
    const carts = `/v1/businesses/${shop.businessId}/carts`;
    const as = customer;
    await t.rest('POST', carts, {
      as,
      body: { market: 'US', shippingMethodId: 'standard', billingAddress: office },
    });
    await t.rest('POST', `${carts}/me/lines`, { as, body: { ...cup, quantity: 1 } });
    const kept = await t.rest<Body>('PUT', `${carts}/me`, {
      as,
      body: { shippingAddressId: profile[0]?.id },
    });
    const chosen = { ...home, line2: 'Hof' };
    expect(kept.body).toMatchObject({ shippingAddress: chosen, billingAddress: office });
    const wrong = await t.rest('PUT', `${carts}/me`, {
      as,
      body: { shippingAddress: { ...home, postalCode: 'x' } },
    });
    expect(faultsOf(wrong.body)).toEqual(['shippingAddress.postalCode INVALID_FORMAT']);
    const bought = await t.rest<Body>('POST', `${carts}/me/checkout`, { as, body: {} });
    expect(await orderOf(bought.body.orderId)).toMatchObject({
      shippingAddress: chosen,
      billingAddress: office,
    });
    const left = (await t.rest<Body>('GET', `${carts}/me`, { as })).body;
    expect([left.shippingAddress, left.billingAddress]).toEqual([undefined, undefined]);
  });
});
