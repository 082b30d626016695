/** GraphQL responses over HTTP, outside of Yoga: media type, status and body, the same that Yoga would send. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { AppError } from '../../errors.ts';
import { acceptedGraphqlType, type HttpRequest, type HttpResponse } from '../../http-message.ts';
import { stringifyResponse } from '../../lib/json/response-size-limit.ts';
import { toAppError } from '../execute/mask-errors.ts';
import { appErrorToGraphqlError } from '../execute/request-errors.ts';

export interface GraphqlHttpResult {
  response: HttpResponse;
  /** For the log. */
  route: string;
  /** Metric label: the name of a registered operation; clients choose other names freely. */
  operation: string;
  /** Code of the first error. */
  code?: string | undefined;
}

/** GraphQL response for an error that occurred before the operation started. */
export function createGraphqlErrorResponse(
  request: HttpRequest,
  error: AppError,
  requestId: string,
): HttpResponse {
  const type = acceptedGraphqlType(request.header('accept')) ?? 'application/json';
  const { response } = createGraphqlResult({ errors: [appErrorToGraphqlError(error)] }, type, requestId, '');
  return { ...response, headers: { ...response.headers, ...error.headers } };
}

/** Result of a request that failed before its operation started. */
export function createGraphqlFailure(
  request: HttpRequest,
  error: unknown,
  errorLog: Parameters<typeof toAppError>[1],
): GraphqlHttpResult {
  const appError = toAppError(error, errorLog);
  const response = createGraphqlErrorResponse(request, appError, errorLog.request.requestId);
  return { response, route: 'graphql', operation: 'other', code: appError.code };
}

/** `operation` is its name, or empty. */
export function createGraphqlResult(
  result: ExecutionResult,
  mediaType: string,
  requestId: string,
  operation: string,
): GraphqlHttpResult {
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  const route = `graphql ${operation}`.trimEnd();
  if (!result.errors)
    return {
      response: { status: 200, headers, body: stringifyResponse(result) },
      route,
      operation: 'other',
      code: undefined,
    };
  const usesSpecStatus = mediaType !== 'application/json';
  const status = Math.max(200, ...result.errors.map((error) => httpStatusOf(error, usesSpecStatus)));
  return {
    route,
    operation: 'other',
    code: String(result.errors[0]?.extensions.code),
    response: {
      status,
      headers,
      body: stringifyResponse({
        ...result,
        errors: result.errors.map((error) => toResponseError(error, requestId)),
      }),
    },
  };
}

/** Statuses of the GraphQL-over-HTTP specification apply only to `application/graphql-response+json`. */
function httpStatusOf(error: GraphQLError, usesSpecStatus: boolean): number {
  const http = error.extensions.http as { status?: number; spec?: boolean } | undefined;
  return http?.status && (usesSpecStatus || !http.spec) ? http.status : 200;
}

function toResponseError(error: GraphQLError, requestId: string) {
  const { http: _internal, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions: { ...extensions, requestId } };
}
