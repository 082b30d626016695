/** Example values: by the name of a field where that says more than its type. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isScalarType,
} from 'graphql';
import { domains } from '../../src/domains/index.ts';
import { demo } from '../../src/seed/data.ts';

const id = '0190f3b2-7c4e-7d0a-9c55-2f6f3f0c9a11';

/** Where the owner of a field says more than its name: `examples/<domain>.ts` says it. Inputs share the examples of their type. */
const byField = Object.assign(
  {},
  ...(await Promise.all(
    domains
      .filter((domain) => existsSync(join(import.meta.dirname, 'examples', `${domain}.ts`)))
      .map(async (domain) => (await import(`./examples/${domain}.ts`)).fields),
  )),
) as Readonly<Record<string, unknown>>;

/** Of the values of an enum, the ones that go best with the other examples. */
const preferred = ['TEXT', 'EMAIL', 'USER', 'PRODUCTS_WRITE', 'FIXED'];

const byName: Readonly<Record<string, unknown>> = {
  businessId: demo.businessId,
  name: 'Teapot',
  slug: 'teapot',
  description: 'Cast iron, for two.',
  category: 'tea',
  url: 'https://images.example/teapot.jpg',
  mimeType: 'image/jpeg',
  sku: 'TEA-POT-S',
  code: 'EU',
  marketId: 'EU',
  market: 'EU',
  currency: 'EUR',
  taxBps: 2000,
  bps: 1000,
  price: 4999,
  compareAtPrice: 5999,
  amount: 4999,
  quantity: 2,
  version: 1,
  locale: 'en',
  email: 'ada@shop.example',
  password: 'correct horse battery',
  phoneNumber: '+4915112345678',
  phoneNumbers: ['+4915112345678'],
  provider: 'EMAIL',
  cursor: 'MDE5MGYzYjI',
  changedBy: 'USER',
  message: 'Must not be empty.',
  street: 'Teestr. 1',
  city: 'Bremen',
  zip: '28195',
  country: 'DE',
  permissions: ['PRODUCTS_WRITE'],
  query: 'teapot',
  limit: 20,
};

const byScalar: Readonly<Record<string, unknown>> = {
  ID: id,
  Boolean: true,
  Int: 1,
  Float: 1.5,
  Timestamp: 1_767_225_600,
  Money: 4999,
  String: 'text',
  JSON: 'text',
};

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Int: Number.isInteger,
  Float: (value) => typeof value === 'number',
  Timestamp: Number.isInteger,
  Money: Number.isInteger,
  JSON: () => true,
};

/** An example of a scalar or enum field, or of a list of them; undefined for objects, whose fields have their own. */
export function exampleOf(
  name: string,
  type: GraphQLInputType | GraphQLOutputType,
  graphqlField = '',
): unknown {
  const named = getNamedType(type);
  const isList = isListType(getNullableType(type));
  const wrap = (value: unknown) => (isList ? [value] : value);
  if (isEnumType(named)) {
    const values = named.getValues().map((value) => value.name);
    return wrap(preferred.find((value) => values.includes(value)) ?? values[0]);
  }
  if (!isScalarType(named)) return undefined;
  const known = byField[graphqlField.replace(/^(?:Create|Update)?(\w+?)(?:Input)?\./, '$1.')] ?? byName[name];
  const candidate = isList && Array.isArray(known) ? known[0] : known;
  return wrap(candidate !== undefined && fits[named.name]?.(candidate) ? candidate : byScalar[named.name]);
}

type Json = { [keyword: string]: unknown };

/** Fields worth showing in the example of a body that does not need them. */
const telling = new Set(['name', 'description', 'email', 'value']);

/** Puts a whole example together from the examples of its parts; of a request only what it needs, and a little more. */
export function sample(
  schemas: Readonly<Record<string, Json>>,
  schema: Json,
  { sparse = false, shown: needed = [] }: { sparse?: boolean; shown?: readonly string[] } = {},
): unknown {
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
      const properties = Object.entries((at.properties ?? {}) as Record<string, Json>);
      const shown = properties.filter(
        ([name]) =>
          !sparse || required.has(name) || telling.has(name) || (open.length === 0 && needed.includes(name)),
      );
      // A body of options alone still shows what one of them looks like.
      const chosen = shown.length > 0 ? shown : properties.slice(0, 1);
      return Object.fromEntries(
        chosen.flatMap(([name, inner]) => {
          const value = visit(inner, open);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    }
    if (at.type === 'boolean') return true;
    if (at.type === 'integer' || at.type === 'number') return 1;
    return Array.isArray(at.type) && at.type.includes('null') ? null : 'text';
  };
  return visit(schema, []);
}
