/** REST error response: the documented body, or `application/problem+json` (RFC 9457) if the client accepts it. */
import { STATUS_CODES } from 'node:http';
import { type AppError, type ErrorDetail, httpStatusByErrorCode } from '../errors.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../http-message.ts';
import { createApiVersionAdapters } from './api-versions.ts';

const problemContentType = 'application/problem+json';

/** REST names of the paging arguments of GraphQL. */
const restNames: Readonly<Record<string, string>> = { first: 'limit', after: 'cursor' };

const versions = createApiVersionAdapters();

/**
 * Error body in the API version of the request, or in the default version if it is unknown. `requestId` identifies the request in the
 * logs.
 */
export function toRestErrorBody(error: AppError, requestId: string, request?: HttpRequest) {
  const details: ErrorDetail[] = error.details.map((detail) => ({
    ...detail,
    field: restNames[detail.field] ?? detail.field,
  }));
  return versions
    .orDefault(request)
    .downgradeError({ error: error.code, message: error.message, details, requestId });
}

export function createRestErrorResponse(
  error: AppError,
  request: HttpRequest,
  requestId: string,
): HttpResponse {
  const status = httpStatusByErrorCode[error.code];
  const body = toRestErrorBody(error, requestId, request);
  const headers: Record<string, string> = { 'cache-control': 'no-store', ...error.headers };
  if (error.code === 'UNAUTHENTICATED') headers['www-authenticate'] = 'Bearer';
  if (!request.header('accept')?.includes(problemContentType)) return jsonResponse(status, body, headers);
  return jsonResponse(
    status,
    {
      type: `urn:duet:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
      title: STATUS_CODES[status],
      status,
      detail: error.message,
      instance: `urn:duet:request:${encodeURIComponent(requestId)}`,
      ...body,
    },
    { ...headers, 'content-type': problemContentType },
  );
}
