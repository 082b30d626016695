/** OpenAPI against the documented contract: every documented endpoint and field exists, and no undocumented endpoint. */
import { describe, expect, it } from 'vitest';
import { contract } from '../support/contract-check.ts';
import { type Endpoint, endpoints as firstAddresses } from './documented-endpoints.ts';
import { resources, type Shape } from './documented-resources.ts';
import { resourceStyleEndpoints } from './resource-style-endpoints.ts';

const endpoints: Readonly<Record<string, Endpoint>> = {
  ...firstAddresses,
  ...resourceStyleEndpoints<Endpoint>(firstAddresses),
};

type Json = { [key: string]: Json } & { [key: string]: unknown };

const schemas = contract.components.schemas as Json;

/** Ignores the names of path parameters, which the contract does not fix. */
const withoutParameterNames = (address: string) => address.replace(/\{\w+\}/g, '{}');

const printed = new Map(
  Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item as Json)
      // Payment webhooks and the OIDC callback are not routes.
      .filter(([, operation]) => operation['x-graphql-operation'])
      .map(([method, operation]) => [
        withoutParameterNames(`${method.toUpperCase()} ${path}`),
        operation as Json,
      ]),
  ),
);

const resolved = (schema: Json): Json =>
  typeof schema.$ref === 'string'
    ? resolved(schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? ({} as Json))
    : schema;

const propertiesOf = (schema: Json): Json => (resolved(schema).properties ?? {}) as Json;

/** Paths of documented fields that are missing in a schema or have another type. */
function findMismatches(shape: Shape, schema: Json, path = ''): string[] {
  const actual = resolved(schema);
  if (Array.isArray(actual.anyOf)) {
    const branches = (actual.anyOf as Json[]).map((branch) => findMismatches(shape, branch, path));
    return branches.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (Array.isArray(shape)) {
    if ((actual.type as unknown) !== 'array') return [`${path}: not a list`];
    return findMismatches(shape[0] as Shape, actual.items as Json, `${path}[]`);
  }
  if (typeof shape === 'object') {
    const properties = propertiesOf(actual);
    const required = new Set((actual.required as unknown as string[] | undefined) ?? []);
    return Object.entries(shape).flatMap(([name, inner]) => {
      const property = properties[name];
      const at = path === '' ? name : `${path}.${name}`;
      if (!property) return [`${at}: missing`];
      const optional = typeof inner === 'string' && inner.endsWith('?');
      const isList = Array.isArray(inner);
      const mismatch = !optional && !isList && !required.has(name) ? [`${at}: may be absent`] : [];
      return [...mismatch, ...findMismatches(inner, property, at)];
    });
  }
  const named = (resources as Record<string, Shape>)[shape as string];
  if (named) return findMismatches(named, actual, path);
  const expected = (shape as string).replace('?', '');
  const types = [actual.type].flat() as unknown[];
  if (expected === 'any' || types.includes(expected)) return [];
  return [`${path}: ${types.join(' or ')} instead of ${expected}`];
}

const documented = Object.entries(endpoints).map(([address, endpoint]) => {
  const operation = printed.get(withoutParameterNames(address));
  return { address, endpoint, operation };
});

it('has no undocumented route', () => {
  const documentedPaths = new Set(Object.keys(endpoints).map(withoutParameterNames));
  expect([...printed.keys()].filter((address) => !documentedPaths.has(address))).toEqual([]);
});

it('has a route for every documented path', () => {
  expect(documented.filter(({ operation }) => !operation).map(({ address }) => address)).toEqual([]);
});

describe.each(documented.filter(({ operation }) => operation))('$address', ({ endpoint, operation }) => {
  it('returns every documented field', () => {
    const schema = operation?.responses?.['200']?.content?.['application/json']?.schema as Json;
    const mismatches = endpoint.answers
      .map((shape) => findMismatches(shape, schema))
      .filter((paths) => paths.length > 0);
    expect(mismatches).toEqual([]);
  });

  it('accepts every documented parameter and body field', () => {
    const parameters = (operation?.parameters ?? []) as unknown as Json[];
    const query = parameters
      .filter((parameter) => (parameter.in as unknown) === 'query')
      .map(({ name }) => name);
    expect((endpoint.query ?? []).filter((name) => !query.includes(name as never))).toEqual([]);
    const body = operation?.requestBody?.content?.['application/json']?.schema;
    const fields = body ? Object.keys(propertiesOf(body)) : [];
    expect((endpoint.body ?? []).filter((name) => !fields.includes(name))).toEqual([]);
  });
});
