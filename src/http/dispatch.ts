/** Sends a request to the place its path names, and gives every answer its common headers and its line in the log. */
import { businessExists } from '../auth/assert-business.ts';
import type { RequestFacts } from '../context.ts';
import { findMailTokenSubject } from '../domains/newsletter/mail/mail-token-subject.ts';
import { AppError } from '../errors.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import { graphqlErrorResponse } from '../graphql/fast/http-handler.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../http-message.ts';
import { continueTrace, type Span, withSpan } from '../lib/tracing.ts';
import type { RestEngine } from '../rest/engine.ts';
import { errorResponse } from '../rest/error-response.ts';
import { compressResponse } from './compress.ts';
import { corsHeaders, corsPreflightResponse, isCorsPreflight } from './cors.ts';
import { type Endpoint, endpointRoute } from './endpoint.ts';
import { type GraphqlRouteOptions, graphqlRoute } from './graphql-route.ts';
import type { RequestGuard } from './guard/request-guard.ts';
import type { Health } from './health.ts';
import { createHttpRouter, type HttpCall, type HttpRoute, type HttpRouteResult } from './http-route.ts';
import { jsonLinesRoute } from './json-lines-route.ts';
import { mailLinksRoute } from './pages/customer/mail-links-route.ts';
import { type HttpPage, pageRoute } from './pages/http-page.ts';
import { renderNotFoundPage } from './pages/not-found.ts';
import { createRequestContext, readRequestFacts } from './request-facts.ts';

export interface DispatchOptions extends GraphqlRouteOptions {
  guard: RequestGuard;
  rest: RestEngine;
  health: Health;
  /** What is neither a row nor GraphQL, with paths or methods of its own. */
  endpoints: readonly Endpoint[];
  /** Pages outside the API, by exact path. */
  pages: ReadonlyMap<string, HttpPage>;
}

export type Dispatch = (request: HttpRequest) => Promise<HttpResponse>;

/** Every place there is. Of several with one path, the first that has an answer gives it. */
function placesOf(parts: DispatchOptions): HttpRoute[] {
  const { health, services } = parts;
  const rest = (request: HttpRequest, { createContext, facts }: HttpCall) =>
    parts.rest.handle(request, createContext, { log: services.log, request: facts });
  const jwks = () => jsonResponse(200, services.keys.jwks, { 'cache-control': 'public, max-age=300' });
  return [
    ...parts.endpoints.map(endpointRoute),
    ...[...parts.pages].map(([path, page]) => pageRoute(path, page)),
    graphqlRoute(parts),
    { path: '/health/live', handle: () => ({ response: health.live() }) },
    { path: '/health/ready', handle: async () => ({ response: await health.ready() }) },
    { path: '/.well-known/jwks.json', handle: () => ({ response: jwks() }) },
    mailLinksRoute(rest, {
      isBusiness: (id) => businessExists(services.db, id),
      about: async ({ purpose }, businessId, token) => {
        const mailed = await findMailTokenSubject(services, { purpose, businessId, token });
        return mailed && { ...mailed, businessId, token };
      },
    }),
    jsonLinesRoute(rest),
    { path: '/v1/', handle: rest },
  ];
}

/** In the words of the voice that was spoken to. */
function failure(request: HttpRequest, error: AppError, facts: RequestFacts): HttpResponse {
  if (facts.protocol === 'graphql') return graphqlErrorResponse(request, error, facts.requestId);
  const page = error.code === 'NOT_FOUND' ? renderNotFoundPage(request) : undefined;
  return page ?? errorResponse(error, request, facts.requestId);
}

export function createDispatch(parts: DispatchOptions): Dispatch {
  const { services } = parts;
  const findAnswer = createHttpRouter(placesOf(parts));

  async function answer(request: HttpRequest, call: HttpCall): Promise<HttpRouteResult> {
    if (isCorsPreflight(request)) return { response: corsPreflightResponse() };
    const found = await findAnswer(request, call);
    if (!found) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
    return found;
  }

  async function handle(request: HttpRequest, span: Span | undefined): Promise<HttpResponse> {
    const started = performance.now();
    const facts = readRequestFacts(request, services.config.trustedProxies);
    const call: HttpCall = {
      facts,
      createContext: (gone) =>
        createRequestContext(services, gone === undefined ? facts : { ...facts, abortSignal: gone }),
    };
    const { response, route, operation, code } = await parts
      .guard(request, call, answer)
      .catch((error: unknown): HttpRouteResult => {
        const shown = toAppError(error, { log: services.log, request: facts });
        return { response: failure(request, shown, facts), code: shown.code };
      });
    const ms = performance.now() - started;
    services.metrics.request(
      facts.protocol,
      operation ?? route ?? 'other',
      code ?? (response.status < 400 ? 'ok' : `HTTP_${response.status}`),
      ms / 1000,
    );
    if (span) describe(span, request, facts, { response, route });
    // A cache on the way knows no API keys: what does not say who may keep it is kept by nobody.
    response.headers['cache-control'] ??= 'no-store';
    Object.assign(response.headers, facts.responseHeaders, corsHeaders);
    response.headers['x-request-id'] = facts.requestId;
    services.log.info(
      {
        requestId: facts.requestId,
        method: request.method,
        route: route ?? request.path,
        status: response.status,
        // Left out where there is none.
        code,
        ms: Math.round(ms * 100) / 100,
      },
      'request',
    );
    return compressResponse(request, response);
  }

  return (request) =>
    continueTrace(request.header('traceparent'), () =>
      withSpan('request', 'server', {}, (span) => handle(request, span)),
    );
}

/** By its row, never by the path that was sent: that may say more than a trace should know. */
function describe(
  span: Span,
  { method }: HttpRequest,
  { requestId, protocol: voice }: RequestFacts,
  { response, route }: Pick<HttpRouteResult, 'response' | 'route'>,
): void {
  const row = voice === 'graphql' ? `${method} /graphql` : route;
  span.name = row ?? `${method} other`;
  Object.assign(span.attributes, {
    'http.request.method': method,
    ...(row === undefined ? {} : { 'http.route': row.replace(/^\S+ /, '') }),
    'http.response.status_code': response.status,
    'duet.request_id': requestId,
    'duet.voice': voice,
  });
  if (response.status >= 500) span.error = String(response.status);
}
