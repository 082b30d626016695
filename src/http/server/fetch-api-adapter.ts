/** Adapter of the request dispatcher to the Fetch API: takes a Request and returns a Response, for tests and for hosts with the Fetch API. */
import { ReadableStream } from 'node:stream/web';
import { AppError } from '../../errors.ts';
import {
  createHeaderReader,
  type HttpRequest,
  type HttpResponse,
  SegmentedBody,
} from '../../http-message.ts';
import type { DispatchHttpRequest } from '../dispatch-request.ts';

export const createFetchApiAdapter =
  (dispatch: DispatchHttpRequest) =>
  async (request: Request, remoteAddress = '127.0.0.1'): Promise<Response> => {
    const { status, headers, body } = await dispatch(fromFetch(request, remoteAddress));
    return new Response(request.method === 'HEAD' ? null : nativeBody(body), { status, headers });
  };

/** Yoga returns its own ReadableStream class, which Fetch cannot cancel while a read is pending. */
const nativeBody = (body: HttpResponse['body']): BodyInit | null =>
  (body instanceof SegmentedBody
    ? body.toBuffer()
    : body === null || typeof body === 'string' || body instanceof Uint8Array
      ? body
      : ReadableStream.from(iterateStream(body))) as BodyInit | null;

/** The iterator of Yoga's stream cannot end before the first read: its error has no listener. */
function iterateStream(body: globalThis.ReadableStream<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  const iterator = (body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    async return() {
      body.cancel().catch(() => {});
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function fromFetch(request: Request, remoteAddress: string): HttpRequest {
  const url = new URL(request.url);
  let pendingBytes: Promise<Buffer> | undefined;
  let bytes: Buffer | undefined;
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    header: createHeaderReader(Object.fromEntries(request.headers)),
    async body(limit) {
      pendingBytes ??= request.arrayBuffer().then((bytes) => Buffer.from(bytes));
      bytes = await pendingBytes;
      if (bytes.length > limit) throw payloadTooLargeError(limit);
      return bytes;
    },
    receivedBody: () => bytes,
    stream: (limit) => streamOf(request, limit),
    // A body can be read only once, so Yoga gets a copy of the bytes that have been read.
    toFetch: () => (bytes ? new Request(request, { body: new Uint8Array(bytes) }) : request),
    remoteAddress,
  };
}

async function* streamOf({ body }: Request, limit: number): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) throw payloadTooLargeError(limit);
    yield chunk;
  }
}

export const payloadTooLargeError = (limit: number) =>
  new AppError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes.`);
