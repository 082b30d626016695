/** Sends a request to the voice it speaks, and gives every answer its common headers and its line in the log. */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../auth/viewer.ts';
import { AppError } from '../errors.ts';
import type { Context, RequestFacts, Services } from '../graphql/context.ts';
import type { Executor } from '../graphql/executor.ts';
import { leanLane } from '../graphql/lane.ts';
import { toAppError } from '../graphql/masking.ts';
import type { createGraphqlServer } from '../graphql/yoga.ts';
import { type Rest, showError } from '../rest/engine.ts';
import { corsHeaders, isPreflight, preflight } from './cors.ts';
import type { Health } from './health.ts';
import { type HttpRequest, type HttpResponse, json } from './message.ts';
import { isUnsubscribeAddress, unsubscribePage } from './pages/unsubscribe.ts';

export interface Parts {
  services: Services;
  executor: Executor;
  yoga: ReturnType<typeof createGraphqlServer>;
  rest: Rest;
  health: Health;
  /** Pages outside the API, by exact path. */
  pages: ReadonlyMap<string, (request: HttpRequest) => HttpResponse | Promise<HttpResponse>>;
}

export type Dispatch = (request: HttpRequest) => Promise<HttpResponse>;

interface Answer {
  response: HttpResponse;
  /** For the log: the REST row or the GraphQL operation. */
  route?: string | undefined;
}

export function createDispatch(parts: Parts): Dispatch {
  const { services } = parts;
  return async (request) => {
    const started = performance.now();
    const facts = factsOf(request, services.config.trustProxy);
    const { response, route } = await answer(parts, request, facts).catch((error: unknown) => ({
      response: showError(toAppError(error, { log: services.log, request: facts })),
      route: undefined,
    }));
    Object.assign(response.headers, corsHeaders, { 'x-request-id': facts.requestId });
    services.log.info(
      {
        requestId: facts.requestId,
        method: request.method,
        route: route ?? request.path,
        status: response.status,
        ms: Math.round((performance.now() - started) * 100) / 100,
      },
      'request',
    );
    return response;
  };
}

async function answer(parts: Parts, request: HttpRequest, facts: RequestFacts): Promise<Answer> {
  if (isPreflight(request)) return { response: preflight() };
  const { path } = request;
  const createContext = () => contextOf(parts.services, facts);
  if (path.startsWith('/v1/')) {
    const rest = (asked: HttpRequest) =>
      parts.rest.handle(asked, createContext, { log: parts.services.log, request: facts });
    const shown = isUnsubscribeAddress(path) ? await unsubscribePage(request, rest) : undefined;
    return shown ?? rest(request);
  }
  if (path === '/graphql') return graphql(parts, request, createContext);
  if (path === '/health/live') return { response: parts.health.live() };
  if (path === '/health/ready') return { response: await parts.health.ready() };
  if (path === '/.well-known/jwks.json')
    return { response: json(200, parts.services.keys.jwks, { 'cache-control': 'public, max-age=300' }) };
  const page = parts.pages.get(path);
  if (page && (request.method === 'GET' || request.method === 'HEAD'))
    return { response: await page(request), route: path };
  throw new AppError('NOT_FOUND', `There is no ${path}.`);
}

async function graphql(
  parts: Parts,
  request: HttpRequest,
  createContext: () => Promise<Context>,
): Promise<Answer> {
  const lean = await leanLane(parts.executor, request, createContext);
  if (lean) return { response: lean.response, route: `graphql ${lean.operation}` };
  const response = await parts.yoga.fetch(request.toFetch(), { createContext });
  const headers = Object.fromEntries(response.headers);
  // Node writes the length of what it sends; Yoga's own would be the one header the lanes differ in.
  delete headers['content-length'];
  return { response: { status: response.status, headers, body: response.body }, route: 'graphql' };
}

async function contextOf(services: Services, request: RequestFacts): Promise<Context> {
  const viewer = await authenticate(services.db, services.tokens, request);
  return { ...services, request, viewer, inputIssues: [] };
}

const printable = /^[\x21-\x7e]{1,200}$/;

function factsOf(request: HttpRequest, trustProxy: boolean): RequestFacts {
  const sent = request.header('x-request-id');
  const forwarded = trustProxy ? request.header('x-forwarded-for')?.split(',')[0]?.trim() : undefined;
  return {
    requestId: sent && printable.test(sent) ? sent : randomUUID(),
    address: forwarded || request.remoteAddress,
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    idempotencyKey: request.header('idempotency-key'),
  };
}
