/** Documents of older clients: fragments on the former name of a type. */
import { parse, print, validate } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { applyRenamedTypes } from '../../src/graphql/execute/renamed-types.ts';
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
