/** A row of the REST table asked in either voice, with the answer told in the same words. */
import { getOperationAST, parse } from 'graphql';
import { AppError, type ErrorCode, type ErrorDetail, httpStatus } from '../../src/errors.ts';
import {
  coerceVariables,
  declaredVariableTypes,
  type VariableTypes,
} from '../../src/graphql/execute/coerce-variables.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { type CompiledRoute, compileRouteMapping } from '../../src/rest/compile-route.ts';
import { dropNulls, errorBody } from '../../src/rest/json-body.ts';
import type { RestRoute } from '../../src/rest/route.ts';
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
  row: RestRoute,
  asked: RouteInput,
  as: Person | undefined,
  headers?: Record<string, string>,
) => Promise<RouteResponse>;

export const callInRest: RouteCaller = async (t, row, asked, as, headers = {}) => {
  const withBody = row.method === 'POST' || row.method === 'PUT';
  const { status, body } = await t.rest<unknown>(row.method, addressOf(row, asked), {
    as,
    // Some addresses show browsers a page.
    headers: { accept: 'application/json', 'x-request-id': 'voices', ...headers },
    ...(withBody ? { body: asked.body ?? {} } : {}),
  });
  return { status, body };
};

/** As a GraphQL client makes the request: fields that an input does not have are not sent. */
export const callInGraphql: RouteCaller = async (t, row, asked, as, headers = {}) => {
  const { compiled } = readyRow(row);
  const { variables } = variablesFor(row, asked);
  const answer = await t.graphql(row.operation.source, variables, {
    as,
    headers: { 'x-request-id': 'voices', ...headers },
  });
  const [error] = answer.errors;
  const code = error?.extensions.code as ErrorCode;
  const shown = error
    ? failure(code, error.message, error.extensions.details as ErrorDetail[])
    : compiled.responseBody(answer.data);
  dropNulls(shown);
  if (shown === null || shown === undefined)
    return { status: 404, body: failure('NOT_FOUND', `${row.recordName} not found.`, []) };
  return { status: error ? httpStatus[code] : 200, body: shown };
};

/** Whether every value is of the type of its variable: only then can clients of both voices send the same. */
export const hasValidVariableTypes = (row: RestRoute, asked: RouteInput): boolean =>
  variablesFor(row, asked).issues.length === 0;

function variablesFor(row: RestRoute, { path = {}, query = {}, body = {} }: RouteInput) {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, path[name] ?? '']);
  const { compiled, types } = readyRow(row);
  const raw = compiled.variables({
    path: Object.fromEntries(names),
    query: searchOf(query),
    body,
    ifMatch: undefined,
  });
  return coerceVariables(types, raw, { strict: false });
}

const ready = new Map<RestRoute, { compiled: CompiledRoute; types: VariableTypes }>();

function readyRow(row: RestRoute): { compiled: CompiledRoute; types: VariableTypes } {
  const known = ready.get(row);
  if (known) return known;
  const operation = getOperationAST(parse(row.operation.source), row.operation.name);
  if (!operation) throw new Error(`No operation ${row.operation.name}.`);
  const types = declaredVariableTypes(schema, operation);
  const made = { compiled: compileRouteMapping(row, types), types };
  ready.set(row, made);
  return made;
}

function addressOf(row: RestRoute, { path = {}, query = {} }: RouteInput): string {
  const filled = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = searchOf(query);
  return search === '' ? filled : `${filled}?${search}`;
}

const searchOf = (query: NonNullable<RouteInput['query']>) =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

const failure = (code: ErrorCode, message: string, details: ErrorDetail[]) =>
  errorBody(new AppError(code, message, { details }), 'voices');
