/** REST request handler: turns path, query and body into the variables of a stored operation, and its data into the response. */
import type { Context } from '../context.ts';
import { AppError, type ErrorDetail, notFoundError } from '../errors.ts';
import {
  coerceVariables,
  lenientCoercionRules,
  strictCoercionRules,
  type Variables,
} from '../graphql/execute/coerce-variables.ts';
import type { DocumentPreparer } from '../graphql/execute/document-preparer.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import type { PreparedOperation } from '../graphql/execute/prepared-document-types.ts';
import { acceptsBody, type HttpRequest, type HttpResponse } from '../http-message.ts';
import { createParsedRequestCache } from '../lib/cache/named-lru.ts';
import { VersionConflictError } from '../lib/optimistic-locking.ts';
import { maxPageSize } from '../lib/paging.ts';
import { buildFieldUsageSubject } from '../ports/usage.ts';
import { type ApiVersionAdapter, createApiVersionAdapters } from './api-versions.ts';
import { createCompiledRouteCache, type ExecutableRoute } from './compiled-route-cache.ts';
import {
  createRestBodyResponse,
  createRestResponse,
  toCreatedResponse,
  toPlainJson,
} from './create-rest-responses.ts';
import { createRestErrorResponse } from './error-response.ts';
import { parseIfMatchVersions } from './etag.ts';
import { readJsonBody, removeNullsInPlace } from './json-body.ts';
import {
  buildDeprecationHeaders,
  createLocationLookup,
  formatIgnoredFieldsHeader,
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

export interface RestRequestHandler {
  handle(
    request: HttpRequest,
    createContext: () => Promise<Context>,
    errorLog: ErrorLog,
  ): Promise<RestResult>;
}

type ErrorLog = Parameters<typeof toAppError>[1];

/** A request for a route, parsed. It depends on the text of the request alone, so that a repeated read is parsed once. */
interface RouteCall {
  readonly route: RestRoute;
  /** The route with all fields of its operation. */
  readonly full: ExecutableRoute;
  readonly adapter: ApiVersionAdapter;
  /** Path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Normalised value of `?fields=`. */
  readonly fields: string;
  readonly variables: Variables;
  readonly issues: readonly ErrorDetail[];
  readonly ignoredFields: readonly string[];
  readonly deprecatedUses: readonly string[];
  /** Further versions of `If-Match`. */
  readonly otherVersions: readonly number[];
}

export function createRestRequestHandler(
  preparer: DocumentPreparer,
  routes: readonly RestRoute[],
): RestRequestHandler {
  const matcher = createRouteMatcher(routes);
  const compiledRoutes = createCompiledRouteCache(preparer);
  const versionAdapters = createApiVersionAdapters();
  const locationOf = createLocationLookup(routes);
  const memo = preparer.compiler && createParsedRequestCache<RouteCall>(({ variables }) => variables);

  async function parseCall(
    request: HttpRequest,
    { route, full, path, adapter }: Pick<RouteCall, 'route' | 'full' | 'path' | 'adapter'>,
    caller: string,
  ): Promise<RouteCall> {
    const { operation, compiled } = full;
    const { isStrict } = adapter;
    const { query, body } = adapter.upgradeRequest(
      { query: request.query, body: acceptsBody(route.method) ? await readJsonBody(request) : {} },
      nameOf(route),
    );
    const ifMatch = request.header('if-match');
    // PERF: a copy by spreading would get a hidden class of its own with each further variable (CONTRIBUTING.md).
    const values = compiled.variables({ path: Object.assign({}, path), query, body, ifMatch });
    const fields = route.method === 'GET' ? parseFieldsParam(query) : '';
    const { executable, errors } = compiledRoutes.withFields(route, fields, caller);
    const coerced = coerceVariables(
      operation.variableTypes,
      values,
      isStrict ? strictCoercionRules : lenientCoercionRules,
    );
    const unknown = compiled.unknownFields({ query, body });
    return {
      route,
      full,
      adapter,
      path,
      fields,
      variables: coerced.variables,
      issues: [
        ...coerced.issues,
        ...errors,
        ...(isStrict ? [...unknown, ...pageSizeErrors(values[route.query.limit ?? ''])] : []),
      ],
      ignoredFields: [...coerced.ignoredFields, ...(isStrict ? [] : unknown.map(({ field }) => field))],
      deprecatedUses: [...operation.deprecatedUses(values), ...executable.deprecatedFields],
      otherVersions: parseIfMatchVersions(ifMatch).slice(1),
    };
  }

  async function respond(
    request: HttpRequest,
    { route, full, adapter, path, fields, variables, ...call }: RouteCall,
    ctx: Context,
  ): Promise<{ response: HttpResponse; isRendered: boolean }> {
    const businessIds = () => full.operation.businessIds(path);
    for (const coordinate of call.deprecatedUses)
      ctx.request.uses.push({ subject: buildFieldUsageSubject(coordinate), businessIds });
    if (call.deprecatedUses.length > 0)
      Object.assign(ctx.request.responseHeaders, buildDeprecationHeaders(call.deprecatedUses));
    if (call.ignoredFields.length > 0)
      ctx.request.responseHeaders['x-ignored-fields'] = formatIgnoredFieldsHeader(call.ignoredFields);
    if (call.issues.length > 0) return full.operation.rejectInvalid(variables, call.issues, ctx);
    const { operation, compiled, readPrerendered, hasEtag } =
      fields === '' ? full : compiledRoutes.withFields(route, fields, ctx.request.address).executable;
    const { downgradeResponse } = adapter;
    // Cached JSON has the format of the newest API version.
    const rendered =
      route.method === 'GET' && !downgradeResponse ? await readPrerendered(variables, ctx) : undefined;
    if (rendered) {
      if (ctx.request.publicRead.businessIds.length > 0) operation.recordPublicRead(variables, ctx);
      return { response: createRestResponse(request, route.method, rendered, hasEtag), isRendered: true };
    }
    const body =
      rendered === null
        ? null
        : compiled.responseBody(await runOperation(operation, variables, ctx, call.otherVersions));
    if (typeof body !== 'object' || body === null) throw notFoundError(route.recordName);
    operation.recordPublicRead(variables, ctx);
    removeNullsInPlace(body);
    const versionedBody = downgradeResponse ? downgradeResponse(toPlainJson(body), nameOf(route)) : body;
    const response = createRestBodyResponse(request, route.method, versionedBody, hasEtag);
    const isCreated = adapter.isStrict && route.creates;
    return {
      response: isCreated ? toCreatedResponse(response, locationOf(route, { ...path, ...body })) : response,
      isRendered: false,
    };
  }

  return {
    async handle(request, createContext, errorLog) {
      const memoKey = memo && memoKeyOf(request);
      const memoized = memoKey === undefined ? undefined : memo?.find(memoKey);
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const match = memoized ?? matcher.match(method, request.path);
      const name = match && 'route' in match ? nameOf(match.route) : undefined;
      try {
        const adapter = memoized?.adapter ?? versionAdapters.of(request);
        if (!match) throw unknownPathError(request.path, matcher.suggest(request.path));
        if (!('route' in match))
          return { route: name, response: otherMethodResponse(request.method, match.allow) };
        const { route, path } = match;
        const ctx = await createContext();
        const full = memoized?.full ?? compiledRoutes.full(route);
        const { observed, uses } = ctx.request;
        observed.operation = full.operation;
        observed.variables = path;
        uses.push({ subject: full.usage, businessIds: () => full.operation.businessIds(path) });
        const call =
          memoized ?? (await parseCall(request, { route, full, path, adapter }, ctx.request.address));
        const { response, isRendered } = await respond(request, call, ctx);
        if (isRendered && memoKey !== undefined && !memoized) memo?.store(memoKey, call);
        return { route: name, response };
      } catch (error) {
        const appError = toAppError(error, errorLog);
        const response = createRestErrorResponse(appError, request, errorLog.request.requestId);
        return { route: name, response, code: appError.code };
      }
    },
  };
}

/** Undefined: the request is no read, or depends on `If-Match`. */
function memoKeyOf(request: HttpRequest): string | undefined {
  if (request.method !== 'GET' || request.header('if-match') !== undefined) return undefined;
  return `${request.header('x-duet-version') ?? ''} ${request.path}?${request.query}`;
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

const unknownPathError = (path: string, suggestion: string | undefined) =>
  new AppError(
    'NOT_FOUND',
    `There is no ${path}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`,
  );
