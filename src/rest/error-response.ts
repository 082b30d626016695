/** REST error response: the documented body, or `application/problem+json` (RFC 9457) if the client accepts it. */
import { STATUS_CODES } from 'node:http';
import { type AppError, httpStatusByErrorCode } from '../errors.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../http-message.ts';
import { toRestErrorBody } from './json-body.ts';

export const problemContentType = 'application/problem+json';

export function restErrorResponse(error: AppError, request: HttpRequest, requestId: string): HttpResponse {
  const status = httpStatusByErrorCode[error.code];
  const body = toRestErrorBody(error, requestId);
  const headers: Record<string, string> = { 'cache-control': 'no-store', ...error.headers };
  if (error.code === 'UNAUTHENTICATED') headers['www-authenticate'] = 'Bearer';
  if (!request.header('accept')?.includes(problemContentType)) return jsonResponse(status, body, headers);
  return jsonResponse(
    status,
    {
      type: `urn:duet:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
      title: STATUS_CODES[status],
      status,
      detail: body.message,
      instance: `urn:duet:request:${encodeURIComponent(requestId)}`,
      ...body,
    },
    { ...headers, 'content-type': problemContentType },
  );
}
