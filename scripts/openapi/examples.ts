/** Example values: what the examples of requests hold, or what a domain declares; never guessed from a name. */
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
import { domains } from '../../src/domains/index.ts';
import { seedId } from '../../src/seed/shop-data.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import type { Place, Places } from './input-bindings.ts';

/** `examples/<domain>.ts` says what answers hold that no request does. Inputs share the examples of their type. */
const declared = Object.assign(
  {},
  ...(await Promise.all(
    domains
      .filter((domain) => existsSync(join(import.meta.dirname, 'examples', `${domain}.ts`)))
      .map(async (domain) => (await import(`./examples/${domain}.ts`)).fields),
  )),
) as Readonly<Record<string, unknown>>;

const byScalar: Readonly<Record<string, unknown>> = {
  ID: seedId(0, 1),
  Boolean: true,
  Int: 1,
  Float: 1.5,
  Timestamp: 1_767_225_600,
  Money: 4999,
};

/** `CreateProductInput.name` and `Product.name` are one field to a reader. */
const familiar = (graphqlField: string) =>
  graphqlField.replace(/^(?:Create|Update)?(\w+?)(?:Input)?\./, '$1.');

export class Examples {
  readonly #found = new Map<string, unknown>();

  /** Takes in what the example of a request holds; the first to speak of a field counts. */
  read(places: Places, { body = {}, query = {} }: Example): void {
    for (const [name, place] of places.query) this.#keep(place, query[name]);
    for (const [name, place] of places.body) this.#keep(place, body[name]);
  }

  #keep(place: Pick<Place, 'type' | 'field'> | undefined, value: unknown): void {
    if (!place || value === undefined || value === null) return;
    const named = getNamedType(place.type);
    if (!isInputObjectType(named)) {
      const key = familiar(place.field);
      if (!this.#found.has(key)) this.#found.set(key, value);
      return;
    }
    for (const item of Array.isArray(value) ? value : [value])
      for (const field of Object.values(named.getFields()))
        this.#keep(
          { type: field.type, field: `${named.name}.${field.name}` },
          (item as Record<string, unknown>)[field.name],
        );
  }

  /** An example of a scalar or enum field, or of a list of them; undefined when there is none to show. */
  of(type: GraphQLInputType | GraphQLOutputType, graphqlField: string): unknown {
    const named = getNamedType(type);
    const isList = isListType(getNullableType(type));
    if (!isEnumType(named) && !isScalarType(named)) return undefined;
    const key = familiar(graphqlField);
    const known = declared[key] ?? this.#found.get(key);
    if (known !== undefined && Array.isArray(known) === isList && fits(named.name, known)) return known;
    const value = isEnumType(named) ? named.getValues()[0]?.name : byScalar[named.name];
    return value !== undefined && isList ? [value] : value;
  }
}

/** The same field may be of another kind in an answer. */
function fits(typeName: string, value: unknown): boolean {
  const sample = [value].flat()[0];
  if (typeName in byScalar && typeName !== 'ID') return typeof sample === typeof byScalar[typeName];
  return typeName === 'JSON' || typeof sample === 'string';
}

type Json = { [keyword: string]: unknown };

/** Puts a whole answer together from the examples of its parts. */
export function answerExample(schemas: Readonly<Record<string, Json>>, schema: Json): unknown {
  const visit = (at: Json, open: readonly string[]): unknown => {
    if (Array.isArray(at.examples)) return at.examples[0];
    if (typeof at.$ref === 'string') {
      const name = at.$ref.split('/').at(-1) ?? '';
      return open.includes(name) ? undefined : visit(schemas[name] ?? {}, [...open, name]);
    }
    if (Array.isArray(at.anyOf)) return visit(at.anyOf[0] as Json, open);
    if (Array.isArray(at.enum)) return at.enum[0];
    if (at.type === 'array') {
      const item = visit(at.items as Json, open);
      return item === undefined ? [] : [item];
    }
    if (at.type === 'object') {
      const required = new Set(at.required as string[] | undefined);
      return Object.fromEntries(
        Object.entries((at.properties ?? {}) as Record<string, Json>).flatMap(([name, inner]) => {
          const value = visit(inner, open) ?? (required.has(name) ? plain(inner) : undefined);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    }
    // A text that nobody gave an example of is left out, as it is where it is unset.
    return at.type === undefined || at.type === 'string' ? undefined : plain(at);
  };
  return visit(schema, []);
}

const plain = ({ type }: Json) => {
  // What callers keep as they please.
  if (type === undefined) return {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  return Array.isArray(type) && type.includes('null') ? null : type === 'string' ? '' : undefined;
};
