/** Answers connections that send no readable request: too slow, headers too large, or not HTTP. They get the documented body and are closed. */
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, httpStatus } from '../../errors.ts';
import { jsonContentType } from '../../http-message.ts';
import { newId } from '../../lib/ids.ts';
import { errorBody } from '../../rest/json-body.ts';

export const requestTimeoutError = () =>
  new AppError('REQUEST_TIMEOUT', 'The request did not arrive in time.');

export const malformedRequestError = () =>
  new AppError('BAD_REQUEST', 'This is not a request that can be read.');

const headersTooLarge = { status: 431, error: new AppError('BAD_REQUEST', 'The headers are too large.') };

function reasonOf(code: string | undefined): { status: number; error: AppError } {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge;
  const error = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeoutError() : malformedRequestError();
  return { status: httpStatus[error.code], error };
}

export function handleClientErrors(server: Server): void {
  server.on('clientError', (problem: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: Answer }) => {
    // Nothing may be written between the parts of an answer that has begun.
    if (problem.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
      return socket.destroy();
    const { status, error } = reasonOf(problem.code);
    const requestId = newId();
    const body = JSON.stringify(errorBody(error, requestId));
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

/** What node keeps on a socket while a request is being answered. */
interface Answer {
  headersSent: boolean;
}
