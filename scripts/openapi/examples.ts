/** Example values of fields: from the example requests, or declared by a domain; never guessed from a name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';
import { domainNames } from '../../src/domains/domain-names.ts';
import { buildSeedId } from '../../src/seed/shop-data.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import { makeExampleConsistent } from './consistent-example.ts';
import type { InputBinding, RouteBindings } from './input-bindings.ts';

/** `examples/<domain>.ts` declares examples of response fields that occur in no request. Input types share the examples of their output type. */
const declaredExamples = Object.assign(
  {},
  ...(await Promise.all(
    domainNames
      .filter((domain) => existsSync(join(import.meta.dirname, 'examples', `${domain}.ts`)))
      .map(async (domain) => (await import(`./examples/${domain}.ts`)).fields),
  )),
) as Readonly<Record<string, unknown>>;

const scalarExamples: Readonly<Record<string, unknown>> = {
  ID: buildSeedId(0, 1),
  Boolean: true,
  Int: 1,
  Float: 1.5,
  Timestamp: 1_767_225_600,
  Money: 4999,
};

/** `CreateProductInput.name` and `Product.name` share their examples. */
const sharedCoordinate = (coordinate: string) =>
  coordinate.replace(/^(?:Create|Update)?(\w+?)(?:Input)?\./, '$1.');

/** REST calls a key within a parent `id`: `Block.key` has the examples of `BlockInput.id`. */
const restCoordinate = (coordinate: string) => coordinate.replace(/(?<!Input)\.key$/, '.id');

export class Examples {
  readonly #fromRequests = new Map<string, unknown>();

  /** Collects the values of an example request; the first value of a field is used. */
  addRequest(bindings: RouteBindings, { body = {}, query = {} }: Example): void {
    for (const [name, binding] of bindings.query) this.#add(binding, query[name]);
    for (const [name, binding] of bindings.body) this.#add(binding, body[name]);
  }

  #add(binding: Pick<InputBinding, 'type' | 'coordinate'> | undefined, value: unknown): void {
    if (!binding || value === undefined || value === null) return;
    const named = getNamedType(binding.type);
    if (!isInputObjectType(named)) {
      const key = sharedCoordinate(binding.coordinate);
      if (!this.#fromRequests.has(key)) this.#fromRequests.set(key, value);
      return;
    }
    for (const item of Array.isArray(value) ? value : [value])
      for (const field of Object.values(named.getFields()))
        this.#add(
          { type: field.type, coordinate: `${named.name}.${field.name}` },
          (item as Record<string, unknown>)[field.name],
        );
  }

  #find(coordinate: string): unknown {
    const key = sharedCoordinate(coordinate);
    return declaredExamples[key] ?? this.#fromRequests.get(key);
  }

  /** Example of a scalar or enum field, or of a list of them; undefined if there is none. */
  of(type: GraphQLInputType | GraphQLOutputType, coordinate: string): unknown {
    const named = getNamedType(type);
    const isList = isListType(getNullableType(type));
    if (!isEnumType(named) && !isScalarType(named)) return undefined;
    const example = this.#find(restCoordinate(coordinate)) ?? this.#find(coordinate);
    if (example !== undefined && Array.isArray(example) === isList && matchesType(named.name, example))
      return example;
    const value = isEnumType(named) ? named.getValues()[0]?.name : scalarExamples[named.name];
    return value !== undefined && isList ? [value] : value;
  }
}

/** A field may have another type in a response than in a request. */
function matchesType(typeName: string, value: unknown): boolean {
  const sample = [value].flat()[0];
  if (typeName in scalarExamples && typeName !== 'ID')
    return typeof sample === typeof scalarExamples[typeName];
  return typeName === 'JSON' || typeof sample === 'string';
}

type Json = { [keyword: string]: unknown };

/** Builds the example of a response from the examples of its properties. */
export function responseExample(schemas: Readonly<Record<string, Json>>, schema: Json): unknown {
  /** `ancestors` are the components that the node is in; recursion ends at them. */
  const visit = (node: Json, ancestors: readonly string[]): unknown => {
    if (Array.isArray(node.examples)) return node.examples[0];
    if (typeof node.$ref === 'string') {
      const name = node.$ref.split('/').at(-1) ?? '';
      return ancestors.includes(name) ? undefined : visit(schemas[name] ?? {}, [...ancestors, name]);
    }
    if (Array.isArray(node.anyOf)) return visit(node.anyOf[0] as Json, ancestors);
    if (Array.isArray(node.enum)) return node.enum[0];
    if (node.type === 'array') {
      const item = visit(node.items as Json, ancestors);
      return item === undefined ? [] : [item];
    }
    if (node.type === 'object') {
      const required = new Set(node.required as string[] | undefined);
      return Object.fromEntries(
        Object.entries((node.properties ?? {}) as Record<string, Json>).flatMap(([name, inner]) => {
          const value = visit(inner, ancestors) ?? (required.has(name) ? defaultValue(inner) : undefined);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    }
    // An optional string without an example is omitted, like an unset field in a response.
    return node.type === undefined || node.type === 'string' ? undefined : defaultValue(node);
  };
  return makeExampleConsistent(visit(schema, []));
}

const defaultValue = ({ type }: Json) => {
  // Free-form JSON of the client.
  if (type === undefined) return {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  return Array.isArray(type) && type.includes('null') ? null : type === 'string' ? '' : undefined;
};
