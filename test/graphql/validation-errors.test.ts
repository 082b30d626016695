/** Refusals as data, reasons in the schema, and all faults of a request at once. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { detailCodes } from '../../src/detail-codes.ts';
import { httpStatus } from '../../src/errors.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { addProduct, type SellingShop, type SoldProduct, sellingShop, stockOf } from '../support/selling.ts';

let t: TestApp;
let shop: SellingShop;
let guest: Person;
let lamp: SoldProduct;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await sellingShop(t);
  guest = await t.guest();
  lamp = await addProduct(t, shop, { price: 500, stock: 2 });
});

const refusal = '... on Refusal { code message retryAfter details { field error message } }';

const documents = {
  tryCheckout: `mutation ($b: ID!, $input: CheckoutInput!) { tryCheckout(businessId: $b, input: $input) {
    __typename ... on CheckoutPayload { orderId } ${refusal} } }`,
  tryCheckoutCart: `mutation ($b: ID!, $version: Int) {
    tryCheckoutCart(businessId: $b, version: $version, input: {}) { __typename ... on CheckoutPayload { orderId } ${refusal} } }`,
  tryQuote: `query ($input: QuoteInput!) { tryQuote(input: $input) { __typename ... on Quote { total } ${refusal} } }`,
  tryAdjustStock: `mutation ($b: ID!, $id: ID!, $input: AdjustStockInput!) {
    tryAdjustStock(businessId: $b, id: $id, input: $input) { __typename ... on StockMovementPayload { movement { balance } } ${refusal} } }`,
  tryRegister: `mutation ($input: RegisterInput!) { tryRegister(input: $input) {
    __typename ... on SuccessPayload { success } ${refusal} } }`,
  tryLogin: `mutation ($by: LoginByInput!) { tryLogin(by: $by) {
    __typename ... on AuthPayload { auth { scope provider } } ${refusal} } }`,
};

async function outcome(name: keyof typeof documents, variables: object, as?: Person) {
  const { data, errors } = await t.graphql(documents[name], variables as Record<string, unknown>, { as });
  expect(errors).toEqual([]);
  return (data as Record<string, unknown>)[name];
}

const refused = (field: string, error: string, code = 'VALIDATION_FAILED') => ({
  __typename: 'Refusal',
  code,
  message: expect.any(String),
  retryAfter: null,
  details: [{ field, error, message: expect.any(String) }],
});

describe('refusals', () => {
  const cart = (quantity: number) => ({
    b: shop.businessId,
    input: { market: 'US', shippingMethodId: 'standard', items: [{ ...lamp, quantity }] },
  });

  it('are answers of a checkout, and change nothing', async () => {
    // Often enough for the document to be compiled.
    for (let times = 0; times < 4; times += 1)
      expect(await outcome('tryCheckout', cart(3), guest)).toEqual(refused('items.0', 'OUT_OF_STOCK'));
    expect(await stockOf(t, lamp)).toBe(2);
    expect(await outcome('tryCheckout', cart(1), guest)).toEqual({
      __typename: 'CheckoutPayload',
      orderId: expect.any(String),
    });
    expect(await stockOf(t, lamp)).toBe(1);
  });

  it('are answers of the checkout of a cart, which keeps what is in it', async () => {
    const b = shop.businessId;
    const buyer = await t.guest();
    const nowhere = await outcome('tryCheckoutCart', { b }, buyer);
    expect(nowhere).toMatchObject({ __typename: 'Refusal', code: 'NOT_FOUND' });
    const carts = `/v1/businesses/${b}/carts`;
    await t.rest('POST', carts, { as: buyer, body: { market: 'US', shippingMethodId: 'standard' } });
    expect(await outcome('tryCheckoutCart', { b }, buyer)).toEqual(refused('lines', 'TOO_SHORT'));
    const wanted = { as: buyer, body: { ...lamp, quantity: 9 } };
    const { body } = await t.rest<{ lines: { id: string }[] }>('POST', `${carts}/me/lines`, wanted);
    expect(await outcome('tryCheckoutCart', { b }, buyer)).toEqual(refused('lines.0', 'OUT_OF_STOCK'));
    const fewer = { as: buyer, body: { quantity: 1 } };
    const kept = await t.rest<{ version: number }>('PUT', `${carts}/me/lines/${body.lines[0]?.id}`, fewer);
    const { version } = kept.body;
    expect(await outcome('tryCheckoutCart', { b, version: version - 1 }, buyer)).toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    expect(await outcome('tryCheckoutCart', { b, version }, buyer)).toEqual({
      __typename: 'CheckoutPayload',
      orderId: expect.any(String),
    });
  });

  it('are answers of a quote, for a promo code too', async () => {
    const lines = [{ ...lamp, quantity: 1 }];
    const input = { businessId: shop.businessId, market: 'US', lines };
    expect(await outcome('tryQuote', { input }, guest)).toEqual({ __typename: 'Quote', total: 541 });
    expect(await outcome('tryQuote', { input: { ...input, promoCode: 'NONE' } }, guest)).toEqual(
      refused('promoCode', 'PROMO_CODE_INVALID'),
    );
  });

  it('are answers of a move of stock', async () => {
    const move = (change: number) => ({
      b: shop.businessId,
      id: lamp.productId,
      input: { variantId: lamp.variantId, change },
    });
    expect(await outcome('tryAdjustStock', move(-100), shop.admin)).toEqual(
      refused('change', 'OUT_OF_STOCK'),
    );
    expect(await outcome('tryAdjustStock', move(5), shop.admin)).toMatchObject({
      __typename: 'StockMovementPayload',
    });
  });

  it('are answers of a registration and of a login', async () => {
    const email = 'somebody@example.com';
    expect(await outcome('tryRegister', { input: { email, password: 'short' } })).toMatchObject({
      __typename: 'Refusal',
      details: [{ field: 'password' }],
    });
    expect(await outcome('tryLogin', { by: { email: { email, password: 'not the password' } } })).toEqual(
      refused('password', 'PASSWORD_WRONG'),
    );
    expect(await outcome('tryLogin', { by: { email: { email: 'nobody', password: 'x' } } })).toEqual(
      refused('by.email.email', 'INVALID_EMAIL'),
    );
    expect(await outcome('tryLogin', { by: { guest: {} } })).toEqual({
      __typename: 'AuthPayload',
      auth: { scope: 'guest', provider: 'GUEST' },
    });
  });

  it('say how long to wait, as the header does', async () => {
    const state = { limit: 10, remaining: 0, reset: 900, exceeded: true };
    const take = vi.spyOn(t.app.services.limits, 'consume').mockResolvedValue(state);
    const { data, headers } = await t.graphql(documents.tryLogin, { by: { guest: {} } });
    take.mockRestore();
    expect(headers.get('retry-after')).toBe('900');
    expect(data).toMatchObject({ tryLogin: { code: 'RATE_LIMITED', details: [], retryAfter: 900 } });
  });

  it('tell nothing to those who may not ask: they get errors', async () => {
    const nobody = await t.graphql(documents.tryCheckout, cart(3));
    expect(nobody.errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const id = lamp.productId;
    const stranger = await t.graphql(
      documents.tryAdjustStock,
      { b: shop.businessId, id, input: { variantId: lamp.variantId, change: 1 } },
      { as: guest },
    );
    expect(stranger.errors[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it.each([
    { guest: {}, email: { email: 'a@b.example', password: 'x' } },
    { guest: null },
    {},
    { guest: {}, email: null },
  ])('want exactly one way to sign in: %j', async (by) => {
    const { data, errors } = await t.graphql(documents.tryLogin, { by });
    expect(data).toBeUndefined();
    expect(errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'by', error: 'INVALID_VALUE' }],
    });
  });
});

it('names every code in the schema', async () => {
  const values = (name: string) => `${name}: __type(name: "${name}") { enumValues { name } }`;
  const { data } = await t.graphql(`{ ${values('ErrorCode')} ${values('ErrorDetailCode')} }`);
  const enums = data as unknown as Record<string, { enumValues: { name: string }[] }>;
  const names = (type: string) => enums[type]?.enumValues.map(({ name }) => name).sort();
  expect(names('ErrorCode')).toEqual(Object.keys(httpStatus).sort());
  expect(names('ErrorDetailCode')).toEqual(Object.keys(detailCodes).sort());
});

describe('all faults at once', () => {
  const create = `mutation ($at: ID!, $product: CreateProductInput!) {
    createProduct(businessId: $at, input: $product) { product { id } } }`;
  const product = { name: '', slug: 'a b', variants: [{ sku: 1 }] };
  const faults = async (variables: object, as?: Person, document = create) => {
    const { errors } = await t.graphql(document, variables as Record<string, unknown>, { as });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
    const details = errors[0]?.extensions.details as { field: string; error: string }[] | undefined;
    return details?.map(({ field, error }) => `${field} ${error}`) ?? [];
  };

  it('tells rules beside types, by whatever name variables have', async () => {
    const told = await faults({ at: shop.businessId, product }, shop.admin);
    expect(told[0]).toBe('product.variants.0.sku INVALID_TYPE');
    expect(told.slice(1).sort()).toEqual(['name TOO_SHORT', 'slug INVALID_FORMAT']);
  });

  it('tells of a variable that is missing once', async () => {
    expect(await faults({ product: { name: 'Lamp' } }, shop.admin)).toEqual(['at REQUIRED']);
    expect(await faults({ at: shop.businessId }, shop.admin)).toEqual(['product REQUIRED']);
  });

  it('tells rules only to those who may ask', async () => {
    expect(await faults({ at: shop.businessId, product }, guest)).toEqual([
      'product.variants.0.sku INVALID_TYPE',
    ]);
  });

  it('does not judge literals with holes', async () => {
    const document = `mutation ($at: ID!, $name: String!) {
      createProduct(businessId: $at, input: { name: $name, slug: "a b" }) { product { id } } }`;
    expect(await faults({ at: shop.businessId, name: 1 }, shop.admin, document)).toEqual([
      'name INVALID_TYPE',
    ]);
  });
});
