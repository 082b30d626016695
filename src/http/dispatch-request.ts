/** Dispatches a request to its route, adds the common response headers, and records metrics, the trace span and the log line. */
import { businessExists } from '../auth/assert-business-exists.ts';
import { beginRequest, type RequestFacts, type RequestInProgress, readRequestFacts } from '../context.ts';
import { findSubscriptionOfMailToken } from '../domains/newsletter/mail/find-subscription-of-mail-token.ts';
import { AppError } from '../errors.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import { createGraphqlErrorResponse } from '../graphql/http/graphql-response.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../http-message.ts';
import { toIpNetwork } from '../lib/net/ip-addresses.ts';
import { continueTrace, type Span, withSpan } from '../lib/tracing.ts';
import { createRestErrorResponse } from '../rest/error-response.ts';
import type { RestRequestHandler } from '../rest/request-handler.ts';
import { createChangesJsonLinesRoute } from './changes-json-lines-route.ts';
import { createEndpointRoute, type Endpoint } from './endpoint-route.ts';
import {
  addCommonHeaders,
  compressResponse,
  corsPreflightResponse,
  isCorsPreflight,
  isSameOriginPath,
} from './finish-response.ts';
import { createGraphqlRoutes, type GraphqlRouteOptions } from './graphql-route.ts';
import { createRejectionDelays } from './guard/rejection-delays.ts';
import { isExemptFromLimits, type RunGuardedRequest } from './guard/request-guard.ts';
import type { HealthResponses } from './health-responses.ts';
import type { HttpRoute, HttpRouteResult } from './http-route-types.ts';
import { createNewsletterLinkRoutes } from './pages/customer/newsletter-link-routes.ts';
import { createDemoStorefrontRoutes } from './pages/demo-storefront-routes.ts';
import { createPageRoute, type HttpPageHandler } from './pages/http-page.ts';
import { renderNotFoundPage } from './pages/not-found-page.ts';

interface HttpDispatcherOptions extends GraphqlRouteOptions {
  guard: RunGuardedRequest;
  rest: RestRequestHandler;
  health: HealthResponses;
  /** Endpoints outside REST and GraphQL. */
  endpoints: readonly Endpoint[];
  /** Pages outside the API, by exact path. */
  pages: ReadonlyMap<string, HttpPageHandler>;
}

export type DispatchHttpRequest = (request: HttpRequest) => Promise<HttpResponse>;

/** All routes, in the order in which the router tries them. */
function createRoutes(options: HttpDispatcherOptions): HttpRoute[] {
  const { health, services } = options;
  const rest = (request: HttpRequest, { createContext, facts }: RequestInProgress) =>
    options.rest.handle(request, createContext, {
      log: services.log,
      request: facts,
      servers: services.servers,
    });
  const servicesOfBusiness = async (id: string) =>
    (await services.servers?.servicesOfBusiness(id)) ?? services;
  const jwks = () => jsonResponse(200, services.keys.jwks, { 'cache-control': 'public, max-age=300' });
  return [
    ...options.endpoints.map(createEndpointRoute),
    ...[...options.pages].map(([path, page]) => createPageRoute(path, page)),
    ...createDemoStorefrontRoutes(services.config),
    ...createGraphqlRoutes(options),
    { path: '/health/live', handle: () => ({ response: health.live() }) },
    { path: '/health/ready', handle: async () => ({ response: await health.ready() }) },
    { path: '/.well-known/jwks.json', handle: () => ({ response: jwks() }) },
    ...createNewsletterLinkRoutes(rest, {
      isBusiness: async (id) => businessExists((await servicesOfBusiness(id)).db, id),
      findSubject: async ({ purpose }, businessId, token) => {
        const server = await servicesOfBusiness(businessId);
        const subject = await findSubscriptionOfMailToken(server, { purpose, businessId, token });
        return subject && { ...subject, businessId, token };
      },
    }),
    createChangesJsonLinesRoute(rest),
    { path: '/v1/', handle: rest },
  ];
}

