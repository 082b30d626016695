/** HTTP server on node:http: reads requests from sockets, dispatches them and writes the responses. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { AppError, httpStatusByErrorCode } from '../../errors.ts';
import {
  createHeaderReader,
  type HttpRequest,
  type HttpResponse,
  SegmentedBody,
} from '../../http-message.ts';
import { newId } from '../../lib/ids.ts';
import { isStreamInterruptedError } from '../../live/live-subscription.ts';
import { createRestErrorResponse } from '../../rest/error-response.ts';
import { WebSocketOnlyUpgradeRequest } from '../../vendor/node-http/websocket-upgrades.ts';
import type { DispatchHttpRequest } from '../dispatch-request.ts';
import { acquireFilledResponseBuffer } from './buffer-pool.ts';
import { disconnectStalledReaders } from './disconnect-stalled-readers.ts';
import { payloadTooLargeError } from './fetch-api-adapter.ts';
import { createRequestPipeline } from './request-pipeline.ts';
import { streamRequestBody } from './stream-request-body.ts';
import {
  handleClientErrors,
  malformedRequestError,
  requestTimeoutError,
} from './unparsable-request-errors.ts';

/** Milliseconds. Longer than the idle timeout of load balancers, so that the server never closes a connection on which they are sending a request. */
const keepAliveTimeout = 75_000;

/** Chunks of a body with `Transfer-Encoding: chunked`. A packet holds 10,000 of them, which take 15 ms; a client that sends more is disconnected. */
const maxBodyChunks = 20_000;

export interface HttpServerOptions {
  /** While true, responses close their connection, so that the client sends its next request to another process. */
  isStopping?: () => boolean;
  /** Time limit in milliseconds for receiving the headers, and again for the body. Default 30,000. */
  receiveTimeoutMs?: number;
  /** Time in milliseconds after which a client that does not read its response is disconnected. Default 120,000. */
  unreadResponseTimeoutMs?: number;
  /** Interval in milliseconds at which Node checks connections for timeouts. Default 2,000. */
  connectionCheckMs?: number;
}

export function createHttpServer(
  dispatch: DispatchHttpRequest,
  {
    isStopping = () => false,
    receiveTimeoutMs = 30_000,
    unreadResponseTimeoutMs = 120_000,
    connectionCheckMs = 2_000,
  }: HttpServerOptions = {},
): Server {
  const options = {
    IncomingMessage: WebSocketOnlyUpgradeRequest,
    keepAliveTimeout,
    headersTimeout: receiveTimeoutMs,
    // Applies to bodies that no route reads. `readBody` has its own timeout, which results in a regular error response.
    requestTimeout: 2 * receiveTimeoutMs + connectionCheckMs,
    connectionsCheckingInterval: connectionCheckMs,
  };
  const pipeline = createRequestPipeline();
  function respond(req: IncomingMessage, res: ServerResponse): void {
    const request = fromNode(req, res, receiveTimeoutMs);
    // Node also parses HTTP/0.9 requests, which have no headers.
    if (req.httpVersionMajor < 1) {
      send(req, res, createRestErrorResponse(malformedRequestError(), request, newId()));
      return;
    }
    dispatch(request)
      .then((response) => {
        // server.close() waits for open connections, so they must not be kept alive after it.
        if (!server.listening || isStopping()) res.setHeader('connection', 'close');
        if (response.status === httpStatusByErrorCode.REQUEST_TIMEOUT) closeAfterResponse(req, res);
        send(req, res, response);
      })
      .catch(() => res.destroy());
  }
  const server = createServer(options, (req, res) => pipeline(req, res, () => respond(req, res)));
  handleClientErrors(server);
  disconnectStalledReaders(server, unreadResponseTimeoutMs, connectionCheckMs);
  return server;
}

function fromNode(req: IncomingMessage, res: ServerResponse, receiveTimeoutMs: number): HttpRequest {
  const target = req.url ?? '/';
  const queryStart = target.indexOf('?');
  let pendingBytes: Promise<Buffer> | undefined;
  let bytes: Buffer | undefined;
  return {
    method: req.method ?? 'GET',
    path: queryStart === -1 ? target : target.slice(0, queryStart),
    query: queryStart === -1 ? '' : target.slice(queryStart + 1),
    header: createHeaderReader(req.headers),
    body(limit) {
      if (bytes) return assertWithinLimit(bytes, limit);
      pendingBytes ??= readBody(req, limit, receiveTimeoutMs);
      return pendingBytes.then((received) => {
        bytes = received;
        return assertWithinLimit(received, limit);
      });
    },
    receivedBody: () => bytes,
    stream: (limit) =>
      streamRequestBody(req, limit, { totalMs: 2 * receiveTimeoutMs, idleMs: receiveTimeoutMs / 3 }),
    toFetch: () => toFetch(req, res, target, pendingBytes),
    // Dual-stack sockets report IPv4 addresses as ::ffff:1.2.3.4.
    remoteAddress: req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
  };
}

