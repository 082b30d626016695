/** Route for `/graphql`: the fast HTTP handler where it applies; Yoga for all other requests, and for every request with FAST_PATH=off. */
import type { RequestInProgress, Services } from '../context.ts';
import { AppError } from '../errors.ts';
import type { DocumentPreparer } from '../graphql/execute/document-preparer.ts';
import { toAppError } from '../graphql/execute/mask-errors.ts';
import { appErrorToGraphqlError } from '../graphql/execute/request-errors.ts';
import type { IncrementalDelivery } from '../graphql/execute/run-request.ts';
import { createFastGraphqlHandler } from '../graphql/fast/index.ts';
import { createGraphqlFailure } from '../graphql/http/graphql-response.ts';
import { assertGraphqlQueryString, maxGraphqlBytes } from '../graphql/http/request-params.ts';
import type { TrustedDocumentRegistry } from '../graphql/http/trusted-documents.ts';
import type { createYogaServer } from '../graphql/http/yoga-server.ts';
import {
  acceptsAnnouncedParts,
  acceptsIncrementalResults,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
} from '../http-message.ts';
import { assertJsonBytes } from '../lib/json/json-bytes.ts';
import { assertResponseTextSize } from '../lib/json/response-size-limit.ts';
import type { HttpRoute, HttpRouteResult } from './http-route-types.ts';

export interface GraphqlRouteOptions {
  services: Services;
  preparer: DocumentPreparer;
  documents: TrustedDocumentRegistry;
  yoga: ReturnType<typeof createYogaServer>;
}

/** `/graphql`, and `GET /graphql/<documentId>` for registered documents. */
export function createGraphqlRoutes(options: GraphqlRouteOptions): HttpRoute[] {
  const { preparer, documents, services } = options;
  return [
    ...(preparer.compiler
      ? [{ path: '/graphql', handle: createFastGraphqlHandler(preparer, documents, services.log) }]
      : []),
    { path: '/graphql', handle: (request, call) => handle(options, request, call) },
    {
      path: documentPath,
      handle: (request, call) =>
        request.path === documentPath
          ? undefined
          : handle(options, withDocumentIdParam(request), call, documentMethods),
    },
  ];
}

const documentPath = '/graphql/';

/** The id in the path takes precedence over the parameter of this name. */
function withDocumentIdParam(request: HttpRequest): HttpRequest {
  const id = `documentId=${request.path.slice(documentPath.length)}`;
  const query = request.query === '' ? id : `${id}&${request.query}`;
  return {
    method: request.method,
    path: '/graphql',
    query,
    header: (name) => request.header(name),
    body: (limit) => request.body(limit),
    receivedBody: () => request.receivedBody(),
    stream: (limit) => request.stream(limit),
    toFetch() {
      const original = request.toFetch();
      return new Request(new URL(`/graphql?${query}`, original.url), original);
    },
    remoteAddress: request.remoteAddress,
  };
}

async function handle(
  options: GraphqlRouteOptions,
  request: HttpRequest,
  call: RequestInProgress,
  allowedMethods: readonly string[] = methods,
): Promise<HttpRouteResult> {
  const { facts } = call;
  const { address, requestId, measuredTime } = facts;
  const errorLog = { log: options.services.log, request: facts, servers: options.services.servers };
  const accept = request.header('accept');
  const incremental: IncrementalDelivery = {
    isAccepted: acceptsIncrementalResults(accept),
    announcesParts: acceptsAnnouncedParts(accept),
    executed: undefined,
  };
  try {
    if (!allowedMethods.includes(request.method)) throw methodNotAllowedError(request.method, allowedMethods);
    if (request.method === 'GET') assertGraphqlQueryString(request.query);
    const body = request.method === 'POST' ? await request.body(maxGraphqlBytes) : undefined;
    if (body && request.header('content-type')?.includes('json')) assertJsonBytes(body);
  } catch (error) {
    return createGraphqlFailure(request, error, errorLog);
  }
  const fetchRequest = request.toFetch();
  const response = await options.yoga.fetch(fetchRequest, {
    address,
    requestId,
    measuredTime,
    incremental,
    createContext: () =>
      call.createContext(fetchRequest.signal).catch((error: unknown) => {
        throw appErrorToGraphqlError(toAppError(error, errorLog));
      }),
  });
  return {
    response: await fromYoga(response, requestId, incremental),
    route: 'graphql',
    operation: 'other',
    executed: incremental.executed,
  };
}

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const documentMethods = ['GET', 'HEAD', 'OPTIONS'];

const methodNotAllowedError = (method: string, allowed: readonly string[]) =>
  new AppError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  });

const mediaTypes = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';

const emptyBodyError = (status: number, text: string, requestId: string) => ({
  message:
    status === 406
      ? 'Accept application/graphql-response+json or application/json.'
      : status === 415
        ? 'Send the body as Content-Type: application/json.'
        : text,
  extensions: { code: 'BAD_REQUEST', details: [], requestId },
});

async function fromYoga(
  response: Response,
  requestId: string,
  { announcesParts }: IncrementalDelivery,
): Promise<HttpResponse> {
  const { status } = response;
  // Yoga's Headers class preserves the case of names. Node sets Content-Length itself.
  const { 'content-length': _length, ...headers } = Object.fromEntries(
    [...response.headers].map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (!/^(?:text\/event-stream|multipart\/mixed)/.test(headers['content-type'] ?? '')) {
    const body = await response.text();
    assertResponseTextSize(body);
    // Yoga repeats its whole list once per requested media type.
    if (status === 406) headers.accept = mediaTypes;
    // Yoga sends an empty body for unsupported media types.
    if (status >= 400 && body === '')
      return jsonResponse(
        status,
        { errors: [emptyBodyError(status, response.statusText, requestId)] },
        headers,
      );
    return { status, headers, body: body || null };
  }
  // Node sets Connection, and streams are not compressed. The added headers stop proxies from buffering events.
  const { 'content-encoding': _encoding, connection: _connection, ...others } = headers;
  if (announcesParts) others['content-type'] += ';incrementalSpec=v0.2';
  const live = { ...others, 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };
  return { status, headers: live, body: response.body };
}
