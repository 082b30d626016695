/** Assumptions about Pothos: extensions of fields and types that src/vendor/pothos reads. */
import SchemaBuilder from '@pothos/core';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { type GraphQLField, GraphQLObjectType, GraphQLSchema, GraphQLString, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { builder as gatewayBuilder } from '../../src/graphql/schema/builder.ts';
import '../../src/graphql/schema/schema.ts';
import {
  assertPothosExtensions,
  getPothosExposedProperty,
  getPothosFieldOptions,
} from '../../src/vendor/pothos/field-extensions.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('@pothos/core', '4.15');
seenOnVersions('@pothos/plugin-prisma', '4.17');
seenOnVersions('@pothos/plugin-scope-auth', '4.2');

interface Thing {
  name: string;
}

const builder = new SchemaBuilder<{ Objects: { Thing: Thing }; AuthScopes: { staff: boolean } }>({
  plugins: [ScopeAuthPlugin],
  // Required by the types of all plugins that the gateway loads.
  prisma: { client: {} as never, dmmf: { datamodel: { models: [] } } },
  scopeAuth: { authScopes: () => ({ staff: true }) },
});
const resolveThing = (_root: object, _args: object) => ({ name: 'a' });
builder.objectType('Thing', {
  fields: (t) => ({
    title: t.exposeString('name'),
    secret: t.exposeString('name', { authScopes: { staff: true } }),
  }),
});
builder.queryType({
  fields: (t) => ({ thing: t.field({ type: 'Thing', authScopes: { staff: true }, resolve: resolveThing }) }),
});
const schema = builder.toSchema();

const fieldOf = (type: string, name: string) => {
  const object = schema.getType(type);
  const field = isObjectType(object) ? object.getFields()[name] : undefined;
  return field ?? expect.unreachable(`${type}.${name}`);
};

it('gives the options of a field, with those of plugins', () => {
  expect(getPothosFieldOptions(fieldOf('Query', 'thing'))).toMatchObject({ authScopes: { staff: true } });
  const plain = new GraphQLObjectType({ name: 'Plain', fields: { name: { type: GraphQLString } } });
  expect(getPothosFieldOptions(plain.getFields().name ?? expect.unreachable())).toBeUndefined();
});

it('gives the declared resolver without the check of its scopes', () => {
  const field = fieldOf('Query', 'thing');
  expect(field.resolve).not.toBe(resolveThing);
});

it('gives the exposed property, and whether a plugin wraps its resolver', () => {
  expect(getPothosExposedProperty(fieldOf('Thing', 'title'))).toEqual({ property: 'name', wrapped: false });
  expect(getPothosExposedProperty(fieldOf('Thing', 'secret'))).toEqual({ property: 'name', wrapped: true });
  expect(getPothosExposedProperty(fieldOf('Query', 'thing'))).toMatchObject({ property: undefined });
});

it.each([
  ['the options', 'pothosOptions', 'Thing.title has no options of Pothos'],
  ['the mark of wrapped resolvers', 'pothosResolveWrapped', 'Thing.title has no options of Pothos'],
])('stops the start when a version of Pothos renames %s', (_name, key, message) => {
  const field = fieldOf('Thing', 'title') as GraphQLField<unknown, unknown>;
  const extensions = { ...field.extensions };
  delete (field.extensions as Record<string, unknown>)[key];
  expect(() => assertPothosExtensions(schema)).toThrow(message);
  expect(getPothosExposedProperty(field).wrapped).toBe(key === 'pothosResolveWrapped');
  field.extensions = extensions;
});

it('stops the start when scopes are not checked, or nothing of Pothos is found', () => {
  const field = fieldOf('Thing', 'secret');
  const extensions = field.extensions;
  field.extensions = { ...extensions, pothosResolveWrapped: false };
  expect(() => assertPothosExtensions(schema)).toThrow('Thing.secret does not check its auth scopes');
  field.extensions = extensions;
  // This schema has no type of a Prisma model.
  expect(() => assertPothosExtensions(schema)).toThrow('no scopes, exposed fields or Prisma types');
  const plain = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { name: { type: GraphQLString } } }),
  });
  expect(() => assertPothosExtensions(plain)).toThrow('Query.name has no options of Pothos');
  expect(() => assertPothosExtensions(gatewayBuilder.toSchema({ sortSchema: false }))).not.toThrow();
});
