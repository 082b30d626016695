/** Origins of the fields of a REST response: path and schema coordinate of the GraphQL field from which each one is read. */
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
} from 'graphql';
import { schema } from '../../graphql/schema/schema.ts';
import {
  findSelectionAtPath,
  type ParsedRoute,
  type SelectedField,
  schemaCoordinateOf,
} from '../route-with-parsed-operation.ts';

export interface ResponseFieldOrigin {
  /** Path in the REST body, such as `items[].variants[].id`. */
  rest: string;
  /** Path in the data of the operation, such as `products.nodes[].variants[].id`. */
  graphql: string;
  /** Schema coordinate, such as `ProductVariant.id`. */
  coordinate: string;
  /** GraphQL type, such as `ID!`. */
  type: string;
  /** Set if the GraphQL field is deprecated: names its replacement. */
  deprecation?: string;
  /** Condition or conversion, such as that of `cursor`. */
  note?: string;
}

/** Origins in the order of the response. Empty for routes that return `{success: true}`. */
export function listFieldOrigins(parsedRoute: ParsedRoute): ResponseFieldOrigin[] {
  const { response } = parsedRoute.route;
  if ('success' in response) return [];
  if ('value' in response) return originsAt(parsedRoute, response.as, response.value);
  if ('list' in response) {
    const cursor = originsAt(parsedRoute, 'cursor', `${response.list}.pageInfo.endCursor`);
    const note = 'Null unless `pageInfo.hasNextPage` is true.';
    return [
      ...originsAt(parsedRoute, 'items', `${response.list}.nodes`),
      ...cursor.map((origin) => ({ ...origin, note })),
    ];
  }
  const fallback = Object.entries(response.fallback ?? {}).flatMap(([name, at]) =>
    originsAt(parsedRoute, name, at).map((origin) => ({ ...origin, note: 'If there is no record.' })),
  );
  return [...originsAt(parsedRoute, '', response.at), ...fallback];
}

/** The field at a path of the data, and the fields below it. */
function originsAt(parsedRoute: ParsedRoute, rest: string, path: string): ResponseFieldOrigin[] {
  const selected = findSelectionAtPath(parsedRoute, path);
  return originsOf(parsedRoute, selected, rest, path);
}

function originsOf(
  parsedRoute: ParsedRoute,
  selected: SelectedField,
  rest: string,
  path: string,
): ResponseFieldOrigin[] {
  const { field, selections } = selected;
  const suffix = listSuffix(field.type);
  const below = objectTypesOf(getNamedType(field.type)).flatMap((type) =>
    parsedRoute.selection
      .fieldsOf(type, selections)
      .flatMap((inner) =>
        originsOf(parsedRoute, inner, joinPath(rest, suffix, inner.key), joinPath(path, suffix, inner.key)),
      ),
  );
  if (below.length > 0) return uniqueOrigins(below);
  return [
    {
      rest: rest + suffix,
      graphql: path + suffix,
      coordinate: schemaCoordinateOf(selected),
      type: String(field.type),
      ...(field.deprecationReason ? { deprecation: field.deprecationReason } : {}),
    },
  ];
}

const joinPath = (path: string, suffix: string, key: string) =>
  path === '' ? key : `${path}${suffix}.${key}`;

function listSuffix(type: GraphQLOutputType): string {
  const nullable = getNullableType(type);
  return isListType(nullable) ? `[]${listSuffix(nullable.ofType)}` : '';
}

const objectTypesOf = (type: GraphQLNamedType): readonly GraphQLObjectType[] =>
  isObjectType(type) ? [type] : isAbstractType(type) ? schema.getPossibleTypes(type) : [];

/** Types of a union may select the same field of an interface. */
const uniqueOrigins = (origins: readonly ResponseFieldOrigin[]): ResponseFieldOrigin[] => [
  ...new Map(origins.map((origin) => [`${origin.rest} ${origin.coordinate}`, origin])).values(),
];
