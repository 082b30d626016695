/** Parameters of a route in OpenAPI: its path, its query and the headers it honours. */
import { getNamedType, isEnumType } from 'graphql';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { type QueryParamKind, queryParamKindOf } from '../../src/rest/query-params.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { recordPathOf } from '../../src/rest/sparse-fields.ts';
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

/** What the wire calls something else than GraphQL does. */
const wireDescriptions: Readonly<Record<string, string>> = {
  cursor: 'The `cursor` of the page before; absent or empty for the first page.',
};

const fields = {
  name: 'fields',
  in: 'query',
  description:
    'Answer only these fields of the record, or of each item: names separated by commas, with dots for what is inside, such as `id,name`. Without it, all of them; an unknown one is 422.',
  schema: { type: 'string' },
};

export function parametersOf(
  route: RestRoute,
  bindings: RouteBindings,
  components: Components,
  { isVersioned, example }: { isVersioned: boolean; example: Example | undefined },
): Parameter[] {
  // Reference pages fill their forms with these, and together they make a request that works.
  const shown = (value: unknown) => (value === undefined ? {} : { example: value });
  const path = [...bindings.path].map(([name, binding]) => ({
    name,
    in: 'path',
    required: true,
    ...texts(name, binding),
    ...shown(example?.path?.[name]),
    schema: { type: 'string' },
  }));
  const query = [...bindings.query].map(([name, binding]) => {
    const kind = binding ? queryParamKindOf(binding.type) : 'string';
    const list = kind === 'strings';
    return {
      name,
      in: 'query',
      ...(binding?.required && !bindings.body.has(name) && canonicalName(bindings, binding) === name
        ? { required: true }
        : {}),
      ...shown(example?.query?.[name]),
      ...texts(name, binding, extraText(name, bindings, list)),
      schema: querySchema(kind, binding, components),
      ...(list ? { style: 'form', explode: false } : {}),
    };
  });
  return [
    ...path,
    ...query,
    ...(recordPathOf(route) ? [fields] : []),
    ...headersOf(route, bindings, isVersioned),
  ];
}

function extraText(name: string, bindings: RouteBindings, list: boolean): string | undefined {
  if (bindings.body.has(name)) return 'May stand here instead of in the body.';
  return list ? 'Comma separated, repeated, or a JSON array.' : undefined;
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
  const description = [wireDescriptions[name] ?? binding?.description, extra].filter(Boolean).join(' ');
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
