/** PERF: handles a plain JSON `POST /graphql` without Fetch objects. Yoga handles all other requests, with identical responses. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { AppError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import type { RenderedBody } from '../../lib/cache/record-cache.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { stringifyResponse } from '../../lib/json/response-size.ts';
import type { Executor } from '../execute/executor.ts';
import { toDocumentErrors, toGraphqlError, unknownOperationError } from '../execute/request-errors.ts';
import {
  type GraphqlCaller,
  prepareDocument,
  recordUsage,
  respondFromRenderPlan,
  runOperation,
} from '../execute/run-request.ts';
import { assertParamCount, isGraphqlParam } from '../http/request-params.ts';
import type { GraphqlDocumentParams, TrustedDocumentRegistry } from '../http/trusted-documents.ts';
import { createParsedRequestCache, type ParsedRequestCache } from './parsed-request-cache.ts';
import { parseGraphqlBody, type SplitGraphqlBody, splitGraphqlBody } from './request-body.ts';

interface Params extends GraphqlDocumentParams {
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

export interface FastGraphqlResult {
  response: HttpResponse;
  operation: string;
  /** Whether the document is registered, so that the operation name is safe to use as a metric label. */
  isRegistered?: boolean;
  /** Code of the first error. */
  code?: string;
}

export const maxGraphqlBytes = 1024 * 1024;

/** Undefined: the request has to be handled by Yoga. */
export type FastGraphqlHandler = (
  request: HttpRequest,
  caller: GraphqlCaller,
) => Promise<FastGraphqlResult | undefined>;

export function createFastGraphqlHandler(
  executor: Executor,
  documents: TrustedDocumentRegistry,
): FastGraphqlHandler {
  const memo = createParsedRequestCache<Params>(({ variables }) => variables);
  return (request, caller) => handleRequest({ executor, documents, memo }, request, caller);
}

interface HandlerServices {
  executor: Executor;
  documents: TrustedDocumentRegistry;
  memo: ParsedRequestCache<Params>;
}

async function handleRequest(
  { executor, documents, memo }: HandlerServices,
  request: HttpRequest,
  caller: GraphqlCaller,
): Promise<FastGraphqlResult | undefined> {
  const mediaType = responseType(request);
  if (!mediaType) return undefined;
  const body = splitGraphqlBody(await request.body(maxGraphqlBytes));
  const memoKey = memoKeyOf(body);
  const memoizedParams = memo.find(memoKey);
  const params = memoizedParams ?? readParams(body);
  if (!params) return undefined;
  const document = documents.resolve(params);
  if (document === undefined) return undefined;
  const respond = (result: ExecutionResult, name = '') =>
    createResult(result, mediaType, name, caller.requestId);
  if (document instanceof GraphQLError) return respond({ errors: [document] });
  const prepared = prepareDocument(executor, documents, document, caller.address);
  if (prepared.errors.length > 0) return respond({ errors: toDocumentErrors(prepared.errors) });
  const operation = prepared.operation(params.operationName);
  if (!operation) return respond({ errors: [unknownOperationError(params.operationName)] });
  if (operation.kind === 'subscription') return undefined;
  const ctx = await caller.createContext();
  recordUsage(operation, params.variables, ctx);
  const rendered = await respondFromRenderPlan(operation, params.variables, ctx);
  if (rendered && !memoizedParams) memo.store(memoKey, params);
  const result = rendered
    ? createRenderedResult(rendered, mediaType, operation.name)
    : respond(await runOperation(operation, params.variables, ctx), operation.name);
  result.isRegistered = documents.isRegistered(document);
  return result;
}

/** GraphQL response for an error that occurred before the operation started. */
export function graphqlErrorResponse(request: HttpRequest, error: AppError, requestId: string): HttpResponse {
  const type = acceptedType(request.header('accept')) ?? 'application/json';
  const { response } = createResult({ errors: [toGraphqlError(error)] }, type, '', requestId);
  return { ...response, headers: { ...response.headers, ...error.headers } };
}

/** Media type of the response, the same that Yoga would choose; undefined unless the request is a plain JSON POST. */
function responseType(request: HttpRequest): string | undefined {
  const type = request.header('content-type');
  const isPlain =
    request.method === 'POST' &&
    request.query === '' &&
    (type === 'application/json' || type?.startsWith('application/json;'));
  return isPlain ? acceptedType(request.header('accept')) : undefined;
}

function acceptedType(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  const isGraphqlResponse =
    /^application\/graphql-response\+json(?:; ?charset=utf-8)?(?:, ?application\/(?:json|graphql\+json)(?:; ?(?:charset=utf-8|q=[\d.]+))*)*$/i.test(
      accept,
    );
  return isGraphqlResponse ? 'application/graphql-response+json' : undefined;
}

/** Starts with a digit for a cached document and with a brace otherwise, so that keys of the two kinds never collide. */
const memoKeyOf = ({ document, text }: SplitGraphqlBody) =>
  document ? `${document.number}${text}` : `{${text}`;

/** Undefined for a body that Yoga would reject: Yoga then writes the error. */
function readParams(body: SplitGraphqlBody): Params | undefined {
  let value: unknown;
  try {
    value = parseGraphqlBody(body);
  } catch {
    return undefined;
  }
  if (!isPlainObject(value)) return undefined;
  assertParamCount(value);
  const { query, documentId, operationName, variables, extensions } = value;
  for (const name in value) if (!isGraphqlParam(name) && value[name] !== null) return undefined;
  const isValid =
    (query === undefined || query === null || typeof query === 'string') &&
    (documentId === undefined || documentId === null || typeof documentId === 'string') &&
    (operationName === undefined || operationName === null || typeof operationName === 'string') &&
    (variables === undefined || variables === null || isPlainObject(variables)) &&
    (extensions === undefined || extensions === null || isPlainObject(extensions));
  return isValid ? ({ query, documentId, operationName, variables, extensions } as Params) : undefined;
}

const headersOf = (mediaType: string) => ({ 'content-type': `${mediaType}; charset=utf-8` });

const createRenderedResult = (
  { bytes }: RenderedBody,
  mediaType: string,
  operation: string,
): FastGraphqlResult => ({
  operation,
  response: { status: 200, headers: headersOf(mediaType), body: bytes },
});

function createResult(
  result: ExecutionResult,
  mediaType: string,
  operation: string,
  requestId: string,
): FastGraphqlResult {
  const headers = headersOf(mediaType);
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
