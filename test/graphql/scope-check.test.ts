/** Fields that ask only for somebody who is signed in are called without the books of other checks: nothing else may hang on them. */
import type { GraphQLField } from 'graphql';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { requiresOnlySignIn, resolverWithFastScopeCheck } from '../../src/graphql/fast/scope-check.ts';
import { builder } from '../../src/graphql/schema/builder.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { account } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';

const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
const simple = queries.filter(requiresOnlySignIn);
const nameOf = ({ name }: GraphQLField<unknown, Context>) => name;

it('of them only the check of scopes stands before what the domain does', () => {
  const unchecked = builder
    .toSchema({ sortSchema: false, disableScopeAuth: true })
    .getQueryType()
    ?.getFields();
  expect(simple.map(nameOf)).toEqual(expect.arrayContaining(['product', 'products']));
  for (const field of simple)
    expect([field.name, unchecked?.[field.name]?.resolve]).toEqual([
      field.name,
      field.extensions.pothosOriginalResolve,
    ]);
});

it('no scopes of all queries stand before them', () => {
  expect(schema.getQueryType()?.extensions.pothosOptions).not.toHaveProperty('authScopes');
});

it('every other one is called as always', () => {
  const others = queries.filter((field) => !simple.includes(field));
  expect(others.map(nameOf)).toEqual(expect.arrayContaining(['orders', 'stockMovements', 'me']));
  for (const field of others)
    expect([field.name, resolverWithFastScopeCheck(field)]).toEqual([field.name, field.resolve]);
});

it.each(['product(businessId: $b, id: "x") { version }', 'products(businessId: $b) { nodes { version } }'])(
  'who is not signed in, or no longer, is refused each time: %s',
  async (selection) => {
    const t = await testApp();
    const [{ businessId }, person] = await Promise.all([t.shop(), account(t)]);
    const ask = async (authorization?: string) => {
      const response = await t.app.fetch(
        new Request('http://localhost/graphql', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(authorization === undefined ? {} : { authorization }),
          },
          body: JSON.stringify({
            query: `query Seen($b: ID!) { ${selection} }`,
            variables: { b: businessId },
          }),
        }),
      );
      const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
      return errors?.map(({ extensions }) => extensions.code);
    };
    const [head = '', claims = '', signature = ''] = person.token.split('.');
    const forged = [head, claims, [...signature].reverse().join('')].join('.');
    for (let round = 0; round < 6; round += 1) {
      expect(await ask(`Bearer ${person.token}`)).toBeUndefined();
      for (const other of [undefined, 'Bearer', `Bearer ${forged}`, `Bearer ${person.token}.`])
        expect([other, await ask(other)]).toEqual([other, ['UNAUTHENTICATED']]);
    }
    expect(await t.rest('POST', '/v1/users/logout', { as: person, body: {} })).toMatchObject({ status: 200 });
    expect(await ask(`Bearer ${person.token}`)).toEqual(['UNAUTHENTICATED']);
  },
);
