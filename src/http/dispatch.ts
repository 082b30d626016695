/** Sends a request to the place its path names, and gives every answer its common headers and its line in the log. */
import { isBusiness } from '../auth/expect-business.ts';
import type { RequestFacts } from '../context.ts';
import { mailedSubscription } from '../domains/newsletter/mailed.ts';
import { AppError } from '../errors.ts';
import { graphqlFailure } from '../graphql/lane.ts';
import { toAppError } from '../graphql/masking.ts';
import { continueTrace, type Span, traced } from '../lib/trace.ts';
import { type HttpRequest, type HttpResponse, json } from '../message.ts';
import type { Rest } from '../rest/engine.ts';
import { showError } from '../rest/error-answer.ts';
import { compress } from './compress.ts';
import { corsHeaders, isPreflight, preflight } from './cors.ts';
import { type Endpoint, endpointPlace } from './endpoint.ts';
import { contextOf, factsOf } from './facts.ts';
import { type GraphqlParts, graphqlPlace } from './graphql.ts';
import type { Guard } from './guard/guard.ts';
import type { Health } from './health.ts';
import { jsonLinesPlace } from './json-lines.ts';
import { mailLinksPlace } from './pages/mail-links.ts';
import { notFoundPage } from './pages/not-found.ts';
import { type Page, pagePlace } from './pages/page.ts';
import { type Answer, type Call, createPlaces, type Place } from './place.ts';

export interface Parts extends GraphqlParts {
  guard: Guard;
  rest: Rest;
  health: Health;
  /** What is neither a row nor GraphQL, with paths or methods of its own. */
  endpoints: readonly Endpoint[];
  /** Pages outside the API, by exact path. */
  pages: ReadonlyMap<string, Page>;
}

export type Dispatch = (request: HttpRequest) => Promise<HttpResponse>;

/** Every place there is. Of several with one path, the first that has an answer gives it. */
function placesOf(parts: Parts): Place[] {
  const { health, services } = parts;
  const rest = (request: HttpRequest, { createContext, facts }: Call) =>
    parts.rest.handle(request, createContext, { log: services.log, request: facts });
  const jwks = () => json(200, services.keys.jwks, { 'cache-control': 'public, max-age=300' });
  return [
    ...parts.endpoints.map(endpointPlace),
    ...[...parts.pages].map(([path, page]) => pagePlace(path, page)),
    graphqlPlace(parts),
    { path: '/health/live', answer: () => ({ response: health.live() }) },
    { path: '/health/ready', answer: async () => ({ response: await health.ready() }) },
    { path: '/.well-known/jwks.json', answer: () => ({ response: jwks() }) },
    mailLinksPlace(rest, {
      isBusiness: (id) => isBusiness(services.db, id),
      about: async ({ purpose }, businessId, token) => {
        const mailed = await mailedSubscription(services, { purpose, businessId, token });
        return mailed && { ...mailed, businessId, token };
      },
    }),
    jsonLinesPlace(rest),
    { path: '/v1/', answer: rest },
  ];
}

/** In the words of the voice that was spoken to. */
function failure(request: HttpRequest, error: AppError, facts: RequestFacts): HttpResponse {
  if (facts.voice === 'graphql') return graphqlFailure(request, error, facts.requestId);
  const page = error.code === 'NOT_FOUND' ? notFoundPage(request) : undefined;
  return page ?? showError(error, request, facts.requestId);
}

export function createDispatch(parts: Parts): Dispatch {
  const { services } = parts;
  const findAnswer = createPlaces(placesOf(parts));

  async function answer(request: HttpRequest, call: Call): Promise<Answer> {
    if (isPreflight(request)) return { response: preflight() };
    const found = await findAnswer(request, call);
    if (!found) throw new AppError('NOT_FOUND', `There is no ${request.path}.`);
    return found;
  }

  async function handle(request: HttpRequest, span: Span | undefined): Promise<HttpResponse> {
    const started = performance.now();
    const facts = factsOf(request, services.config.trustedProxies);
    const call: Call = {
      facts,
      createContext: (gone) => contextOf(services, gone === undefined ? facts : { ...facts, gone }),
    };
    const { response, route, operation, code } = await parts
      .guard(request, call, answer)
      .catch((error: unknown): Answer => {
        const shown = toAppError(error, { log: services.log, request: facts });
        return { response: failure(request, shown, facts), code: shown.code };
      });
    const ms = performance.now() - started;
    services.metrics.request(
      facts.voice,
      operation ?? route ?? 'other',
      code ?? (response.status < 400 ? 'ok' : `HTTP_${response.status}`),
      ms / 1000,
    );
    if (span) describe(span, request, facts, { response, route });
    // A cache on the way knows no API keys: what does not say who may keep it is kept by nobody.
    response.headers['cache-control'] ??= 'no-store';
    Object.assign(response.headers, facts.answerHeaders, corsHeaders);
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
    return compress(request, response);
  }

  return (request) =>
    continueTrace(request.header('traceparent'), () =>
      traced('request', 'server', {}, (span) => handle(request, span)),
    );
}

/** By its row, never by the path that was sent: that may say more than a trace should know. */
function describe(
  span: Span,
  { method }: HttpRequest,
  { requestId, voice }: RequestFacts,
  { response, route }: Pick<Answer, 'response' | 'route'>,
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
