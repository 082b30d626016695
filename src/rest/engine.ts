/** Runs rows: path and body become the variables of a stored operation, its data becomes the answer. */

import type { Context } from '../context.ts';
import { AppError, httpStatus, notFound } from '../errors.ts';
import { coerceVariables, type Variables } from '../graphql/coerce.ts';
import type { Operation } from '../graphql/executable.ts';
import type { Executor } from '../graphql/executor.ts';
import { toAppError } from '../graphql/masking.ts';
import { type HttpRequest, type HttpResponse, json, jsonType } from '../message.ts';
import { dropNulls, errorBody, readJsonObject } from './body.ts';
import { type CompiledRow, compileRow } from './compile.ts';
import { etagOf, noneMatches } from './etag.ts';
import { createMatcher } from './match.ts';
import type { Row } from './row.ts';
import { createTextReader, type TextReader } from './texts.ts';

export interface RestAnswer {
  response: HttpResponse;
  /** For the log: the row's path, or nothing when there is no such row. */
  route: string | undefined;
  /** The code of the error, if it is one. */
  code?: string;
}

export interface Rest {
  handle(request: HttpRequest, createContext: () => Promise<Context>, base: Reporting): Promise<RestAnswer>;
}

type Reporting = Parameters<typeof toAppError>[1];

export function createRest(executor: Executor, rows: readonly Row[]): Rest {
  const matcher = createMatcher(rows);
  // Compiled on first use: starting up should not wait for rows that nobody calls.
  const ready = new Map<Row, ReadyRow>();

  function readyRow(row: Row): ReadyRow {
    let known = ready.get(row);
    if (!known) {
      known = makeReady(executor, row);
      ready.set(row, known);
    }
    return known;
  }

  async function answer(
    request: HttpRequest,
    row: Row,
    path: Record<string, string>,
    ctx: Context,
  ): Promise<HttpResponse> {
    const { operation, compiled, readText } = readyRow(row);
    const sent = compiled.variables({
      path,
      query: request.query,
      body: row.method === 'POST' || row.method === 'PUT' ? await readJsonObject(request) : {},
      ifMatch: request.header('if-match'),
    });
    const { variables, issues } = coerceVariables(operation.variableTypes, sent, { strict: false });
    if (issues.length > 0) return operation.refuse(variables, issues, ctx);
    const text = row.method === 'GET' ? await readText(variables, ctx) : undefined;
    if (text) return show(request, text.bytes, text.etag);
    const body = text === null ? null : compiled.answer(await run(operation, variables, ctx));
    if (typeof body !== 'object' || body === null) throw notFound(row.missing);
    return showBody(request, body);
  }

  return {
    async handle(request, createContext, reporting) {
      const found = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.path);
      const route = found && 'row' in found ? `${found.row.method} ${found.row.path}` : undefined;
      try {
        if (!found) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
        if (!('row' in found)) throw methodNotAllowed(request.method, found.allow);
        const ctx = await createContext();
        return { route, response: await answer(request, found.row, found.path, ctx) };
      } catch (error) {
        const shown = toAppError(error, reporting);
        return { route, response: showError(shown, reporting.request.requestId), code: shown.code };
      }
    },
  };
}

interface ReadyRow {
  operation: Operation;
  compiled: CompiledRow;
  readText: TextReader;
}

function makeReady(executor: Executor, row: Row): ReadyRow {
  const prepared = executor.prepare(row.operation.source);
  const operation = prepared.operation(row.operation.name);
  if (!operation) throw new Error(`${row.method} ${row.path}: ${prepared.errors.map(String).join('; ')}`);
  return {
    operation,
    compiled: compileRow(row, operation.variableTypes),
    readText: createTextReader(operation, row.answer),
  };
}

async function run(operation: Operation, variables: Variables, ctx: Context): Promise<unknown> {
  const result = await operation.run(variables, ctx);
  if (result.errors?.[0]) throw result.errors[0];
  return result.data;
}

/** Single reads and changes carry an ETag; lists, which have no version, do not. */
function showBody(request: HttpRequest, body: object): HttpResponse {
  dropNulls(body);
  const text = JSON.stringify(body);
  return show(request, text, 'items' in body ? undefined : etagOf(body, text));
}

function show(request: HttpRequest, body: string | Uint8Array, etag: string | undefined): HttpResponse {
  if (etag === undefined) return { status: 200, headers: { 'content-type': jsonType }, body };
  const known = request.header('if-none-match');
  if (request.method === 'GET' && known !== undefined && noneMatches(known, etag))
    return { status: 304, headers: { etag }, body: null };
  return { status: 200, headers: { 'content-type': jsonType, etag }, body };
}

export function showError(error: AppError, requestId: string): HttpResponse {
  const challenge: Record<string, string> =
    error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {};
  return json(httpStatus[error.code], errorBody(error, requestId), { ...challenge, ...error.headers });
}

const methodNotAllowed = (method: string, allow: readonly string[]) => {
  const allowed = [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${allowed}.`, {
    headers: { allow: allowed },
  });
};
