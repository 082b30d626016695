/** Error responses for connections without a parsable request: request timeout, headers too large, or not HTTP. The connection is then closed. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, httpStatusByErrorCode } from '../../errors.ts';
import { jsonContentType } from '../../http-message.ts';
import { HiddenProperty } from '../../lib/cache/hidden-property.ts';
import { newId } from '../../lib/ids.ts';
import { toRestErrorBody } from '../../rest/error-response.ts';

export const requestTimeoutError = () =>
  new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time.');

export const malformedRequestError = () => new AppError('BAD_REQUEST', 'The request is not valid HTTP/1.1.');

const headersTooLarge = {
  status: 431,
  error: new AppError('BAD_REQUEST', 'The request headers are too large.'),
};

function toClientError(code: string | undefined): { status: number; error: AppError } {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge;
  const error = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeoutError() : malformedRequestError();
  return { status: httpStatusByErrorCode[error.code], error };
}

/** Responses of a connection that are not complete. */
const openResponses = new HiddenProperty<Socket, Set<ServerResponse>>();

function trackResponse(socket: Socket, response: ServerResponse): void {
  let open = openResponses.get(socket);
  if (!open) {
    open = new Set();
    openResponses.set(socket, open);
  }
  open.add(response);
  response.once('finish', () => open.delete(response));
}

export function handleClientErrors(server: Server): void {
  server.prependListener('request', ({ socket }, response) => trackResponse(socket, response));
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) => {
    // Writing here would corrupt a response whose headers have been sent.
    const isSending = [...(openResponses.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (cause.code === 'ECONNRESET' || !socket.writable || isSending) return socket.destroy();
    const { status, error } = toClientError(cause.code);
    const requestId = newId();
    const body = JSON.stringify(toRestErrorBody(error, requestId));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      `content-type: ${jsonContentType}`,
      `x-request-id: ${requestId}`,
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
}
