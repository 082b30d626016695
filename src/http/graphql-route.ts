/** `/graphql`: the lean lane where it can, Yoga for every other form of GraphQL over HTTP. */
import type { Services } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Executor } from '../graphql/execute/executor.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import { toGraphqlError } from '../graphql/execute/request-errors.ts';
import {
  createFastHttpHandler,
  type FastHttpHandler,
  graphqlErrorResponse,
  maxGraphqlBytes,
} from '../graphql/fast/http-handler.ts';
import { assertGraphqlQueryString } from '../graphql/http/request-params.ts';
import type { DocumentRegistry } from '../graphql/http/trusted-documents.ts';
import type { createYogaServer } from '../graphql/http/yoga.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../http-message.ts';
import { assertJsonDepth } from '../lib/json/json-depth.ts';
import { assertResponseTextSize } from '../lib/json/response-json.ts';
import type { HttpCall, HttpRoute, HttpRouteResult } from './http-route.ts';

export interface GraphqlRouteOptions {
  services: Services;
  executor: Executor;
  documents: DocumentRegistry;
  yoga: ReturnType<typeof createYogaServer>;
}

export function graphqlRoute(parts: GraphqlRouteOptions): HttpRoute {
  const lean = createFastHttpHandler(parts.executor, parts.documents);
  return { path: '/graphql', handle: (request, call) => answer(parts, lean, request, call) };
}

async function answer(
  parts: GraphqlRouteOptions,
  leanLane: FastHttpHandler,
  request: HttpRequest,
  call: HttpCall,
): Promise<HttpRouteResult> {
  const failed = (error: unknown) => toAppError(error, { log: parts.services.log, request: call.facts });
  const { address, requestId } = call.facts;
  try {
    if (!methods.includes(request.method)) throw notAllowed(request.method);
    if (request.method === 'GET') assertGraphqlQueryString(request.query);
    if (request.method === 'POST') expectShallowJson(request, await request.body(maxGraphqlBytes));
    const lean = await leanLane(request, {
      address,
      requestId,
      createContext: () => call.createContext(),
    });
    if (lean) {
      const { response, code } = lean;
      return {
        response,
        route: `graphql ${lean.operation}`,
        operation: lean.isRegistered ? lean.operation : 'other',
        code,
      };
    }
  } catch (error) {
    const shown = failed(error);
    return {
      response: graphqlErrorResponse(request, shown, requestId),
      route: 'graphql',
      operation: 'other',
      code: shown.code,
    };
  }
  const asked = request.toFetch();
  const response = await parts.yoga.fetch(asked, {
    address,
    requestId,
    createContext: () =>
      call.createContext(asked.signal).catch((error: unknown) => {
        throw toGraphqlError(failed(error));
      }),
  });
  return { response: await fromYoga(response, requestId), route: 'graphql', operation: 'other' };
}

function expectShallowJson(request: HttpRequest, body: Buffer): void {
  if (request.header('content-type')?.includes('json')) assertJsonDepth(body);
}

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];

const notAllowed = (method: string) =>
  new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });

const mediaTypes = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';

const wordless = (status: number, text: string, requestId: string) => ({
  message:
    status === 406
      ? 'Accept application/graphql-response+json or application/json.'
      : status === 415
        ? 'Send the body as Content-Type: application/json.'
        : text,
  extensions: { code: 'BAD_REQUEST', details: [], requestId },
});

async function fromYoga(response: Response, requestId: string): Promise<HttpResponse> {
  const { status } = response;
  // Yoga's own class of headers keeps the case they were written in. Node writes the length of what it sends.
  const { 'content-length': _length, ...headers } = Object.fromEntries(
    [...response.headers].map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (!/^(?:text\/event-stream|multipart\/mixed)/.test(headers['content-type'] ?? '')) {
    const body = await response.text();
    assertResponseTextSize(body);
    // Yoga repeats its whole list for each media type that was asked for.
    if (status === 406) headers.accept = mediaTypes;
    // It says nothing to media types that it does not know.
    if (status >= 400 && body === '')
      return jsonResponse(status, { errors: [wordless(status, response.statusText, requestId)] }, headers);
    return { status, headers, body: body || null };
  }
  // The server decides about connection and encoding; proxies are told to pass events on at once.
  const { 'content-encoding': _encoding, connection: _connection, ...others } = headers;
  const live = { ...others, 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };
  return { status, headers: live, body: response.body };
}
