/** Runs rows: path and body become the variables of a stored operation, its data becomes the answer. */

import type { Context } from '../context.ts';
import { AppError, notFoundError } from '../errors.ts';
import type { Variables } from '../graphql/execute/coerce-variables.ts';
import type { Executor } from '../graphql/execute/executor.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document.ts';
import { coerceVariablesOnce, createRequestMemo } from '../graphql/fast/request-memo.ts';
import { type HttpRequest, type HttpResponse, jsonContentType } from '../http-message.ts';
import type { RenderedBody } from '../lib/cache/record-cache.ts';
import { stringifyResponse } from '../lib/json/response-json.ts';
import { VersionConflictError } from '../lib/optimistic-locking.ts';
import { fieldUsage } from '../ports/usage.ts';
import { createVersionAdapters, type VersionAdapter } from './api-versions.ts';
import { createCompiledRoutes } from './compiled-routes.ts';
import { errorResponse } from './error-response.ts';
import { etagOf, ifMatchVersions, ifNoneMatchIncludes } from './etag.ts';
import { dropNulls, readJsonObject } from './json-body.ts';
import { deprecationHeaders, nextLink } from './response-headers.ts';
import type { RestRoute } from './route.ts';
import { createRouteMatcher } from './route-matcher.ts';
import { parseFieldsParam } from './sparse-fields.ts';

export interface RestResult {
  response: HttpResponse;
  /** For the log: the row's path, or nothing when there is no such row. */
  route: string | undefined;
  /** The code of the error, if it is one. */
  code?: string;
}

export interface RestEngine {
  handle(request: HttpRequest, createContext: () => Promise<Context>, base: Reporting): Promise<RestResult>;
}

type Reporting = Parameters<typeof toAppError>[1];

export function createRestEngine(executor: Executor, rows: readonly RestRoute[]): RestEngine {
  const matcher = createRouteMatcher(rows);
  const ready = createCompiledRoutes(executor);
  const distanceTo = createVersionAdapters();
  const questions = createRequestMemo<Variables>((sent) => sent);

  async function answer(
    request: HttpRequest,
    row: RestRoute,
    path: Record<string, string>,
    ctx: Context,
    { upgradeRequest: up, downgradeResponse: down }: VersionAdapter,
  ): Promise<HttpResponse> {
    const whole = ready.full(row);
    const name = nameOf(row);
    const businessesOf = () => whole.operation.businessIds(path);
    ctx.usage.record(ctx, whole.usage, businessesOf);
    const hasBody = row.method === 'POST' || row.method === 'PUT';
    const { query, body: given } = up(
      { query: request.query, body: hasBody ? await readJsonObject(request) : {} },
      name,
    );
    const ifMatch = request.header('if-match');
    const asked = row.method === 'GET' && ifMatch === undefined ? `${request.path}?${query}` : undefined;
    const known = asked === undefined ? undefined : questions.find(asked);
    const sent = known ?? whole.compiled.variables({ path, query, body: given, ifMatch });
    const fields = row.method === 'GET' ? parseFieldsParam(query) : '';
    const { part, faults } = ready.withFields(row, fields, ctx.request.address);
    const outdated = [...whole.operation.deprecatedUses(sent), ...part.deprecatedFields];
    for (const coordinate of outdated) ctx.usage.record(ctx, fieldUsage(coordinate), businessesOf);
    if (outdated.length > 0) Object.assign(ctx.request.responseHeaders, deprecationHeaders(outdated));
    const { variables, issues } = coerceVariablesOnce(whole.operation.variableTypes, sent, { strict: false });
    if (issues.length > 0 || faults.length > 0)
      return whole.operation.rejectInvalid(variables, [...issues, ...faults], ctx);
    const others = ifMatchVersions(ifMatch).slice(1);
    // Texts that were made before are those of the newest wire.
    const text = row.method === 'GET' && !down ? await part.readPrerendered(variables, ctx) : undefined;
    if (text && asked !== undefined && !known) questions.store(asked, sent);
    if (text) return show(request, row.method, part.hasEtag ? text : { ...text, etag: undefined });
    const body =
      text === null ? null : part.compiled.responseBody(await run(part.operation, variables, ctx, others));
    if (typeof body !== 'object' || body === null) throw notFoundError(row.missing);
    dropNulls(body);
    return showBody(request, row.method, down ? down(wireOf(body), name) : body, part.hasEtag);
  }

  return {
    async handle(request, createContext, reporting) {
      const found = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.path);
      const route = found && 'route' in found ? nameOf(found.route) : undefined;
      let distance: VersionAdapter | undefined;
      try {
        distance = distanceTo(request);
        if (!found) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
        if (!('route' in found)) return { route, response: otherMethod(request.method, found.allow) };
        const ctx = await createContext();
        return { route, response: await answer(request, found.route, found.path, ctx, distance) };
      } catch (error) {
        const shown = toAppError(error, reporting);
        const response = errorResponse(shown, request, reporting.request.requestId);
        return { route, response: distance?.downgradeError(response) ?? response, code: shown.code };
      }
    },
  };
}

