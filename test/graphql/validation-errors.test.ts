/** Errors as data, error codes in the schema, and all validation errors of a request at once. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { detailCodes } from '../../src/detail-codes.ts';
import { httpStatusByErrorCode } from '../../src/errors.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  createSellingShop,
  loadStock,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let guest: Person;
let lamp: SoldProduct;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  guest = await t.guest();
  lamp = await addProduct(t, shop, { price: 500, stock: 2 });
});

const refusalFields = '... on Refusal { code message retryAfter details { field error message } }';

const documents = {
  tryCheckout: `mutation ($b: ID!, $input: CheckoutInput!) { tryCheckout(businessId: $b, input: $input) {
    __typename ... on CheckoutPayload { orderId } ${refusalFields} } }`,
  tryCheckoutCart: `mutation ($b: ID!, $version: Int) {
    tryCheckoutCart(businessId: $b, version: $version, input: {}) { __typename ... on CheckoutPayload { orderId } ${refusalFields} } }`,
  tryQuote: `query ($input: QuoteInput!) { tryQuote(input: $input) { __typename ... on Quote { total } ${refusalFields} } }`,
  tryAdjustStock: `mutation ($b: ID!, $id: ID!, $input: AdjustStockInput!) {
    tryAdjustStock(businessId: $b, id: $id, input: $input) { __typename ... on StockMovementPayload { movement { balance } } ${refusalFields} } }`,
  tryRegister: `mutation ($input: RegisterInput!) { tryRegister(input: $input) {
    __typename ... on SuccessPayload { success } ${refusalFields} } }`,
  tryLogin: `mutation ($by: LoginByInput!) { tryLogin(by: $by) {
    __typename ... on AuthPayload { auth { scope provider } } ${refusalFields} } }`,
};

async function runTry(name: keyof typeof documents, variables: object, as?: Person) {
  const { data, errors } = await t.graphql(documents[name], variables as Record<string, unknown>, { as });
  expect(errors).toEqual([]);
  return (data as Record<string, unknown>)[name];
}

const refusalOf = (field: string, error: string, code = 'VALIDATION_FAILED') => ({
  __typename: 'Refusal',
  code,
  message: expect.any(String),
  retryAfter: null,
  details: [{ field, error, message: expect.any(String) }],
});

describe('errors as data', () => {
  const cart = (quantity: number) => ({
    b: shop.businessId,
    input: { market: 'US', shippingMethodId: 'standard', items: [{ ...lamp, quantity }] },
  });

  it('are returned by tryCheckout, which then changes nothing', async () => {
    // Four runs, because the document is compiled at the third.
    for (let times = 0; times < 4; times += 1)
      expect(await runTry('tryCheckout', cart(3), guest)).toEqual(refusalOf('items.0', 'OUT_OF_STOCK'));
    expect(await loadStock(t, lamp)).toBe(2);
    expect(await runTry('tryCheckout', cart(1), guest)).toEqual({
      __typename: 'CheckoutPayload',
      orderId: expect.any(String),
    });
    expect(await loadStock(t, lamp)).toBe(1);
  });

  it('are returned by tryCheckoutCart, which then keeps the lines of the cart', async () => {
    const b = shop.businessId;
    const buyer = await t.guest();
    const withoutCart = await runTry('tryCheckoutCart', { b }, buyer);
    expect(withoutCart).toMatchObject({ __typename: 'Refusal', code: 'NOT_FOUND' });
    const carts = `/v1/businesses/${b}/carts`;
    await t.rest('POST', carts, { as: buyer, body: { market: 'US', shippingMethodId: 'standard' } });
    expect(await runTry('tryCheckoutCart', { b }, buyer)).toEqual(refusalOf('lines', 'TOO_SHORT'));
    const tooMany = { as: buyer, body: { ...lamp, quantity: 9 } };
    const { body } = await t.rest<{ lines: { id: string }[] }>('POST', `${carts}/me/lines`, tooMany);
    expect(await runTry('tryCheckoutCart', { b }, buyer)).toEqual(refusalOf('lines.0', 'OUT_OF_STOCK'));
    const fewer = { as: buyer, body: { quantity: 1 } };
    const updated = await t.rest<{ version: number }>('PUT', `${carts}/me/lines/${body.lines[0]?.id}`, fewer);
    const { version } = updated.body;
    expect(await runTry('tryCheckoutCart', { b, version: version - 1 }, buyer)).toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    expect(await runTry('tryCheckoutCart', { b, version }, buyer)).toEqual({
      __typename: 'CheckoutPayload',
      orderId: expect.any(String),
    });
  });

  it('are returned by tryQuote, also for a promo code', async () => {
    const lines = [{ ...lamp, quantity: 1 }];
    const input = { businessId: shop.businessId, market: 'US', lines };
    expect(await runTry('tryQuote', { input }, guest)).toEqual({ __typename: 'Quote', total: 541 });
    expect(await runTry('tryQuote', { input: { ...input, promoCode: 'NONE' } }, guest)).toEqual(
      refusalOf('promoCode', 'PROMO_CODE_INVALID'),
    );
  });

  it('are returned by tryAdjustStock', async () => {
    const move = (change: number) => ({
      b: shop.businessId,
      id: lamp.productId,
      input: { variantId: lamp.variantId, change },
    });
    expect(await runTry('tryAdjustStock', move(-100), shop.admin)).toEqual(
      refusalOf('change', 'OUT_OF_STOCK'),
    );
    expect(await runTry('tryAdjustStock', move(5), shop.admin)).toMatchObject({
      __typename: 'StockMovementPayload',
    });
  });

  it('are returned by tryRegister and tryLogin', async () => {
    const email = 'somebody@example.com';
    expect(await runTry('tryRegister', { input: { email, password: 'short' } })).toMatchObject({
      __typename: 'Refusal',
      details: [{ field: 'password' }],
    });
    expect(await runTry('tryLogin', { by: { email: { email, password: 'not the password' } } })).toEqual(
      refusalOf('password', 'PASSWORD_WRONG'),
    );
    expect(await runTry('tryLogin', { by: { email: { email: 'nobody', password: 'x' } } })).toEqual(
      refusalOf('by.email.email', 'INVALID_EMAIL'),
    );
    expect(await runTry('tryLogin', { by: { guest: {} } })).toEqual({
      __typename: 'AuthPayload',
      auth: { scope: 'guest', provider: 'GUEST' },
    });
  });

  it('contain the seconds to wait, like the Retry-After header', async () => {
    const state = { limit: 10, remaining: 0, reset: 900, exceeded: true };
    const consume = vi.spyOn(t.app.services.limits, 'consume').mockResolvedValue(state);
    const { data, headers } = await t.graphql(documents.tryLogin, { by: { guest: {} } });
    consume.mockRestore();
    expect(headers.get('retry-after')).toBe('900');
    expect(data).toMatchObject({ tryLogin: { code: 'RATE_LIMITED', details: [], retryAfter: 900 } });
  });

  it('are errors for viewers without access', async () => {
    const anonymous = await t.graphql(documents.tryCheckout, cart(3));
    expect(anonymous.errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
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
  ])('require exactly one way to sign in: %j', async (by) => {
    const { data, errors } = await t.graphql(documents.tryLogin, { by });
    expect(data).toBeUndefined();
    expect(errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'by', error: 'INVALID_VALUE' }],
    });
  });
});

it('lists every error code in the schema', async () => {
  const values = (name: string) => `${name}: __type(name: "${name}") { enumValues { name } }`;
  const { data } = await t.graphql(`{ ${values('ErrorCode')} ${values('ErrorDetailCode')} }`);
  const enums = data as unknown as Record<string, { enumValues: { name: string }[] }>;
  const names = (type: string) => enums[type]?.enumValues.map(({ name }) => name).sort();
  expect(names('ErrorCode')).toEqual(Object.keys(httpStatusByErrorCode).sort());
  expect(names('ErrorDetailCode')).toEqual(Object.keys(detailCodes).sort());
});

describe('all validation errors at once', () => {
  const create = `mutation ($at: ID!, $product: CreateProductInput!) {
    createProduct(businessId: $at, input: $product) { product { id } } }`;
  const product = { name: '', slug: 'a b', variants: [{ sku: 1 }] };
  const validationErrors = async (variables: object, as?: Person, document = create) => {
    const { errors } = await t.graphql(document, variables as Record<string, unknown>, { as });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
    const details = errors[0]?.extensions.details as { field: string; error: string }[] | undefined;
    return details?.map(({ field, error }) => `${field} ${error}`) ?? [];
  };

  it('reports type errors by variable and rule violations by argument', async () => {
    const errors = await validationErrors({ at: shop.businessId, product }, shop.admin);
    expect(errors[0]).toBe('product.variants.0.sku INVALID_TYPE');
    expect(errors.slice(1).sort()).toEqual(['name TOO_SHORT', 'slug INVALID_FORMAT']);
  });

  it('reports a missing variable once', async () => {
    expect(await validationErrors({ product: { name: 'Lamp' } }, shop.admin)).toEqual(['at REQUIRED']);
    expect(await validationErrors({ at: shop.businessId }, shop.admin)).toEqual(['product REQUIRED']);
  });

  it('reports rule violations only to viewers with access', async () => {
    expect(await validationErrors({ at: shop.businessId, product }, guest)).toEqual([
      'product.variants.0.sku INVALID_TYPE',
    ]);
  });

  it('does not validate literals that contain invalid variables', async () => {
    const document = `mutation ($at: ID!, $name: String!) {
      createProduct(businessId: $at, input: { name: $name, slug: "a b" }) { product { id } } }`;
    expect(await validationErrors({ at: shop.businessId, name: 1 }, shop.admin, document)).toEqual([
      'name INVALID_TYPE',
    ]);
  });
});
