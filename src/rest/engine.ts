/** REST engine: turns path, query and body into the variables of a stored operation, and its data into the response. */
import type { Context } from '../context.ts';
import { AppError, type ErrorDetail, notFoundError } from '../errors.ts';
import { lenientRestRules, restRules, type Variables } from '../graphql/execute/coerce-variables.ts';
import { coerceVariablesOnce } from '../graphql/execute/coerce-variables-once.ts';
import type { Executor } from '../graphql/execute/executor.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document.ts';
import { createParsedRequestCache } from '../graphql/fast/index.ts';
import { acceptsBody, type HttpRequest, type HttpResponse, jsonContentType } from '../http-message.ts';
import type { RenderedBody } from '../lib/cache/record-cache.ts';
import { stringifyResponse } from '../lib/json/response-size.ts';
import { VersionConflictError } from '../lib/optimistic-locking.ts';
import { maxPageSize } from '../lib/paging.ts';
import { buildFieldUsageSubject } from '../ports/usage.ts';
import { type ApiVersionAdapter, createApiVersionAdapters } from './api-versions.ts';
import { createCompiledRouteCache } from './compiled-route-cache.ts';
import { createRestErrorResponse } from './error-response.ts';
import { etagOf, ifNoneMatchIncludes, parseIfMatchVersions } from './etag.ts';
import { readJsonBody, removeNullsInPlace } from './json-body.ts';
import {
  buildDeprecationHeaders,
  buildNextPageLinkHeader,
  createLocationLookup,
  listIgnored,
} from './response-headers.ts';
import type { RestRoute } from './route.ts';
import { createRouteMatcher } from './route-matcher.ts';
import { parseFieldsParam } from './sparse-fields.ts';

export interface RestResult {
  response: HttpResponse;
  /** Method and path pattern of the route, for logs and metrics; undefined if no route matches. */
  route: string | undefined;
  /** Error code, if the response is an error. */
  code?: string;
}

export interface RestEngine {
  handle(
    request: HttpRequest,
    createContext: () => Promise<Context>,
    errorLog: ErrorLog,
  ): Promise<RestResult>;
}

type ErrorLog = Parameters<typeof toAppError>[1];

export function createRestEngine(executor: Executor, routes: readonly RestRoute[]): RestEngine {
  const matcher = createRouteMatcher(routes);
  const compiledRoutes = createCompiledRouteCache(executor);
  const versionAdapters = createApiVersionAdapters();
  const locationOf = createLocationLookup(routes);
  const memo = executor.compiler && createParsedRequestCache<Variables>((variables) => variables);

  async function runRoute(
    request: HttpRequest,
    route: RestRoute,
    path: Record<string, string>,
    ctx: Context,
    { upgradeRequest, downgradeResponse, isStrict }: ApiVersionAdapter,
  ): Promise<HttpResponse> {
    const full = compiledRoutes.full(route);
    const name = nameOf(route);
    const businessIds = () => full.operation.businessIds(path);
    ctx.usage.record(ctx, full.usage, businessIds);
    ctx.request.observed.operation = full.operation;
    ctx.request.observed.variables = path;
    const { query, body: requestBody } = upgradeRequest(
      { query: request.query, body: acceptsBody(route.method) ? await readJsonBody(request) : {} },
      name,
    );
    const ifMatch = request.header('if-match');
    const isRead = route.method === 'GET';
    const memoKey = isRead && ifMatch === undefined ? `${request.path}?${query}` : undefined;
    const memoized = memoKey === undefined ? undefined : memo?.find(memoKey);
    const values = memoized ?? full.compiled.variables({ path, query, body: requestBody, ifMatch });
    const fields = isRead ? parseFieldsParam(query) : '';
    const { executable, errors } = compiledRoutes.withFields(route, fields, ctx.request.address);
    const deprecatedUses = [...full.operation.deprecatedUses(values), ...executable.deprecatedFields];
    for (const coordinate of deprecatedUses)
      ctx.usage.record(ctx, buildFieldUsageSubject(coordinate), businessIds);
    if (deprecatedUses.length > 0)
      Object.assign(ctx.request.responseHeaders, buildDeprecationHeaders(deprecatedUses));
    const rules = isStrict ? restRules : lenientRestRules;
    const coerced = coerceVariablesOnce(full.operation.variableTypes, values, rules);
    const { variables } = coerced;
    const unknown = full.compiled.unknownFields(requestBody);
    const ignoredFields = [...coerced.ignoredFields, ...(isStrict ? [] : unknown.map(({ field }) => field))];
    if (ignoredFields.length > 0)
      ctx.request.responseHeaders['x-ignored-fields'] = listIgnored(ignoredFields);
    const issues = [
      ...coerced.issues,
      ...errors,
      ...(isStrict ? [...unknown, ...pageSizeErrors(values[route.query.limit ?? ''])] : []),
    ];
    if (issues.length > 0) return full.operation.rejectInvalid(variables, issues, ctx);
    const otherVersions = parseIfMatchVersions(ifMatch).slice(1);
    // Cached JSON has the format of the newest API version.
    const rendered =
      isRead && !downgradeResponse ? await executable.readPrerendered(variables, ctx) : undefined;
    if (rendered && memoKey !== undefined && !memoized) memo?.store(memoKey, values);
    if (rendered) executable.operation.recordPublicRead(variables, ctx);
    if (rendered)
      return createResponse(
        request,
        route.method,
        executable.hasEtag ? rendered : { ...rendered, etag: undefined },
      );
    const run = () => runOperation(executable.operation, variables, ctx, otherVersions);
    const body = rendered === null ? null : executable.compiled.responseBody(await run());
    if (typeof body !== 'object' || body === null) throw notFoundError(route.recordName);
    executable.operation.recordPublicRead(variables, ctx);
    removeNullsInPlace(body);
    const versionedBody = downgradeResponse ? downgradeResponse(toPlainJson(body), name) : body;
    const response = renderBody(request, route.method, versionedBody, executable.hasEtag);
    return isStrict && route.creates
      ? toCreated(response, locationOf(route, { ...path, ...body }))
      : response;
  }

  return {
    async handle(request, createContext, errorLog) {
      const match = matcher.match(request.method === 'HEAD' ? 'GET' : request.method, request.path);
      const route = match && 'route' in match ? nameOf(match.route) : undefined;
      try {
        const adapter = versionAdapters.of(request);
        if (!match) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
        if (!('route' in match)) return { route, response: otherMethodResponse(request.method, match.allow) };
        const ctx = await createContext();
        return { route, response: await runRoute(request, match.route, match.path, ctx, adapter) };
      } catch (error) {
        const appError = toAppError(error, errorLog);
        const response = createRestErrorResponse(appError, request, errorLog.request.requestId);
        return { route, response, code: appError.code };
      }
    },
  };
}