/** A change names one version; if the current one is another that the caller would accept, it is asked for once more, from that. */
async function run(
  operation: PreparedOperation,
  variables: Variables,
  ctx: Context,
  others: readonly number[],
): Promise<unknown> {
  const result = await operation.run(variables, ctx);
  const error = result.errors?.[0];
  if (!error) return result.data;
  const { originalError } = error;
  if (!(originalError instanceof VersionConflictError) || !others.includes(originalError.current))
    throw error;
  const version = originalError.current;
  return run(
    operation,
    { ...variables, version },
    ctx,
    others.filter((other) => other !== version),
  );
}

const nameOf = ({ method, path }: RestRoute) => `${method} ${path}`;

/** Pieces that were made before are text in there. */
const wireOf = (body: object): Record<string, unknown> => JSON.parse(stringifyResponse(body));

/** Single reads and changes carry an ETag; lists, which have no version, do not. */
function showBody(
  request: HttpRequest,
  method: RestRoute['method'],
  body: object,
  isTagged: boolean,
): HttpResponse {
  const text = stringifyResponse(body);
  if ('items' in body)
    return show(request, method, { bytes: text, cursor: (body as { cursor?: string }).cursor });
  return show(request, method, { bytes: text, etag: isTagged ? etagOf(body, text) : undefined });
}

interface Shown {
  bytes: string | RenderedBody['bytes'];
  etag?: string | undefined;
  /** Where the next page of a list begins. */
  cursor?: string | null | undefined;
}

/** What is read depends on who asks, and may be kept by them as long as they ask whether it is still so. */
const forReader = (): Record<string, string> => ({
  'cache-control': 'private, no-cache',
  vary: 'Authorization, X-API-Key, X-Duet-Version, Accept, Accept-Encoding',
});
const forWriter = (): Record<string, string> => ({ 'cache-control': 'no-store' });

function show(
  request: HttpRequest,
  method: RestRoute['method'],
  { bytes, etag, cursor }: Shown,
): HttpResponse {
  const headers = method === 'GET' ? forReader() : forWriter();
  if (cursor) headers.link = nextLink(request, cursor);
  if (etag !== undefined) {
    headers.etag = etag;
    const known = request.method === 'GET' ? request.header('if-none-match') : undefined;
    if (known !== undefined && ifNoneMatchIncludes(known, etag)) return { status: 304, headers, body: null };
  }
  headers['content-type'] = jsonContentType;
  return { status: 200, headers, body: bytes };
}

/** Whoever asks for the methods of a path is told; whoever uses one that it does not have, too. */
const otherMethod = (method: string, allow: readonly string[]): HttpResponse => {
  const allowed = [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed }, body: null };
  throw new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${allowed}.`, {
    headers: { allow: allowed },
  });
};
