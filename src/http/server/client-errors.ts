/** Error responses for connections without a parsable request: request timeout, headers too large, or not HTTP. The connection is then closed. */
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, httpStatusByErrorCode } from '../../errors.ts';
import { jsonContentType } from '../../http-message.ts';
import { newId } from '../../lib/ids.ts';
import { toRestErrorBody } from '../../rest/error-response.ts';
import { pendingResponseOf } from '../../vendor/node-http/pending-response.ts';

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

export function handleClientErrors(server: Server): void {
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) => {
    // Writing here would corrupt a response whose headers have been sent.
    if (cause.code === 'ECONNRESET' || !socket.writable || pendingResponseOf(socket)?.headersSent)
      return socket.destroy();
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
