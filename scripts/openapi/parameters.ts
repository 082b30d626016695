/** Parameters of a row in OpenAPI: its path, its query and the headers it honours. */
import { getNamedType, isEnumType } from 'graphql';
import { isDeprecatedCoordinate } from '../../src/graphql/schema/deprecations.ts';
import { type QueryParamKind, queryParamKindOf } from '../../src/rest/query-params.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { recordPathOf } from '../../src/rest/sparse-fields.ts';
import type { Example } from '../../test/parity/fixtures.ts';
import type { Components } from './component-schemas.ts';
import { parameterRefs } from './headers.ts';
import { type Place, type Places, properName } from './input-bindings.ts';
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
  row: RestRoute,
  places: Places,
  components: Components,
  { isVersioned, example }: { isVersioned: boolean; example: Example | undefined },
): Parameter[] {
  // Reference pages fill their forms with these, and together they make a request that works.
  const shown = (value: unknown) => (value === undefined ? {} : { example: value });
  const path = [...places.path].map(([name, place]) => ({
    name,
    in: 'path',
    required: true,
    ...texts(name, place),
    ...shown(example?.path?.[name]),
    schema: { type: 'string' },
  }));
  const query = [...places.query].map(([name, place]) => {
    const kind = place ? queryParamKindOf(place.type) : 'string';
    const list = kind === 'strings';
    return {
      name,
      in: 'query',
      ...(place?.required && !places.body.has(name) && properName(places, place) === name
        ? { required: true }
        : {}),
      ...shown(example?.query?.[name]),
      ...texts(name, place, extraText(name, places, list)),
      schema: querySchema(kind, place, components),
      ...(list ? { style: 'form', explode: false } : {}),
    };
  });
  return [...path, ...query, ...(recordPathOf(row) ? [fields] : []), ...headersOf(row, places, isVersioned)];
}

function extraText(name: string, places: Places, list: boolean): string | undefined {
  if (places.body.has(name)) return 'May stand here instead of in the body.';
  return list ? 'Comma separated, repeated, or a JSON array.' : undefined;
}

function querySchema(kind: QueryParamKind, place: Place | undefined, components: Components): JsonSchema {
  const named = place && getNamedType(place.type);
  if (!isEnumType(named)) return byKind[kind];
  const values = components.input(named);
  return kind === 'strings' ? { type: 'array', items: values } : values;
}

function texts(name: string, place: Place | undefined, extra?: string): Parameter {
  const description = [wireDescriptions[name] ?? place?.description, extra].filter(Boolean).join(' ');
  return {
    ...(description ? { description } : {}),
    ...(place && isDeprecatedCoordinate(place.field) ? { deprecated: true } : {}),
    ...(place ? { 'x-graphql-field': place.field } : {}),
  };
}

function headersOf({ method }: RestRoute, places: Places, isVersioned: boolean): Parameter[] {
  return [
    ...(method === 'POST' ? parameterRefs('Idempotency-Key') : []),
    ...(places.readsVersion ? parameterRefs('If-Match') : []),
    ...(method === 'GET' && isVersioned ? parameterRefs('If-None-Match') : []),
    ...(method === 'GET' ? parameterRefs('X-Consistency-Token') : []),
    ...parameterRefs('X-Duet-Version', 'X-Client-Name', 'X-Request-Id'),
  ];
}
