/** Sends a request to the voice it speaks, and gives every answer its common headers and its line in the log. */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../auth/viewer.ts';
import type { Context, RequestFacts, Services } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Executor } from '../graphql/executor.ts';
import { graphqlFailure, leanLane, maxGraphqlBytes } from '../graphql/lane.ts';
import { toAppError } from '../graphql/masking.ts';
import { requestFailure } from '../graphql/request.ts';
import type { Documents } from '../graphql/trusted.ts';
import type { createGraphqlServer } from '../graphql/yoga.ts';
import { type HttpRequest, type HttpResponse, json } from '../message.ts';
import { type Rest, showError } from '../rest/engine.ts';
import { corsHeaders, isPreflight, preflight } from './cors.ts';
import { createEndpoints, type Endpoint } from './endpoint.ts';
import type { Health } from './health.ts';
import type { Page } from './pages/page.ts';
import { isUnsubscribeAddress, unsubscribePage } from './pages/unsubscribe.ts';

export interface Parts {
  services: Services;
  executor: Executor;
  documents: Documents;
  yoga: ReturnType<typeof createGraphqlServer>;
  rest: Rest;
  health: Health;
  /** What is neither a row nor GraphQL, with paths or methods of its own. */
  endpoints: readonly Endpoint[];
  /** Pages outside the API, by exact path. */
  pages: ReadonlyMap<string, Page>;
}

export type Dispatch = (request: HttpRequest) => Promise<HttpResponse>;

interface Answer {
  response: HttpResponse;
  /** For the log: the REST row or the GraphQL operation. */
  route?: string | undefined;
}

export function createDispatch(parts: Parts): Dispatch {
  const { services } = parts;
  const findEndpoint = createEndpoints(parts.endpoints);
  return async (request) => {
    const started = performance.now();
    const facts = factsOf(request, services.config.trustedProxies);
    const { response, route } = await answer(parts, findEndpoint, request, facts).catch((error: unknown) => ({
      response: showError(toAppError(error, { log: services.log, request: facts })),
      route: undefined,
    }));
    Object.assign(response.headers, facts.answerHeaders, corsHeaders, { 'x-request-id': facts.requestId });
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

async function answer(
  parts: Parts,
  findEndpoint: ReturnType<typeof createEndpoints>,
  request: HttpRequest,
  facts: RequestFacts,
): Promise<Answer> {
  if (isPreflight(request)) return { response: preflight() };
  const { path } = request;
  const createContext = (gone?: AbortSignal) =>
    contextOf(parts.services, gone === undefined ? facts : { ...facts, gone });
  const endpoint = findEndpoint(request);
  if (endpoint) return { response: await endpoint.answer(createContext), route: endpoint.path };
  if (request.method === 'GET' || request.method === 'HEAD') {
    const page = parts.pages.get(path);
    const response = page && (await page(request));
    if (response) return { response, route: path };
  }
  if (path.startsWith('/v1/')) {
    const rest = (asked: HttpRequest) =>
      parts.rest.handle(asked, createContext, { log: parts.services.log, request: facts });
    const shown = isUnsubscribeAddress(path) ? await unsubscribePage(request, rest) : undefined;
    return shown ?? rest(request);
  }
  if (path === '/graphql') return graphql(parts, request, facts, createContext);
  if (path === '/health/live') return { response: parts.health.live() };
  if (path === '/health/ready') return { response: await parts.health.ready() };
  if (path === '/.well-known/jwks.json')
    return { response: json(200, parts.services.keys.jwks, { 'cache-control': 'public, max-age=300' }) };
  throw new AppError('NOT_FOUND', `There is no ${path}.`);
}

async function graphql(
  parts: Parts,
  request: HttpRequest,
  facts: RequestFacts,
  createContext: (gone?: AbortSignal) => Promise<Context>,
): Promise<Answer> {
  const failed = (error: unknown) => toAppError(error, { log: parts.services.log, request: facts });
  try {
    if (request.method === 'POST') await request.body(maxGraphqlBytes);
    const lean = await leanLane(parts.executor, parts.documents, request, createContext);
    if (lean) return { response: lean.response, route: `graphql ${lean.operation}` };
  } catch (error) {
    return { response: graphqlFailure(request, failed(error)), route: 'graphql' };
  }
  const asked = request.toFetch();
  const response = await parts.yoga.fetch(asked, {
    createContext: () =>
      createContext(asked.signal).catch((error: unknown) => {
        throw requestFailure(failed(error));
      }),
  });
  // Yoga's own class of headers keeps the case they were written in.
  const headers = Object.fromEntries(
    [...response.headers].map(([name, value]) => [name.toLowerCase(), value]),
  );
  // Node writes the length of what it sends; Yoga's own would be the one header the lanes differ in.
  delete headers['content-length'];
  const streams = /^(?:text\/event-stream|multipart\/mixed)/.test(headers['content-type'] ?? '');
  if (!streams) {
    const body = (await response.text()) || null;
    return { response: { status: response.status, headers, body }, route: 'graphql' };
  }
  // Neither an encoding nor a connection of that name is for us to choose; proxies are told not to hold anything back.
  const { 'content-encoding': _encoding, connection: _connection, ...others } = headers;
  const live = { ...others, 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };
  return { response: { status: response.status, headers: live, body: response.body }, route: 'graphql' };
}

async function contextOf(services: Services, request: RequestFacts): Promise<Context> {
  const viewer = await authenticate(services.db, services.tokens, request);
  return { ...services, request, viewer };
}

const printable = /^[\x21-\x7e]{1,200}$/;

function factsOf(request: HttpRequest, trustedProxies: number): RequestFacts {
  const sent = request.header('x-request-id');
  return {
    requestId: sent && printable.test(sent) ? sent : randomUUID(),
    address: clientAddress(request, trustedProxies),
    authorization: request.header('authorization'),
    apiKey: request.header('x-api-key'),
    idempotencyKey: request.header('idempotency-key'),
    answerHeaders: {},
  };
}

/** Each proxy adds the address it was called from at the end: what stands further left is anybody's claim. */
function clientAddress(request: HttpRequest, trustedProxies: number): string {
  if (trustedProxies === 0) return request.remoteAddress;
  const forwarded = request.header('x-forwarded-for')?.split(',') ?? [];
  return forwarded.at(-trustedProxies)?.trim() || forwarded[0]?.trim() || request.remoteAddress;
}
