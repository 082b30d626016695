/** Typed errors of mutations: every payload has `errors` and `result`, filled only for documents that select `errors`. */
import { getNamedType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { schemaDeprecations } from '../../src/graphql/schema/deprecations.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let lamp: SoldProduct;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  lamp = await addProduct(t, shop, { price: 500, stock: 2 });
});

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
  ({ name }) => !Object.hasOwn(schemaDeprecations, `Mutation.${name}`),
);

it.each(mutations.map(({ name, type }) => [name, type]))(
  '%s returns a payload with errors',
  (_name, type) => {
    const payload = getNamedType(type);
    expect(String(type)).toBe(`${payload.name}!`);
    const fields = isObjectType(payload) ? payload.getFields() : {};
    expect([String(fields.errors?.type), String(fields.result?.type)]).toEqual([
      '[UserError!]!',
      payload.name,
    ]);
  },
);

const errorFields = 'errors { code field message retryAfter }';
const adjust = (
  selection: string,
) => `mutation ($b: ID!, $id: ID!, $input: AdjustStockInput!${selection.includes('$on') ? ', $on: Boolean = true' : ''}) {
  adjustStock(businessId: $b, id: $id, input: $input) { ${selection} } }`;
const move = (change: number, id = lamp.productId) => ({
  b: shop.businessId,
  id,
  input: { variantId: lamp.variantId, change },
});
const run = async (document: string, variables: object, as?: Person) => {
  const { data, errors } = await t.graphql(document, variables as Record<string, unknown>, { as });
  return {
    data: data as Record<string, unknown> | null | undefined,
    errors: errors.map(({ extensions }) => extensions),
  };
};
const userError = (code: string, field: string | null) => ({
  code,
  field,
  message: expect.any(String),
  retryAfter: null,
});

describe('a document that selects errors', () => {
  const document = adjust(`${errorFields} result { movement { balance } }`);

  it('gets expected errors as data, interpreted and compiled', async () => {
    for (let times = 0; times < 4; times += 1)
      expect(await run(document, move(-100), shop.admin)).toEqual({
        data: { adjustStock: { errors: [userError('OUT_OF_STOCK', 'change')], result: null } },
        errors: [],
      });
  });

  it('gets the payload in result', async () => {
    expect((await run(document, move(1), shop.admin)).data).toEqual({
      adjustStock: { errors: [], result: { movement: { balance: 3 } } },
    });
  });

  it('gets all validation errors of the input, and errors without details by their code', async () => {
    const invalid = { ...move(0), input: { variantId: lamp.variantId, change: 0, reason: 'x'.repeat(5000) } };
    const { data } = await run(document, invalid, shop.admin);
    const { errors = [] } = (data?.adjustStock ?? {}) as { errors?: { code: string; field: string }[] };
    expect(errors.map(({ code, field }) => `${field} ${code}`).sort()).toEqual([
      'change NO_CHANGE',
      'reason TOO_LONG',
    ]);
    const missing = await run(document, move(1, '01900000-0000-7000-8000-000000000000'), shop.admin);
    expect(missing.data).toEqual({ adjustStock: { errors: [userError('NOT_FOUND', null)], result: null } });
  });

  it('may select it in a fragment', async () => {
    const spread = `${adjust('...P ... on StockMovementPayload { result { __typename } }')} fragment P on StockMovementPayload { ${errorFields} }`;
    expect((await run(spread, move(-100), shop.admin)).data).toEqual({
      adjustStock: { errors: [userError('OUT_OF_STOCK', 'change')], result: null },
    });
  });

  it('gets the seconds to wait, like the Retry-After header', async () => {
    const state = { limit: 10, remaining: 0, reset: 900, exceeded: true };
    const consume = vi.spyOn(t.app.services.limits, 'consume').mockResolvedValue(state);
    const { data, headers } = await t.graphql(
      `mutation { login(input: { signInWith: GUEST }) { ${errorFields} } }`,
    );
    consume.mockRestore();
    expect(headers.get('retry-after')).toBe('900');
    expect(data).toMatchObject({
      login: { errors: [{ code: 'RATE_LIMITED', field: null, retryAfter: 900 }] },
    });
  });

  it('gets errors of the client program in the response', async () => {
    const anonymous = await run(document, move(1));
    expect(anonymous.errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
    const stranger = await run(document, move(1), await t.guest());
    expect(stranger.errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    const wrongType = await run(
      document,
      { ...move(1), input: { variantId: lamp.variantId, change: 'x' } },
      shop.admin,
    );
    expect(wrongType.errors).toMatchObject([{ code: 'VALIDATION_FAILED' }]);
  });
});

describe('the error is in the response, as before', () => {
  const error = { code: 'VALIDATION_FAILED', details: [{ field: 'change', error: 'OUT_OF_STOCK' }] };

  it.each([
    ['without errors', 'movement { balance }'],
    ['with skipped errors', 'errors @skip(if: $on) { code } movement { balance }'],
    ['with errors that are not included', '... @skip(if: $on) { errors { code } } movement { balance }'],
    ['next to fields outside of result', 'errors { code } movement { balance }'],
  ])('for a document %s', async (_name, selection) => {
    for (let times = 0; times < 4; times += 1) {
      const { data, errors } = await run(adjust(selection), move(-100), shop.admin);
      expect(data ?? null).toBe(null);
      expect(errors).toMatchObject([error]);
    }
  });
});

it('quoteCheckout returns the errors of a quote in the same form', async () => {
  const document = `query ($input: QuoteInput!) { quoteCheckout(input: $input) { ${errorFields} result { quote { total } } } }`;
  const input = { businessId: shop.businessId, market: 'US', lines: [{ ...lamp, quantity: 1 }] };
  const guest = await t.guest();
  for (let times = 0; times < 4; times += 1) {
    expect((await run(document, { input }, guest)).data).toEqual({
      quoteCheckout: { errors: [], result: { quote: { total: 541 } } },
    });
    expect((await run(document, { input: { ...input, promoCode: 'NONE' } }, guest)).data).toEqual({
      quoteCheckout: { errors: [userError('PROMO_CODE_INVALID', 'promoCode')], result: null },
    });
  }
});

describe('the codes in the description of a root field', () => {
  const codesOf = (field: string) =>
    /Error codes: (.*)\./.exec(
      (schema.getQueryType()?.getFields()[field] ?? schema.getMutationType()?.getFields()[field])
        ?.description ?? '',
    )?.[1];

  it('leave out those of fields that may be selected below, of jobs, and of problems of a cart', () => {
    expect(['me', 'cart', 'node', 'removeCartLine'].map(codesOf)).toEqual([
      undefined,
      undefined,
      undefined,
      'RECORD_TOO_LARGE',
    ]);
    expect(codesOf('startImport')).toBe('COLLECTION_NOT_FOUND, IDEMPOTENCY_KEY_REUSED');
    expect(codesOf('setOrderStatus')).toBe('INVALID_TRANSITION');
    expect(codesOf('updateCart')).not.toContain('OUT_OF_STOCK');
  });
});