/** Tries the routes that match a path in their order, exact paths first; undefined when none of them handles the request. */
function createHttpRouter(routes: readonly HttpRoute[]) {
  const exactRoutes = new Map<string, HttpRoute[]>();
  const prefixRoutes: HttpRoute[] = [];
  for (const route of routes) {
    if (route.path.endsWith('/') && route.path !== '/') prefixRoutes.push(route);
    else exactRoutes.set(route.path, [...(exactRoutes.get(route.path) ?? []), route]);
  }
  for (const candidates of exactRoutes.values()) candidates.push(...prefixRoutes);
  return async (request: HttpRequest, call: RequestInProgress): Promise<HttpRouteResult | undefined> => {
    for (const route of exactRoutes.get(request.path) ?? prefixRoutes) {
      if (!request.path.startsWith(route.path) || route.pattern?.test(request.path) === false) continue;
      if (route.methods?.includes(request.method) === false) continue;
      const pending = route.handle(request, call);
      const result = pending instanceof Promise ? await pending : pending;
      // A result may set `route: undefined`, for a path below /v1/ that matches no REST route.
      if (result) return 'route' in result ? result : { ...result, route: route.path };
    }
    return undefined;
  };
}

/** Path without segments longer than an id: they may be tokens, which must not be logged. */
const redactPath = (path: string): string => path.replace(/[^/]{37,}/g, '[redacted]');

/** `/v1/products` for the REST route `GET /v1/products`: logs and traces have a field for the method. */
const withoutMethod = (route: string): string => route.replace(/^[A-Z]+ /, '');

/** Error response in the format of the request's protocol. */
function toErrorResponse(request: HttpRequest, error: AppError, facts: RequestFacts): HttpResponse {
  if (facts.protocol === 'graphql') return createGraphqlErrorResponse(request, error, facts.requestId);
  const page = error.code === 'NOT_FOUND' ? renderNotFoundPage(request) : undefined;
  return page ?? createRestErrorResponse(error, request, facts.requestId);
}

const floodError = new AppError('RATE_LIMITED', 'Too many rejected requests. Try again in 1 second.', {
  headers: { 'Retry-After': '1', Connection: 'close' },
});

const hintOfPath = (path: string): string =>
  /^\/(v\d+|businesses|users|payments)\//.test(path) ? ' REST paths begin with /v1.' : '';

export function createHttpDispatcher(options: HttpDispatcherOptions): DispatchHttpRequest {
  const { services } = options;
  const findResult = createHttpRouter(createRoutes(options));
  const rejectionDelays = services.config.rateLimit ? createRejectionDelays() : undefined;

  async function runRoute(request: HttpRequest, call: RequestInProgress): Promise<HttpRouteResult> {
    if (isCorsPreflight(request) && !isSameOriginPath(request.path))
      return { response: corsPreflightResponse() };
    const result = await findResult(request, call);
    if (!result) throw new AppError('NOT_FOUND', `There is no ${request.path}.${hintOfPath(request.path)}`);
    return result;
  }

  /** Rejection before any work, without a log line; undefined for requests that are handled. */
  function rejectFlood(request: HttpRequest, facts: RequestFacts): HttpResponse | undefined {
    const hasCredentials = facts.authorization !== undefined || facts.apiKey !== undefined;
    if (hasCredentials || isExemptFromLimits(request)) return undefined;
    if (!rejectionDelays?.isSaturated(toIpNetwork(facts.address))) return undefined;
    services.metrics?.requestRejected('refusals');
    const response = toErrorResponse(request, floodError, facts);
    return addCommonHeaders(request, response, facts, services.config);
  }

  async function handle(request: HttpRequest, span: Span | undefined): Promise<HttpResponse> {
    const started = performance.now();
    const facts = readRequestFacts(request, services.config.trustedProxies);
    const rejection = rejectFlood(request, facts);
    if (rejection) return rejection;
    const call = beginRequest(services, facts);
    const result = await options.guard(request, call, runRoute).catch((error: unknown): HttpRouteResult => {
      const appError = toAppError(error, { log: services.log, request: facts, servers: services.servers });
      return { response: toErrorResponse(request, appError, facts), code: appError.code };
    });
    const { response, route, operation, code } = result;
    const ms = performance.now() - started;
    services.usage.record(facts);
    services.requestLog.record(request, facts, result, ms);
    services.metrics?.request(
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
        route: withoutMethod(route ?? redactPath(request.path)),
        status: response.status,
        // Undefined fields are omitted from the log line.
        code,
        ms: Math.round(ms * 100) / 100,
      },
      'request',
    );
    const rejectionCode = code ?? facts.observed.code;
    if (rejectionCode === 'UNAUTHENTICATED' || rejectionCode === 'RATE_LIMITED')
      await rejectionDelays?.delay(toIpNetwork(facts.address));
    return compressResponse(request, addCommonHeaders(request, response, facts, services.config));
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
    ...(routeName === undefined ? {} : { 'http.route': withoutMethod(routeName) }),
    'http.response.status_code': response.status,
    'duet.request_id': requestId,
    'duet.protocol': protocol,
  });
  if (response.status >= 500) span.error = String(response.status);
}