/** Runs with the first version of `If-Match`. If the record has another version that the header lists, retries once with that version. */
async function runOperation(
  operation: PreparedOperation,
  variables: Variables,
  ctx: Context,
  otherVersions: readonly number[],
): Promise<unknown> {
  const result = await operation.run(variables, ctx);
  const error = result.errors?.[0];
  if (!error) return result.data;
  const { originalError } = error;
  if (!(originalError instanceof VersionConflictError) || !otherVersions.includes(originalError.current))
    throw error;
  const version = originalError.current;
  return runOperation(
    operation,
    { ...variables, version },
    ctx,
    otherVersions.filter((other) => other !== version),
  );
}

const nameOf = ({ method, path }: RestRoute) => `${method} ${path}`;

/** Plain JSON: the body may contain objects with pre-rendered JSON. */
const toPlainJson = (body: object): Record<string, unknown> => JSON.parse(stringifyResponse(body));

/** Responses with one record have an ETag; lists have no version and no ETag. */
function renderBody(
  request: HttpRequest,
  method: RestRoute['method'],
  body: object,
  hasEtag: boolean,
): HttpResponse {
  const json = stringifyResponse(body);
  if ('items' in body)
    return createResponse(request, method, { bytes: json, cursor: (body as { cursor?: string }).cursor });
  return createResponse(request, method, { bytes: json, etag: hasEtag ? etagOf(body, json) : undefined });
}

interface RenderedResponse {
  bytes: string | RenderedBody['bytes'];
  etag?: string | undefined;
  /** Cursor of the next page of a list. */
  cursor?: string | null | undefined;
}

/** Responses depend on the viewer; clients may cache them, but have to revalidate. */
const readHeaders = (): Record<string, string> => ({
  'cache-control': 'private, no-cache',
  vary: 'Authorization, X-API-Key, X-Duet-Version, Accept, Accept-Encoding',
});
const writeHeaders = (): Record<string, string> => ({ 'cache-control': 'no-store' });

function createResponse(
  request: HttpRequest,
  method: RestRoute['method'],
  { bytes, etag, cursor }: RenderedResponse,
): HttpResponse {
  const headers = method === 'GET' ? readHeaders() : writeHeaders();
  if (cursor) headers.link = buildNextPageLinkHeader(request, cursor);
  if (etag !== undefined) {
    headers.etag = etag;
    const ifNoneMatch = request.method === 'GET' ? request.header('if-none-match') : undefined;
    if (ifNoneMatch !== undefined && ifNoneMatchIncludes(ifNoneMatch, etag))
      return { status: 304, headers, body: null };
  }
  headers['content-type'] = jsonContentType;
  return { status: 200, headers, body: bytes };
}

const toCreated = (response: HttpResponse, location: string | undefined): HttpResponse => ({
  ...response,
  status: 201,
  headers: location === undefined ? response.headers : { ...response.headers, location },
});

/** A `limit` above the maximum is an error in strict API versions; other values are validated by the operation. */
const pageSizeErrors = (size: unknown): ErrorDetail[] =>
  typeof size === 'number' && size > maxPageSize
    ? [{ field: 'limit', error: 'TOO_BIG', message: `Must be at most ${maxPageSize}.` }]
    : [];

/** `Allow` for OPTIONS; METHOD_NOT_ALLOWED for methods that the path does not support. */
const otherMethodResponse = (method: string, allow: readonly string[]): HttpResponse => {
  const allowed = [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed }, body: null };
  throw new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${allowed}.`, {
    headers: { allow: allowed },
  });
};
