/** Calls a REST route in either protocol and returns the response in the format of REST. */
import { getOperationAST, parse } from 'graphql';
import { AppError, type ErrorCode, type ErrorDetail, httpStatusByErrorCode } from '../../src/errors.ts';
import {
  coerceVariables,
  getDeclaredVariableTypes,
  lenientCoercionRules,
  type VariableTypes,
} from '../../src/graphql/execute/coerce-variables.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { acceptsBody } from '../../src/http-message.ts';
import { shellQuote } from '../../src/lib/text/code-literals.ts';
import { type CompiledRouteMapping, compileRouteMapping } from '../../src/rest/compile-route.ts';
import { toRestErrorBody } from '../../src/rest/error-response.ts';
import { removeNullsInPlace } from '../../src/rest/json-body.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { parseCurlCommands } from '../../src/rest/translation/parse-curl.ts';
import { translateRequest } from '../../src/rest/translation/translate-request.ts';
import type { Person, TestApp } from './test-app.ts';

export interface RouteInput {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

export interface RouteResponse {
  status: number;
  body: unknown;
}

export type RouteCaller = (
  t: TestApp,
  route: RestRoute,
  input: RouteInput,
  as: Person | undefined,
  headers?: Record<string, string>,
) => Promise<RouteResponse>;

export const callInRest: RouteCaller = async (t, route, input, as, headers = {}) => {
  const withBody = acceptsBody(route.method);
  const { status, body } = await t.rest<unknown>(route.method, urlOf(route, input), {
    as,
    // Some routes answer browsers with HTML.
    headers: { accept: 'application/json', 'x-request-id': 'protocols', ...headers },
    ...(withBody ? { body: input.body ?? {} } : {}),
  });
  return { status, body };
};

/**
 * Sends the stored operation of the route with the variables that the REST engine would pass. Omits unset fields of inputs, like a GraphQL
 * client.
 */
export const callInGraphql: RouteCaller = async (t, route, input, as, headers = {}) => {
  const { compiled } = compiledRouteOf(route);
  const { variables } = variablesFor(route, input);
  const response = await t.graphql(route.operation.source, variables, {
    as,
    headers: { 'x-request-id': 'protocols', ...headers },
  });
  const [error] = response.errors;
  const code = error?.extensions.code as ErrorCode;
  const body = error
    ? restErrorBody(code, error.message, error.extensions.details as ErrorDetail[])
    : compiled.responseBody(response.data);
  removeNullsInPlace(body);
  if (body === null || body === undefined)
    return { status: 404, body: restErrorBody('NOT_FOUND', `${route.recordName} not found.`, []) };
  return { status: error ? httpStatusByErrorCode[code] : 200, body };
};

/**
 * Sends the request as the page `/migrate` translates it: printed as a curl command, parsed, translated to GraphQL, and its data mapped
 * back to the response of REST.
 */
export const callTranslated: RouteCaller = async (t, route, input, as, headers = {}) => {
  const [parsed] = parseCurlCommands(curlCommand(route, input));
  if (!parsed || 'error' in parsed) throw new Error(parsed?.error);
  const translated = translateRequest(parsed.request);
  if (translated?.parsedRoute.route.operation.name !== route.operation.name)
    throw new Error(`${route.method} ${route.path} is translated to another operation.`);
  const { data, errors } = await t.graphql(translated.document, translated.variables, {
    as,
    headers: { 'x-request-id': 'protocols', ...headers },
  });
  const [error] = errors;
  if (error) {
    const code = error.extensions.code as ErrorCode;
    const details = error.extensions.details as ErrorDetail[];
    return { status: httpStatusByErrorCode[code], body: restErrorBody(code, error.message, details) };
  }
  const body = translated.toRestBody(data);
  return body === undefined
    ? { status: 404, body: restErrorBody('NOT_FOUND', `${route.recordName} not found.`, []) }
    : { status: 200, body };
};

/** The request as a curl command. */
export const curlCommand = (route: RestRoute, input: RouteInput): string =>
  [
    `curl -X ${route.method} "$DUET_URL"${shellQuote(urlOf(route, input))}`,
    ...(acceptsBody(route.method)
      ? [`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(input.body ?? {}))}`]
      : []),
  ].join(' \\\n  ');

/** Whether every value has the type of its variable. Only then can both protocols send the same request. */
export const hasValidVariableTypes = (route: RestRoute, input: RouteInput): boolean =>
  variablesFor(route, input).issues.length === 0;

/** Variables of the stored operation of a route. */
export const routeVariables = (route: RestRoute, input: RouteInput): Record<string, unknown> =>
  variablesFor(route, input).variables;

function variablesFor(route: RestRoute, { path = {}, query = {}, body = {} }: RouteInput) {
  const pathValues = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, path[name] ?? '']);
  const { compiled, types } = compiledRouteOf(route);
  const rawVariables = compiled.variables({
    path: Object.fromEntries(pathValues),
    query: queryString(query),
    body,
    ifMatch: undefined,
  });
  return coerceVariables(types, rawVariables, lenientCoercionRules);
}

const compiledRoutes = new Map<RestRoute, { compiled: CompiledRouteMapping; types: VariableTypes }>();

function compiledRouteOf(route: RestRoute): { compiled: CompiledRouteMapping; types: VariableTypes } {
  const cached = compiledRoutes.get(route);
  if (cached) return cached;
  const operation = getOperationAST(parse(route.operation.source), route.operation.name);
  if (!operation) throw new Error(`No operation ${route.operation.name}.`);
  const types = getDeclaredVariableTypes(schema, operation);
  const entry = { compiled: compileRouteMapping(route, types), types };
  compiledRoutes.set(route, entry);
  return entry;
}

function urlOf(route: RestRoute, { path = {}, query = {} }: RouteInput): string {
  const filledPath = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = queryString(query);
  return search === '' ? filledPath : `${filledPath}?${search}`;
}

const queryString = (query: NonNullable<RouteInput['query']>) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

const restErrorBody = (code: ErrorCode, message: string, details: ErrorDetail[]) =>
  toRestErrorBody(new AppError(code, message, { details }), 'protocols');
