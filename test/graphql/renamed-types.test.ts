/** Documents of older clients: fragments on the former name of a type, and `id` of what has a key now. */
import { parse, print, validate } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { applyRenamedTypes } from '../../src/graphql/execute/apply-renamed-types.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

const namesOf = (source: string) =>
  [...print(applyRenamedTypes(schema, parse(source))).matchAll(/\bon (\w+)/g)].map(([, name]) => name);

it('are read as fragments on the newsletter subscription', async () => {
  const person = await t.person();
  for (const query of [
    '{ me { subscriptions { nodes { ...F } } } } fragment F on Subscription { id status }',
    '{ me { subscriptions { nodes { ... on Subscription { id } } } } }',
  ])
    expect(await t.graphql(query, {}, { as: person })).toMatchObject({
      errors: [],
      data: { me: { subscriptions: { nodes: [] } } },
    });
});

it('stay fragments on the root type if they select its fields', () => {
  const live = 'subscription { ...F } fragment F on Subscription { __typename }';
  expect(namesOf(live)).toEqual(['Subscription']);
  const stock = 'subscription { ...F } fragment F on Subscription { stockChanged(businessId: "b") { sku } }';
  expect(namesOf(stock)).toEqual(['Subscription']);
  expect(validate(schema, applyRenamedTypes(schema, parse(stock)))).toEqual([]);
});

it('select keys under the former name', async () => {
  const shop = await t.shop();
  const as = shop.admin;
  const path = `/v1/businesses/${shop.businessId}/products`;
  const blocks = [{ id: 'care', type: 'TEXT', value: 'Dry it' }];
  const { body } = await t.rest<{ id: string }>('POST', path, { as, body: { name: 'Teapot', blocks } });
  const variables = { b: shop.businessId, id: body.id };
  const read = `query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { id blocks { id } ...F } }
    fragment F on Product { block(id: "care") { name: id text } }`;
  const data = {
    product: { id: body.id, blocks: [{ id: 'care' }], block: { name: 'care', text: 'Dry it' } },
  };
  // Repeated, because the executor changes with the number of runs.
  for (let run = 0; run < 4; run += 1)
    expect(await t.graphql(read, variables, { as })).toMatchObject({ errors: [], data });
  const deletion = 'mutation ($b: ID!, $id: ID!) { deleteProduct(businessId: $b, id: $id) { id deleted } }';
  expect((await t.graphql(deletion, variables, { as })).data).toEqual({
    deleteProduct: { id: body.id, deleted: true },
  });
});

it('report the fields that no version has had', async () => {
  const { errors } = await t.graphql('{ me { addresses { id nope } } }', {}, { as: await t.person() });
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('"nope"')]);
});
