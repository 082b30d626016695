/** Fast scope check: fields whose only scope is `signedIn` skip the scope plugin, so no other wrapper may depend on it. */
import type { GraphQLField } from 'graphql';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import {
  isReadableByAnySignedInViewer,
  resolverWithFastScopeCheck,
} from '../../src/graphql/fast/root-field-call.ts';
import { builder } from '../../src/graphql/schema/builder.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { createAccount } from '../support/accounts.ts';
import { type Person, testApp } from '../support/app.ts';

const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
const signInOnly = queries.filter(isReadableByAnySignedInViewer);
const nameOf = ({ name }: GraphQLField<unknown, Context>) => name;

it('skips only the scope plugin: the inner resolver has no other wrapper', () => {
  const withoutScopes = builder
    .toSchema({ sortSchema: false, disableScopeAuth: true })
    .getQueryType()
    ?.getFields();
  expect(signInOnly.map(nameOf)).toEqual(expect.arrayContaining(['product', 'products']));
  for (const field of signInOnly)
    expect([field.name, withoutScopes?.[field.name]?.extensions.pothosResolveWrapped]).toEqual([
      field.name,
      false,
    ]);
});

it('the query type itself has no scopes', () => {
  expect(schema.getQueryType()?.extensions.pothosOptions).not.toHaveProperty('authScopes');
});

it('does not change fields with other scopes', () => {
  const others = queries.filter((field) => !signInOnly.includes(field));
  expect(others.map(nameOf)).toEqual(expect.arrayContaining(['orders', 'stockMovements', 'me']));
  for (const field of others)
    expect([field.name, resolverWithFastScopeCheck(field)]).toEqual([field.name, field.resolve]);
});

it.each(['product(businessId: $b, id: "x") { version }', 'products(businessId: $b) { nodes { version } }'])(
  'rejects viewers that are not signed in, or no longer: %s',
  async (selection) => {
    const t = await testApp();
    const [{ businessId }, person] = await Promise.all([t.shop(), createAccount(t)]);
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

it('names in both protocols what the caller lacks', async () => {
  const t = await testApp();
  const [{ businessId, admin }, guest, person] = await Promise.all([t.shop(), t.guest(), t.person()]);
  const restricted = await t.withApiKey(admin, ['ORDERS_READ']);
  const messages = async (path: string, query: string, as?: Person) => {
    const rest = await t.rest<{ message: string }>('GET', path, as ? { as } : {});
    const graphql = await t.graphql(query, { b: businessId }, as ? { as } : {});
    expect(graphql.errors[0]?.message).toBe(rest.body.message);
    return rest.body.message;
  };
  const at = `/v1/businesses/${businessId}`;
  const promoCodes = [
    `${at}/promo-codes`,
    'query ($b: ID!) { promoCodes(businessId: $b) { nodes { id } } }',
  ] as const;
  expect(await messages(...promoCodes, guest)).toBe('You do not have the required permission: ADMIN.');
  expect(await messages(...promoCodes, person)).toBe('You do not have the required permission: ADMIN.');
  const media = [`${at}/media`, 'query ($b: ID!) { mediaFiles(businessId: $b) { nodes { id } } }'] as const;
  expect(await messages(...media, guest)).toBe(
    'You do not have the required permission: PRODUCTS_WRITE or CONTENT_WRITE.',
  );
  const sessions = ['/v1/users/me/sessions', '{ me { id } }'] as const;
  expect(await messages(...sessions, restricted)).toBe('A restricted API key has no access to this account.');
  expect(await messages(...promoCodes)).toMatch(/^Sign in: send an access token or API key .*GUEST\.$/);
  expect(await messages(...promoCodes, { ...guest, token: `${guest.token}x` })).toBe(
    'The access token or API key is invalid, expired or revoked. Sign in again.',
  );
});
