/** OpenAPI parameters of a route: path, query and headers. */
import { getNamedType, isEnumType } from 'graphql';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { type QueryParamKind, queryParamKindOf } from '../../src/rest/query-params.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { responseRecordPathOf } from '../../src/rest/sparse-fields.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import type { Components } from './component-schemas.ts';
import { parameterRefs } from './headers.ts';
import { canonicalName, type InputBinding, type RouteBindings } from './input-bindings.ts';
import type { JsonSchema } from './json-schema.ts';

type Parameter = { [key: string]: unknown };

const byKind: Readonly<Record<QueryParamKind, JsonSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  strings: { type: 'array', items: { type: 'string' } },
};

/** Descriptions of parameters whose meaning differs from the GraphQL argument. */
const restDescriptions: Readonly<Record<string, string>> = {
  cursor: '`cursor` of the previous page; absent or empty for the first page.',
};

const fields = {
  name: 'fields',
  in: 'query',
  description:
    'Fields of the record, or of each item, to return: comma-separated names, with dots for nested fields, such as `id,name`. Default: all. An unknown field is rejected with 422.',
  schema: { type: 'string' },
};

export function parametersOf(
  route: RestRoute,
  bindings: RouteBindings,
  components: Components,
  { isVersioned, example }: { isVersioned: boolean; example: Example | undefined },
): Parameter[] {
  // API references prefill their forms with the examples, which together form a valid request.
  const withExample = (value: unknown) => (value === undefined ? {} : { example: value });
  const path = [...bindings.path].map(([name, binding]) => ({
    name,
    in: 'path',
    required: true,
    ...texts(name, binding),
    ...withExample(example?.path?.[name]),
    schema: { type: 'string' },
  }));
  const query = [...bindings.query].map(([name, binding]) => {
    const kind = binding ? queryParamKindOf(binding.type) : 'string';
    const isList = kind === 'strings';
    return {
      name,
      in: 'query',
      ...(binding?.required && !bindings.body.has(name) && canonicalName(bindings, binding) === name
        ? { required: true }
        : {}),
      ...withExample(example?.query?.[name]),
      ...texts(name, binding, extraText(name, bindings, isList)),
      schema: querySchema(kind, binding, components),
      ...(isList ? { style: 'form', explode: false } : {}),
    };
  });
  return [
    ...path,
    ...query,
    ...(responseRecordPathOf(route) ? [fields] : []),
    ...headersOf(route, bindings, isVersioned),
  ];
}

function extraText(name: string, bindings: RouteBindings, isList: boolean): string | undefined {
  if (bindings.body.has(name)) return 'Can be sent here instead of in the body.';
  return isList ? 'Comma-separated, repeated, or a JSON array.' : undefined;
}

function querySchema(
  kind: QueryParamKind,
  binding: InputBinding | undefined,
  components: Components,
): JsonSchema {
  const named = binding && getNamedType(binding.type);
  if (!isEnumType(named)) return byKind[kind];
  const values = components.input(named);
  return kind === 'strings' ? { type: 'array', items: values } : values;
}

function texts(name: string, binding: InputBinding | undefined, extra?: string): Parameter {
  const description = [restDescriptions[name] ?? binding?.description, extra].filter(Boolean).join(' ');
  return {
    ...(description ? { description } : {}),
    ...(binding && isDeprecatedCoordinate(binding.coordinate) ? { deprecated: true } : {}),
    ...(binding ? { 'x-graphql-field': binding.coordinate } : {}),
  };
}

function headersOf({ method }: RestRoute, bindings: RouteBindings, isVersioned: boolean): Parameter[] {
  return [
    ...(method === 'POST' ? parameterRefs('Idempotency-Key') : []),
    ...(bindings.readsVersion ? parameterRefs('If-Match') : []),
    ...(method === 'GET' && isVersioned ? parameterRefs('If-None-Match') : []),
    ...(method === 'GET' ? parameterRefs('X-Consistency-Token') : []),
    ...parameterRefs('X-Duet-Version', 'X-Client-Name', 'X-Request-Id'),
  ];
}