/** The cached body may have been read with a higher limit. */
function assertWithinLimit(bytes: Buffer, limit: number): Buffer {
  if (bytes.length > limit) throw payloadTooLargeError(limit);
  return bytes;
}

async function readBody(req: IncomingMessage, limit: number, receiveTimeoutMs: number): Promise<Buffer> {
  const contentLength = Number(req.headers['content-length']);
  if (contentLength > limit) throw payloadTooLargeError(limit);
  // PERF: a body in the same packet as the headers is buffered one microtask later, and needs no event listeners.
  await undefined;
  if (req.readableLength !== contentLength) return collectBody(req, limit, receiveTimeoutMs);
  const bytes: Buffer | null = req.read();
  req.resume();
  return bytes ?? Buffer.alloc(0);
}

function collectBody(req: IncomingMessage, limit: number, receiveTimeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(requestTimeoutError()), receiveTimeoutMs);
    // Not a list of chunks: each is an object of about 200 bytes, and a client may send a million chunks of one byte.
    let received = Buffer.alloc(0);
    let size = 0;
    let chunks = 0;
    req.on('data', (chunk: Buffer) => {
      chunks += 1;
      if (chunks > maxBodyChunks) return void req.destroy();
      if (size + chunk.length > limit) {
        // The rest is read and discarded: clients read the response only after they have sent the whole body.
        req.removeAllListeners('data').resume();
        return reject(payloadTooLargeError(limit));
      }
      if (size + chunk.length > received.length) {
        const grown = Buffer.allocUnsafeSlow(Math.min(limit, 2 * (size + chunk.length)));
        received.copy(grown, 0, 0, size);
        received = grown;
      }
      size += chunk.copy(received, size);
    });
    req.on('end', () => resolve(received.subarray(0, size)));
    req.on('error', () => reject(new AppError('BAD_REQUEST', 'The body ended early.')));
    req.on('close', () => clearTimeout(timer));
  });
}

/** Closes the connection after the timeout response, without reading the rest of the request. */
function closeAfterResponse(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('connection', 'close');
  res.once('finish', () => req.destroy());
}

function toFetch(
  req: IncomingMessage,
  res: ServerResponse,
  target: string,
  pendingBytes: Promise<Buffer> | undefined,
): Request {
  const method = req.method ?? 'GET';
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  if (res.closed) abort.abort();
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined) headers.set(name, String(value));
  const init: RequestInit & { duplex?: 'half' } = { method, headers, signal: abort.signal };
  if (method !== 'GET' && method !== 'HEAD') {
    init.body = pendingBytes
      ? toBodyStream(pendingBytes)
      : (Readable.toWeb(req) as ReadableStream<Uint8Array>);
    init.duplex = 'half';
  }
  // The Host header is client input and may be invalid. Yoga does not use the host, so a fixed one is set.
  return new Request(new URL(target.replace(/^[^/]*/, ''), 'http://localhost'), init);
}

/** The body as a stream, once `readBody` has started to read it. */
const toBodyStream = (pendingBytes: Promise<Buffer>) =>
  new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(await pendingBytes);
      controller.close();
    },
  });

const isStream = (body: HttpResponse['body']): body is ReadableStream<Uint8Array> =>
  body !== null &&
  typeof body !== 'string' &&
  !(body instanceof Uint8Array) &&
  !(body instanceof SegmentedBody);

const isEventStream = (headers: HttpResponse['headers']) =>
  headers['content-type']?.startsWith('text/event-stream');
/** Last message of an interrupted event stream: EventSource clients reconnect after 1,000 milliseconds. */
const reconnectMessage = 'retry: 1000\n\n';

function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (isStream(body)) {
    // The client disconnected before the response: there is no further 'close' event, and no one else would close the file.
    if (res.closed || res.destroyed) return void body.cancel().catch(() => {});
    res.writeHead(status, headers);
    // Yoga returns its own ReadableStream class, which Readable.fromWeb does not accept.
    const stream = Readable.from(body as NodeReadableStream<Uint8Array>);
    res.on('close', () => stream.destroy());
    stream.on('error', (error) => {
      // The socket is closed too, so that the client reconnects to another process.
      if (isStreamInterruptedError(error) && isEventStream(headers))
        res.end(reconnectMessage, () => req.socket.end());
      else res.destroy();
    });
    stream.pipe(res);
    return;
  }
  if (status !== 204 && status !== 304)
    headers['content-length'] = String(
      body === null ? 0 : body instanceof SegmentedBody ? body.length : Buffer.byteLength(body),
    );
  res.writeHead(status, headers);
  if (req.method === 'HEAD' || body === null) res.end();
  else if (body instanceof SegmentedBody) {
    const { bytes, release } = acquireFilledResponseBuffer(body);
    res.end(bytes, release);
  } else res.end(body);
}
