/** One operation of a WebSocket, run as a request to /graphql: guard, budgets, scopes, limits and live updates are those of HTTP. */
import type { FormattedExecutionResult } from 'graphql';
import { parseMessage } from 'graphql-ws';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../../http-message.ts';
import type { DispatchHttpRequest } from '../dispatch-request.ts';
import { payloadTooLargeError } from '../server/fetch-api-adapter.ts';

/** Request that opened the connection. */
export type SocketHandshake = Pick<HttpRequest, 'header' | 'remoteAddress'>;

/** Headers that browsers cannot send with a WebSocket; clients send them as connection parameters. */
const paramHeaders = [
  'authorization',
  'x-api-key',
  'x-client-name',
  'accept-language',
  'x-consistency-token',
];
/** `X-Forwarded-For` and `traceparent` are set by proxies, so only the headers of the handshake count. */
const handshakeHeaders = new Set([...paramHeaders, 'x-forwarded-for', 'traceparent', 'user-agent']);

const validHeaderValue = /^[\x20-\x7e]{0,8000}$/;

/** Headers among the connection parameters, which some clients nest in `headers`; undefined if one of them is not valid. */
export function readConnectionInitHeaders(
  params: Readonly<Record<string, unknown>>,
): Map<string, string> | undefined {
  const { headers: nested } = params;
  const entries = [
    ...Object.entries(params),
    ...(typeof nested === 'object' && nested !== null ? Object.entries(nested) : []),
  ];
  const headers = new Map<string, string>();
  for (const [name, value] of entries) {
    const header = name.toLowerCase();
    if (!paramHeaders.includes(header) || value === null || value === undefined) continue;
    if (typeof value !== 'string' || !validHeaderValue.test(value)) return undefined;
    headers.set(header, value);
  }
  return headers;
}

const requestHeaders = { 'content-type': 'application/json', accept: 'text/event-stream' };

export function createSocketOperationRequest(
  handshake: SocketHandshake,
  params: ReadonlyMap<string, string>,
  payload: object,
  signal: AbortSignal,
): HttpRequest {
  const bytes = Buffer.from(JSON.stringify(payload));
  const headers = new Map(Object.entries(requestHeaders));
  for (const name of handshakeHeaders) {
    const value = params.get(name) ?? handshake.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return {
    method: 'POST',
    path: '/graphql',
    query: '',
    header: (name) => headers.get(name),
    body(limit) {
      if (bytes.length > limit) throw payloadTooLargeError(limit);
      return bytes;
    },
    receivedBody: () => bytes,
    async *stream() {
      yield bytes;
    },
    toFetch: () =>
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: requestHeaders,
        body: bytes,
        signal,
      }),
    remoteAddress: handshake.remoteAddress,
  };
}

/** Results of the operation. Aborting ends the subscription; the iterator ends then without an error. */
export async function* runSocketOperation(
  dispatch: DispatchHttpRequest,
  request: HttpRequest,
  signal: AbortSignal,
): AsyncGenerator<FormattedExecutionResult, void> {
  const { body } = await dispatch(request);
  const complete = toText(body);
  if (complete !== undefined) {
    yield JSON.parse(complete) as FormattedExecutionResult;
    return;
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (signal.aborted) return;
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (/^event: next$/m.test(event) && data !== undefined)
        yield JSON.parse(data) as FormattedExecutionResult;
    }
  }
}

/** Text of a complete response; undefined for a stream, which may be of Yoga's own class. */
function toText(body: HttpResponse['body']): string | undefined {
  if (body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof SegmentedBody) return body.toBuffer().toString();
  return body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
}

/** Undefined for text that is not a message of the protocol. */
export function parseValidMessage(text: string): ReturnType<typeof parseMessage> | undefined {
  try {
    return parseMessage(text);
  } catch {
    return undefined;
  }
}
