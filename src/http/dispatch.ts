/** Dispatches a request to its route, adds the common response headers, and records metrics, the trace span and the log line. */
import { businessExists } from '../auth/assert-business.ts';
import type { RequestFacts } from '../context.ts';
import { findSubscriptionOfMailToken } from '../domains/newsletter/mail/mail-token-subscription.ts';
import { AppError } from '../errors.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import { createGraphqlErrorResponse } from '../graphql/http/graphql-response.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../http-message.ts';
import { continueTrace, type Span, withSpan } from '../lib/tracing.ts';
import type { RestEngine } from '../rest/engine.ts';
import { createRestErrorResponse } from '../rest/error-response.ts';
import { createChangesJsonLinesRoute } from './changes-json-lines-route.ts';
import { compressResponse } from './compress.ts';
import { corsHeaders, corsPreflightResponse, isCorsPreflight, isSameOriginPath } from './cors.ts';
import { createEndpointRoute, type Endpoint } from './endpoint.ts';
import { createGraphqlRoutes, type GraphqlRouteOptions } from './graphql-route.ts';
import type { RequestGuard } from './guard/request-guard.ts';
import type { HealthChecks } from './health.ts';
import {
  createHttpRouter,
  type HttpRequestInProgress,
  type HttpRoute,
  type HttpRouteResult,
} from './http-route.ts';
import { createMailLinksRoute } from './pages/customer/mail-links-route.ts';
import { createDemoShopRoutes } from './pages/demo-shop.ts';
import { createPageRoute, type HttpPage } from './pages/http-page.ts';
import { renderNotFoundPage } from './pages/not-found.ts';
import { sharedHeadersOf, toPublicResponse } from './public-cache.ts';
import { createRequestContext, readRequestFacts } from './request-facts.ts';

export interface HttpDispatcherOptions extends GraphqlRouteOptions {
  guard: RequestGuard;
  rest: RestEngine;
  health: HealthChecks;
  /** Endpoints outside REST and GraphQL. */
  endpoints: readonly Endpoint[];
  /** Pages outside the API, by exact path. */
  pages: ReadonlyMap<string, HttpPage>;
}

export type DispatchHttpRequest = (request: HttpRequest) => Promise<HttpResponse>;

/** All routes, in the order in which the router tries them. */
function createRoutes(options: HttpDispatcherOptions): HttpRoute[] {
  const { health, services } = options;
  const rest = (request: HttpRequest, { createContext, facts }: HttpRequestInProgress) =>
    options.rest.handle(request, createContext, { log: services.log, request: facts });
  const jwks = () => jsonResponse(200, services.keys.jwks, { 'cache-control': 'public, max-age=300' });
  return [
    ...options.endpoints.map(createEndpointRoute),
    ...[...options.pages].map(([path, page]) => createPageRoute(path, page)),
    ...createDemoShopRoutes(services.config),
    ...createGraphqlRoutes(options),
    { path: '/health/live', handle: () => ({ response: health.live() }) },
    { path: '/health/ready', handle: async () => ({ response: await health.ready() }) },
    { path: '/.well-known/jwks.json', handle: () => ({ response: jwks() }) },
    createMailLinksRoute(rest, {
      isBusiness: (id) => businessExists(services.db, id),
      findSubject: async ({ purpose }, businessId, token) => {
        const subject = await findSubscriptionOfMailToken(services, { purpose, businessId, token });
        return subject && { ...subject, businessId, token };
      },
    }),
    createChangesJsonLinesRoute(rest),
    { path: '/v1/', handle: rest },
  ];
}

/** Path without segments longer than an id: they may be tokens, which must not be logged. */
const redactPath = (path: string): string => path.replace(/[^/]{37,}/g, '[redacted]');

/** Error response in the format of the request's protocol. */
function toErrorResponse(request: HttpRequest, error: AppError, facts: RequestFacts): HttpResponse {
  if (facts.protocol === 'graphql') return createGraphqlErrorResponse(request, error, facts.requestId);
  const page = error.code === 'NOT_FOUND' ? renderNotFoundPage(request) : undefined;
  return page ?? createRestErrorResponse(error, request, facts.requestId);
}

export function createHttpDispatcher(options: HttpDispatcherOptions): DispatchHttpRequest {
  const { services } = options;
  const findResult = createHttpRouter(createRoutes(options));

  async function runRoute(request: HttpRequest, call: HttpRequestInProgress): Promise<HttpRouteResult> {
    if (isCorsPreflight(request) && !isSameOriginPath(request.path))
      return { response: corsPreflightResponse() };
    const result = await findResult(request, call);
    if (!result) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
    return result;
  }

  async function handle(request: HttpRequest, span: Span | undefined): Promise<HttpResponse> {
    const started = performance.now();
    const facts = readRequestFacts(request, services.config.trustedProxies);
    const call: HttpRequestInProgress = {
      facts,
      createContext: (abortSignal) =>
        createRequestContext(services, abortSignal === undefined ? facts : { ...facts, abortSignal }),
    };
    const { response, route, operation, code } = await options
      .guard(request, call, runRoute)
      .catch((error: unknown): HttpRouteResult => {
        const appError = toAppError(error, { log: services.log, request: facts });
        return { response: toErrorResponse(request, appError, facts), code: appError.code };
      });
    const ms = performance.now() - started;
    services.metrics.request(
      facts.protocol,
      operation ?? route ?? 'other',
      code ?? (response.status < 400 ? 'ok' : `HTTP_${response.status}`),
      ms / 1000,
    );
    if (span) describeSpan(span, request, facts, { response, route });
    services.log.info(
      {
        requestId: facts.requestId,
        method: request.method,
        route: route ?? redactPath(request.path),
        status: response.status,
        // Undefined fields are omitted from the log line.
        code,
        ms: Math.round(ms * 100) / 100,
      },
      'request',
    );
    return compressResponse(request, withCommonHeaders(request, response, facts));
  }

  function withCommonHeaders(
    request: HttpRequest,
    response: HttpResponse,
    facts: RequestFacts,
  ): HttpResponse {
    const publicResponse = toPublicResponse(request, response, facts, services.config);
    if (publicResponse) {
      // Other clients get this response too: it contains neither the rate limit of this network nor an id that this client chose.
      Object.assign(publicResponse.headers, sharedHeadersOf(request, facts), corsHeaders);
      return publicResponse;
    }
    // Proxy caches do not vary by API key, so responses without a Cache-Control of their own are not stored.
    response.headers['cache-control'] ??= 'no-store';
    Object.assign(response.headers, facts.responseHeaders);
    if (!isSameOriginPath(request.path)) Object.assign(response.headers, corsHeaders);
    response.headers['x-request-id'] = facts.requestId;
    return response;
  }

  return (request) =>
    continueTrace(request.header('traceparent'), () =>
      withSpan('request', 'server', {}, (span) => handle(request, span)),
    );
}

/** Names the span after the route, never after the requested path, which may contain ids and other personal data. */
function describeSpan(
  span: Span,
  { method }: HttpRequest,
  { requestId, protocol }: RequestFacts,
  { response, route }: Pick<HttpRouteResult, 'response' | 'route'>,
): void {
  const routeName = protocol === 'graphql' ? `${method} /graphql` : route;
  span.name = routeName ?? `${method} other`;
  Object.assign(span.attributes, {
    'http.request.method': method,
    ...(routeName === undefined ? {} : { 'http.route': routeName.replace(/^\S+ /, '') }),
    'http.response.status_code': response.status,
    'duet.request_id': requestId,
    'duet.protocol': protocol,
  });
  if (response.status >= 500) span.error = String(response.status);
}
