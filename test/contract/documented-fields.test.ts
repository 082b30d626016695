/** The rows against the document: every documented field is there, and nothing is there that is not documented. */
import { describe, expect, it } from 'vitest';
import { contract } from '../support/openapi.ts';
import { endpoints } from './documented-endpoints.ts';
import { resources, type Shape } from './documented-resources.ts';

type Json = { [key: string]: Json } & { [key: string]: unknown };

const schemas = contract.components.schemas as Json;

/** Names of path parameters are nobody's business but the row's. */
const nameless = (address: string) => address.replace(/\{\w+\}/g, '{}');

const printed = new Map(
  Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item as Json)
      // Incoming events and the way back from an identity provider are no rows.
      .filter(([, operation]) => operation['x-graphql-operation'])
      .map(([method, operation]) => [nameless(`${method.toUpperCase()} ${path}`), operation as Json]),
  ),
);

const resolved = (schema: Json): Json =>
  typeof schema.$ref === 'string'
    ? resolved(schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? ({} as Json))
    : schema;

const propertiesOf = (schema: Json): Json => (resolved(schema).properties ?? {}) as Json;

/** Paths of documented fields that a schema lacks, or that it has with another type. */
function lacks(shape: Shape, schema: Json, path = ''): string[] {
  const actual = resolved(schema);
  if (Array.isArray(actual.anyOf)) {
    const branches = (actual.anyOf as Json[]).map((branch) => lacks(shape, branch, path));
    return branches.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (Array.isArray(shape)) {
    if ((actual.type as unknown) !== 'array') return [`${path}: not a list`];
    return lacks(shape[0] as Shape, actual.items as Json, `${path}[]`);
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
      const fault = !optional && !isList && !required.has(name) ? [`${at}: may be absent`] : [];
      return [...fault, ...lacks(inner, property, at)];
    });
  }
  const named = (resources as Record<string, Shape>)[shape as string];
  if (named) return lacks(named, actual, path);
  const wanted = (shape as string).replace('?', '');
  const types = [actual.type].flat() as unknown[];
  if (wanted === 'any' || types.includes(wanted)) return [];
  return [`${path}: ${types.join(' or ')} instead of ${wanted}`];
}

const documented = Object.entries(endpoints).map(([address, endpoint]) => {
  const operation = printed.get(nameless(address));
  return { address, endpoint, operation };
});

it('has no row whose path is undocumented', () => {
  const known = new Set(Object.keys(endpoints).map(nameless));
  expect([...printed.keys()].filter((address) => !known.has(address))).toEqual([]);
});

it('has a row for every documented path', () => {
  expect(documented.filter(({ operation }) => !operation).map(({ address }) => address)).toEqual([]);
});

describe.each(documented.filter(({ operation }) => operation))('$address', ({ endpoint, operation }) => {
  it('answers every documented field', () => {
    const schema = operation?.responses?.['200']?.content?.['application/json']?.schema as Json;
    const faults = endpoint.answers.map((shape) => lacks(shape, schema)).filter((found) => found.length > 0);
    expect(faults).toEqual([]);
  });

  it('takes every documented parameter and body field', () => {
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
