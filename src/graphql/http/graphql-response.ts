/** GraphQL responses over HTTP, outside of Yoga: media type, status and body, the same that Yoga would send. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { AppError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import { stringifyResponse } from '../../lib/json/response-size-limit.ts';
import { toGraphqlError } from '../execute/request-errors.ts';

export interface GraphqlHttpResult {
  response: HttpResponse;
  operation: string;
  /** Whether the document is registered, so that the operation name is safe to use as a metric label. */
  isRegistered?: boolean;
  /** Code of the first error. */
  code?: string;
}

/** GraphQL response for an error that occurred before the operation started. */
export function createGraphqlErrorResponse(
  request: HttpRequest,
  error: AppError,
  requestId: string,
): HttpResponse {
  const type = acceptedGraphqlType(request.header('accept')) ?? 'application/json';
  const { response } = createGraphqlResult({ errors: [toGraphqlError(error)] }, type, '', requestId);
  return { ...response, headers: { ...response.headers, ...error.headers } };
}

/** Media type of the response; undefined for an Accept header that Yoga has to interpret. */
export function acceptedGraphqlType(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  const isGraphqlResponse =
    /^application\/graphql-response\+json(?:; ?charset=utf-8)?(?:, ?application\/(?:json|graphql\+json)(?:; ?(?:charset=utf-8|q=[\d.]+))*)*$/i.test(
      accept,
    );
  return isGraphqlResponse ? 'application/graphql-response+json' : undefined;
}

/** Whether the client names a media type for results in parts, see execute/incremental; a wildcard is not sufficient. */
export const acceptsIncrementalResults = (accept: string | undefined): boolean =>
  accept !== undefined && /multipart\/mixed|text\/event-stream/i.test(accept);

/** Whether the first format that the client names is the current one, `incrementalSpec=v0.2`. */
export const acceptsAnnouncedParts = (accept: string | undefined): boolean =>
  /;\s*(incrementalSpec="?v0\.2|deferSpec=)/i.exec(accept ?? '')?.[1]?.startsWith('incremental') ?? false;

export const graphqlHeaders = (mediaType: string) => ({ 'content-type': `${mediaType}; charset=utf-8` });

export function createGraphqlResult(
  result: ExecutionResult,
  mediaType: string,
  operation: string,
  requestId: string,
): GraphqlHttpResult {
  const headers = graphqlHeaders(mediaType);
  if (!result.errors)
    return { operation, response: { status: 200, headers, body: stringifyResponse(result) } };
  const usesSpecStatus = mediaType !== 'application/json';
  const status = Math.max(200, ...result.errors.map((error) => httpStatusOf(error, usesSpecStatus)));
  return {
    operation,
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
