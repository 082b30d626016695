/** Translates a REST request to the GraphQL operation that its route runs, and the data of that operation to the REST response. */
import { AppError, type ErrorDetail } from '../../errors.ts';
import { routes } from '../../generated/domains/routes.ts';
import {
  coerceVariables,
  getDeclaredVariableTypes,
  lenientCoercionRules,
  strictCoercionRules,
} from '../../graphql/execute/coerce-variables.ts';
import { schema } from '../../graphql/schema/schema.ts';
import { acceptsBody } from '../../http-message.ts';
import { sha256Hex } from '../../lib/hash-encrypt-and-random-tokens.ts';
import { findJsonRecordProblem } from '../../lib/json/json-limits.ts';
import { createApiVersionAdapters } from '../api-versions.ts';
import { compileRouteMapping } from '../compile-route.ts';
import { removeNullsInPlace } from '../json-body.ts';
import type { RestRoute } from '../route.ts';
import { createRouteMatcher } from '../route-matcher.ts';
import { type ParsedRoute, parseRoute } from '../route-with-parsed-operation.ts';
import { narrowOperationToFields, parseFieldsParam, responseRecordPathOf } from '../sparse-fields.ts';
import { takeNumericShellVariables } from './shell-variables.ts';
import { getStoredDocumentText } from './stored-document-text.ts';

/** A REST request as text: from curl, a HAR file, an access log or a form. */
export interface RestRequest {
  method: string;
  /** Path with query. */
  path: string;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON body; an empty object if there is none. */
  body: Readonly<Record<string, unknown>>;
}

export interface TranslatedRequest {
  /** The route, parsed with the operation that is sent. */
  parsedRoute: ParsedRoute;
  /** Document to send: the stored operation, or the operation narrowed to `?fields=`. */
  document: string;
  /** SHA-256 of a stored operation, which clients may send instead of the text; undefined for a narrowed one. */
  documentId: string | undefined;
  variables: Record<string, unknown>;
  /** Names of numeric variables whose value is a shell variable. */
  numericShellVariables: readonly string[];
  /** Headers that the GraphQL request needs, too. */
  headers: Record<string, string>;
  /** Errors for which REST rejects the request. */
  errors: readonly ErrorDetail[];
  /** Fields of the body that REST ignores. */
  ignoredFields: readonly string[];
  /** REST response body for the data of the operation; undefined: REST responds 404. */
  toRestBody(data: unknown): unknown;
}

/** Both protocols read these headers. `If-Match` becomes a variable, and `X-Duet-Version` applies to REST alone. */
const commonHeaders = [
  'authorization',
  'x-api-key',
  'idempotency-key',
  'x-client-name',
  'x-consistency-token',
];

const matcher = createRouteMatcher(routes);
const versionAdapters = createApiVersionAdapters();

/** Undefined: no route matches the method and path. */
export function translateRequest(request: RestRequest): TranslatedRequest | undefined {
  const [pathname = '', query = ''] = request.path.split(/\?(.*)/s);
  const match = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, pathname);
  if (!match || !('route' in match)) return undefined;
  const { route, path } = match;
  const adapter = versionAdapters.orDefault({ header: (name) => request.headers[name] });
  const routeName = `${route.method} ${route.path}`;
  const body = acceptsBody(route.method) ? request.body : {};
  const upgraded = adapter.upgradeRequest({ query, body }, routeName);
  const narrowed = narrowRoute(route, upgraded.query);
  const executedRoute = narrowed.route;
  const parsedRoute = parseRoute(schema, executedRoute);
  const types = getDeclaredVariableTypes(schema, parsedRoute.operation);
  const mapping = compileRouteMapping(executedRoute, types);
  const values = mapping.variables({ path, ...upgraded, ifMatch: request.headers['if-match'] });
  const shellVariables = takeNumericShellVariables(values, types, request.headers['if-match']);
  const problem = findJsonRecordProblem(values, { valueCount: 0 });
  if (problem !== undefined) throw new AppError('BAD_REQUEST', problem);
  const rules = adapter.isStrict ? strictCoercionRules : lenientCoercionRules;
  const { variables, issues, ignoredFields } = coerceVariables(types, values, rules);
  const unknownFields = mapping.unknownFields(upgraded);
  const stored = executedRoute === route ? getStoredDocumentText(route.operation.name) : undefined;
  return {
    parsedRoute,
    document: stored ?? executedRoute.operation.source,
    documentId: stored === undefined ? undefined : sha256Hex(stored),
    variables: { ...withoutUndefined(issues.length > 0 ? values : variables), ...shellVariables },
    numericShellVariables: Object.keys(shellVariables),
    headers: Object.fromEntries(
      commonHeaders.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : [])),
    ),
    errors: [...issues, ...narrowed.errors, ...(adapter.isStrict ? unknownFields : [])],
    ignoredFields: [...ignoredFields, ...(adapter.isStrict ? [] : unknownFields.map(({ field }) => field))],
    toRestBody(data) {
      const restBody = data ? mapping.responseBody(structuredClone(data)) : undefined;
      if (typeof restBody !== 'object' || restBody === null) return undefined;
      removeNullsInPlace(restBody);
      const json = JSON.parse(JSON.stringify(restBody)) as Record<string, unknown>;
      return adapter.downgradeResponse?.(json, routeName) ?? json;
    },
  };
}

/** The route with its operation narrowed to `?fields=`, or the errors of that parameter. */
function narrowRoute(route: RestRoute, query: string): { route: RestRoute; errors: readonly ErrorDetail[] } {
  const path = responseRecordPathOf(route);
  const fields = path ? parseFieldsParam(query) : '';
  if (!path || fields === '') return { route, errors: [] };
  const source = narrowOperationToFields(route, path, fields);
  if (typeof source !== 'string') return { route, errors: source };
  return { route: { ...route, operation: { ...route.operation, source: `${source}\n` } }, errors: [] };
}

const withoutUndefined = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
