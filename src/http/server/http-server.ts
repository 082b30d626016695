/** The gateway on a socket: node:http in, node:http out. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { AppError, httpStatus } from '../../errors.ts';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../../http-message.ts';
import { newId } from '../../lib/ids.ts';
import { isInterruption } from '../../live/live-subscription.ts';
import { errorResponse } from '../../rest/error-response.ts';
import type { Dispatch } from '../dispatch.ts';
import { acquireResponseBuffer } from './buffer-pool.ts';
import { handleClientErrors, malformedRequestError, requestTimeoutError } from './client-errors.ts';
import { payloadTooLargeError } from './fetch-handler.ts';
import { streamBody } from './stream-body.ts';

/** Longer than load balancers keep idle connections, so that we never close one just as they send a request on it. */
const keepAliveTimeout = 75_000;

export interface HttpServerOptions {
  /** Answers end their connections once it says so: the next request of that client goes elsewhere. */
  isStopping?: () => boolean;
  /** How long the headers of a request, and then its body, may take to arrive. */
  receiveTimeoutMs?: number;
  /** How often connections are looked at. */
  connectionCheckMs?: number;
}

export function createHttpServer(
  dispatch: Dispatch,
  {
    isStopping = () => false,
    receiveTimeoutMs: arrivalMs = 30_000,
    connectionCheckMs: lookMs = 2_000,
  }: HttpServerOptions = {},
): Server {
  const times = {
    keepAliveTimeout,
    headersTimeout: arrivalMs,
    // For bodies that nobody reads. Those that are read have their own time, so that the answer is one like any other.
    requestTimeout: 2 * arrivalMs + lookMs,
    connectionsCheckingInterval: lookMs,
  };
  const server = createServer(times, (req, res) => {
    const request = fromNode(req, res, arrivalMs);
    // Node reads HTTP/0.9 too, which has no headers: nothing can be told apart in it.
    if (req.httpVersionMajor < 1)
      return send(req, res, errorResponse(malformedRequestError(), request, newId()));
    dispatch(request)
      .then((response) => {
        // A server that has stopped listening ends its connections, or it would wait for their next request.
        if (!server.listening || isStopping()) res.setHeader('connection', 'close');
        if (response.status === httpStatus.REQUEST_TIMEOUT) cutOff(req, res);
        send(req, res, response);
      })
      .catch(() => res.destroy());
  });
  handleClientErrors(server);
  return server;
}

function fromNode(req: IncomingMessage, res: ServerResponse, arrivalMs: number): HttpRequest {
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  let read: Promise<Buffer> | undefined;
  let bytes: Buffer | undefined;
  return {
    method: req.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    header(name) {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body(limit) {
      if (bytes) return within(bytes, limit);
      read ??= readBody(req, limit, arrivalMs);
      return read.then((all) => {
        bytes = all;
        return within(all, limit);
      });
    },
    stream: (limit) => streamBody(req, limit, 2 * arrivalMs),
    toFetch: () => toFetch(req, res, target, read),
    // Sockets that take IPv4 and IPv6 show IPv4 addresses as ::ffff:1.2.3.4.
    remoteAddress: req.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
  };
}

/** Somebody may have read it before who would have taken more. */
function within(bytes: Buffer, limit: number): Buffer {
  if (bytes.length > limit) throw payloadTooLargeError(limit);
  return bytes;
}

async function readBody(req: IncomingMessage, limit: number, arrivalMs: number): Promise<Buffer> {
  const announced = Number(req.headers['content-length']);
  if (announced > limit) throw payloadTooLargeError(limit);
  // What came in one packet with the headers is there as soon as Node has told of them.
  await undefined;
  if (req.readableLength !== announced) return gather(req, limit, arrivalMs);
  const bytes: Buffer | null = req.read();
  req.resume();
  return bytes ?? Buffer.alloc(0);
}

function gather(req: IncomingMessage, limit: number, arrivalMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(requestTimeoutError()), arrivalMs);
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        // The rest is read and dropped: clients read the answer only after they have sent all.
        req.removeAllListeners('data').resume();
        reject(payloadTooLargeError(limit));
      } else chunks.push(chunk);
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', () => reject(new AppError('BAD_REQUEST', 'The body ended early.')));
    req.on('close', () => clearTimeout(timer));
  });
}

/** Whoever was too slow gets the answer, and is not listened to any longer. */
function cutOff(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('connection', 'close');
  res.once('finish', () => req.destroy());
}

function toFetch(
  req: IncomingMessage,
  res: ServerResponse,
  target: string,
  read: Promise<Buffer> | undefined,
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
    init.body = read ? lateBody(read) : (Readable.toWeb(req) as ReadableStream<Uint8Array>);
    init.duplex = 'half';
  }
  // The host is the caller's word and may be none; nothing that speaks Fetch asks for it.
  return new Request(new URL(target.replace(/^[^/]*/, ''), 'http://localhost'), init);
}

/** The body as a stream, when it is being read into a buffer already. */
const lateBody = (read: Promise<Buffer>) =>
  new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(await read);
      controller.close();
    },
  });

const isStream = (body: HttpResponse['body']): body is ReadableStream<Uint8Array> =>
  body !== null &&
  typeof body !== 'string' &&
  !(body instanceof Uint8Array) &&
  !(body instanceof SegmentedBody);

const isEvents = (headers: HttpResponse['headers']) =>
  headers['content-type']?.startsWith('text/event-stream');
/** The end of a stream that is not complete: clients connect again, those of browsers after this many milliseconds. */
const comeBack = 'retry: 1000\n\n';

function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (isStream(body)) {
    res.writeHead(status, headers);
    // Yoga's streams are of a class of its own, so Readable.fromWeb does not take them.
    const stream = Readable.from(body as NodeReadableStream<Uint8Array>);
    res.on('close', () => stream.destroy());
    stream.on('error', (error) => {
      // Elsewhere: this connection is not for the next request.
      if (isInterruption(error) && isEvents(headers)) res.end(comeBack, () => req.socket.end());
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
    const { bytes, giveBack } = acquireResponseBuffer(body);
    res.end(bytes, giveBack);
  } else res.end(body);
}
