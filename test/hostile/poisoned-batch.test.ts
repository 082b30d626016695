/** Text that PostgreSQL rejects, in a request that shares its statement with requests of other callers. */
import { beforeAll, describe, expect, it } from 'vitest';
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
let guest: Person;
let slug: string;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  shop = await createSellingShop(t);
  guest = await t.guest();
  lamp = await addProduct(t, shop, { price: 500, stock: 2 });
  const { data } = await t.graphql(
    'query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { slug } }',
    { b: shop.businessId, id: lamp.productId },
    { as: guest },
  );
  ({ slug } = (data as unknown as { product: { slug: string } }).product);
});

/** By slug, like the poisoned lookups: by id would be another statement. */
const read = () =>
  t.graphql(
    'query ($b: ID!, $slug: ID!) { product(businessId: $b, id: $slug) { id } }',
    { b: shop.businessId, slug },
    { as: guest },
  );

const nulEscape = '\\u0000';
const invalidText = [
  { field: 'id', error: 'INVALID_TEXT', message: 'Must not contain NUL or unpaired surrogates.' },
];

describe('a NUL character in a literal', () => {
  const documents = {
    'an argument': `{ product(businessId: "%b", id: "x${nulEscape}") { id } }`,
    'a block string': `{ product(businessId: "%b", id: """x\0""") { id } }`,
    'the default of a variable': `query ($id: ID! = "${nulEscape}") { product(businessId: "%b", id: $id) { id } }`,
  };

  it.each(Object.entries(documents))('is rejected like one in a variable: %s', async (_name, document) => {
    const { data, errors } = await t.graphql(document.replace('%b', shop.businessId), {}, { as: guest });
    expect(data).toBeUndefined();
    expect(errors.map(({ extensions }) => extensions)).toEqual([
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: invalidText }),
    ]);
    const inVariable = await t.graphql(
      'query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id } }',
      { b: shop.businessId, id: '\0' },
      { as: guest },
    );
    expect(inVariable.errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: invalidText,
    });
  });

  it('fails no read of another caller in the same tick', async () => {
    const poisoned = (n: number) =>
      t.graphql(
        `{ product(businessId: "${shop.businessId}", id: "${n}${nulEscape}") { id } }`,
        {},
        { as: guest },
      );
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? poisoned(n).then(() => undefined) : read())),
    );
    for (const answer of answers)
      if (answer) expect(answer).toMatchObject({ errors: [], data: { product: { id: lamp.productId } } });
  });
});

describe('literals', () => {
  const quoteWith = (value: string) =>
    `{ tryQuote(input: { businessId: "x", extra: ${value} }) { __typename } }`;

  it('may not be nested without limit', async () => {
    const { errors } = await t.graphql(quoteWith('['.repeat(1500) + ']'.repeat(1500)));
    expect(errors[0]?.extensions.code).toMatch(/^(BAD_REQUEST|VALIDATION_FAILED)$/);
  });
});
