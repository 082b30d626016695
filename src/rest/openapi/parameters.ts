/** Parameters of a row in OpenAPI: its path, its query and the headers it honours. */
import { GraphQLString, getNamedType, isEnumType } from 'graphql';
import type { ParamKind } from '../query.ts';
import type { Row } from '../row.ts';
import { exampleOf } from './examples.ts';
import type { Components, JsonSchema } from './schemas.ts';
import type { Slot, Traced } from './trace.ts';

type Parameter = { [key: string]: unknown };

const byKind: Readonly<Record<ParamKind, JsonSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  strings: { type: 'array', items: { type: 'string' } },
};

/** What the wire calls something else than GraphQL does. */
const wireDescriptions: Readonly<Record<string, string>> = {
  cursor: 'The `cursor` of the page before; absent or empty for the first page.',
};

export function parametersOf(
  row: Row,
  traced: Traced,
  components: Components,
  isVersioned: boolean,
): Parameter[] {
  const path = [...traced.path].map(([name, slot]) => ({
    name,
    in: 'path',
    required: true,
    ...texts(name, slot),
    // Only here: reference pages fill their forms with examples, and options are better left empty.
    example: exampleOf(name, slot?.type ?? GraphQLString, slot?.field),
    schema: { type: 'string' },
  }));
  const query = Object.entries(row.query).map(([name, kind]) => {
    const slot = traced.query.get(name);
    const list = kind === 'strings';
    return {
      name,
      in: 'query',
      ...(slot?.required && countOf(traced.query, slot) === 1 ? { required: true } : {}),
      ...texts(name, slot, list ? 'Comma separated, repeated, or a JSON array.' : undefined),
      schema: querySchema(kind, slot, components),
      ...(list ? { style: 'form', explode: false } : {}),
    };
  });
  return [...path, ...query, ...headersOf(row, traced, isVersioned)];
}

const countOf = (slots: Traced['query'], slot: Slot) =>
  [...slots.values()].filter((other) => other?.field === slot.field).length;

function querySchema(kind: ParamKind, slot: Slot | undefined, components: Components): JsonSchema {
  const named = slot && getNamedType(slot.type);
  if (!isEnumType(named)) return byKind[kind];
  const values = components.input(named);
  return kind === 'strings' ? { type: 'array', items: values } : values;
}

function texts(name: string, slot: Slot | undefined, extra?: string): Parameter {
  const description = [wireDescriptions[name] ?? slot?.description, extra].filter(Boolean).join(' ');
  return {
    ...(description ? { description } : {}),
    ...(slot ? { 'x-graphql-field': slot.field } : {}),
  };
}

function headersOf(row: Row, traced: Traced, isVersioned: boolean): Parameter[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  });
  const honoured = {
    'Idempotency-Key': [
      row.method === 'POST',
      'Any text of your own, such as `order-2041`. Makes a retry safe: the same key and body get the first answer, for 24 hours.',
    ],
    'If-Match': [
      traced.readsVersion,
      'The ETag of the record, such as `"1-kq3Yx0PpT4zR2m1a"`: do it only if that is still its version.',
    ],
    'If-None-Match': [
      row.method === 'GET' && isVersioned,
      'The ETag of the record as you have it, such as `"1-kq3Yx0PpT4zR2m1a"`: answer 304 if it is still that.',
    ],
  } as const;
  return Object.entries(honoured).flatMap(([name, [applies, text]]) => (applies ? [header(name, text)] : []));
}
