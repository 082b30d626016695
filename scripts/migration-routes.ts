/** Route table of the codemod in packages/migrate: the routes of the gateway, as data. */
import { getNullableType, isInputObjectType } from 'graphql';
import { routes } from '../src/generated/domains/routes.ts';
import { getDeclaredVariableTypes, type VariableTypes } from '../src/graphql/execute/coerce-variables.ts';
import { schema } from '../src/graphql/schema/schema.ts';
import { queryParamKindOf } from '../src/rest/query-params.ts';
import type { RestRoute } from '../src/rest/route.ts';
import { type ParsedRoute, parseRoute } from '../src/rest/route-with-parsed-operation.ts';
import { formatAccessPath } from '../src/rest/translation/format-access-path.ts';

interface OpenApiOperation {
  operationId: string;
  parameters?: { $ref?: string }[];
}

export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

const declarations = `/** Variable, or field of a variable, that a query parameter sets. */
export interface QueryParameter {
  variable: string;
  field?: string;
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'strings';
}

export interface MigrationRoute {
  method: string;
  /** In the notation of OpenAPI. */
  path: string;
  operationId: string;
  /** Name of the GraphQL operation. */
  operation: string;
  /** Whether clients send an idempotency key. */
  isKeyed: boolean;
  query: Readonly<Record<string, QueryParameter>>;
  /** Whether the body is the variable \`$input\`. */
  hasInput: boolean;
  /** Whether \`If-Match\` is the variable \`$version\`. */
  hasVersion: boolean;
  bodyFields: readonly string[];
  inputAliases: Readonly<Record<string, string>>;
  /** Fields of the body that are not part of \`$input\`. */
  otherFields: readonly string[];
  /** Paths are expressions, with \`?.\` after fields that may be null. */
  response:
    | { at: string; fallback?: Readonly<Record<string, string>> }
    | { list: string }
    | { value: string; as: string }
    | { success: true };
}
`;

function queryParameters({ query }: RestRoute, types: VariableTypes) {
  return Object.fromEntries(
    Object.entries(query).map(([name, variable]) => {
      const [variableName = '', field] = variable.split('.');
      const declared = types.find((type) => type.name === variableName)?.type;
      const input = getNullableType(declared);
      const type =
        field === undefined || !isInputObjectType(input) ? declared : input.getFields()[field]?.type;
      if (!type) throw new Error(`There is no variable $${variable}.`);
      return [name, { variable: variableName, ...(field ? { field } : {}), kind: queryParamKindOf(type) }];
    }),
  );
}

function responseOf(parsedRoute: ParsedRoute) {
  const { response } = parsedRoute.route;
  const access = (path: string) => formatAccessPath(parsedRoute, path);
  if ('success' in response) return response;
  if ('list' in response) return { list: access(response.list) };
  if ('value' in response) return { value: access(response.value), as: response.as };
  const fallback = Object.entries(response.fallback ?? {}).map(([name, path]) => [name, access(path)]);
  return {
    at: access(response.at),
    ...(fallback.length > 0 ? { fallback: Object.fromEntries(fallback) } : {}),
  };
}

export function printMigrationRoutes(paths: OpenApiPaths): string {
  const table = routes.map((route) => {
    const { method, bodyFields, inputAliases, ignoredFields } = route;
    const parsedRoute = parseRoute(schema, route);
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operation = paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`The contract has no ${method} ${path}.`);
    const types = getDeclaredVariableTypes(schema, parsedRoute.operation);
    const input = getNullableType(types.find(({ name }) => name === 'input')?.type);
    const inputFields = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    return {
      method,
      path,
      operationId: operation.operationId,
      operation: route.operation.name,
      isKeyed: operation.parameters?.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key')) ?? false,
      query: queryParameters(route, types),
      hasInput: input !== undefined && input !== null,
      hasVersion: types.some(({ name }) => name === 'version'),
      bodyFields,
      inputAliases,
      otherFields: [...ignoredFields, ...bodyFields.filter((field) => !inputFields.includes(field))],
      response: responseOf(parsedRoute),
    };
  });
  const rows = table.map((row) => `  ${JSON.stringify(row)},\n`).join('');
  return `${declarations}\nexport const routes: readonly MigrationRoute[] = [\n${rows}];\n`;
}
