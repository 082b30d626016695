/** The lean lane: a plain JSON `POST /graphql` answered without Fetch objects. Everything else goes to Yoga. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { AppError } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import type { RenderedBody } from '../../lib/cache/record-cache.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { stringifyResponse } from '../../lib/json/response-json.ts';
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
import type { DocumentParams, DocumentRegistry } from '../http/trusted-documents.ts';
import { type GraphqlRequestBody, parseGraphqlBody, readGraphqlBody } from './request-body.ts';
import { createRequestMemo, type RequestMemo } from './request-memo.ts';

interface Params extends DocumentParams {
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

export interface FastHttpResult {
  response: HttpResponse;
  operation: string;
  /** Whether the operation is one of the registered ones, so that its name is not made up. */
  isRegistered?: boolean;
  /** The code of the first error. */
  code?: string;
}

export const maxGraphqlBytes = 1024 * 1024;

/** Undefined: not a case for this lane. */
export type FastHttpHandler = (
  request: HttpRequest,
  caller: GraphqlCaller,
) => Promise<FastHttpResult | undefined>;

export function createFastHttpHandler(executor: Executor, documents: DocumentRegistry): FastHttpHandler {
  const questions = createRequestMemo<Params>(({ variables }) => variables);
  return (request, caller) => answerLean({ executor, documents, questions }, request, caller);
}

interface Parts {
  executor: Executor;
  documents: DocumentRegistry;
  questions: RequestMemo<Params>;
}

async function answerLean(
  { executor, documents, questions }: Parts,
  request: HttpRequest,
  caller: GraphqlCaller,
): Promise<FastHttpResult | undefined> {
  const mediaType = answerType(request);
  if (!mediaType) return undefined;
  const sent = readGraphqlBody(await request.body(maxGraphqlBytes));
  const question = nameOf(sent);
  const known = questions.find(question);
  const params = known ?? readParams(sent);
  if (!params) return undefined;
  const document = documents.resolve(params);
  if (document === undefined) return undefined;
  const show = (result: ExecutionResult, name = '') => answer(result, mediaType, name, caller.requestId);
  if (document instanceof GraphQLError) return show({ errors: [document] });
  const prepared = prepareDocument(executor, documents, document, caller.address);
  if (prepared.errors.length > 0) return show({ errors: toDocumentErrors(prepared.errors) });
  const operation = prepared.operation(params.operationName);
  if (!operation) return show({ errors: [unknownOperationError(params.operationName)] });
  if (operation.kind === 'subscription') return undefined;
  const ctx = await caller.createContext();
  recordUsage(operation, params.variables, ctx);
  const text = await respondFromRenderPlan(operation, params.variables, ctx);
  if (text && !known) questions.store(question, params);
  const given = text
    ? fromText(text, mediaType, operation.name)
    : show(await runOperation(operation, params.variables, ctx), operation.name);
  given.isRegistered = documents.isRegistered(document);
  return given;
}

/** A request that failed before its operation began, in the shape and type of GraphQL. */
export function graphqlErrorResponse(request: HttpRequest, error: AppError, requestId: string): HttpResponse {
  const type = acceptedType(request.header('accept')) ?? 'application/json';
  const { response } = answer({ errors: [toGraphqlError(error)] }, type, '', requestId);
  return { ...response, headers: { ...response.headers, ...error.headers } };
}

/** The media type of the answer, the same as Yoga would choose; undefined unless this is a plain JSON POST. */
function answerType(request: HttpRequest): string | undefined {
  const type = request.header('content-type');
  const isPlain =
    request.method === 'POST' &&
    request.query === '' &&
    (type === 'application/json' || type?.startsWith('application/json;'));
  return isPlain ? acceptedType(request.header('accept')) : undefined;
}

function acceptedType(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  const isModern =
    /^application\/graphql-response\+json(?:; ?charset=utf-8)?(?:, ?application\/(?:json|graphql\+json)(?:; ?(?:charset=utf-8|q=[\d.]+))*)*$/i.test(
      accept,
    );
  return isModern ? 'application/graphql-response+json' : undefined;
}

/** Begins with a digit or with a brace, so that no body of the one kind has the name of one of the other. */
const nameOf = ({ document, text }: GraphqlRequestBody) =>
  document ? `${document.number}${text}` : `{${text}`;

/** Undefined for what Yoga would refuse: Yoga then words the refusal. */
function readParams(sent: GraphqlRequestBody): Params | undefined {
  let value: unknown;
  try {
    value = parseGraphqlBody(sent);
  } catch {
    return undefined;
  }
  if (!isPlainObject(value)) return undefined;
  assertParamCount(value);
  const { query, documentId, operationName, variables, extensions } = value;
  for (const name in value) if (!isGraphqlParam(name) && value[name] !== null) return undefined;
  const plain =
    (query === undefined || query === null || typeof query === 'string') &&
    (documentId === undefined || documentId === null || typeof documentId === 'string') &&
    (operationName === undefined || operationName === null || typeof operationName === 'string') &&
    (variables === undefined || variables === null || isPlainObject(variables)) &&
    (extensions === undefined || extensions === null || isPlainObject(extensions));
  return plain ? ({ query, documentId, operationName, variables, extensions } as Params) : undefined;
}

const headersOf = (mediaType: string) => ({ 'content-type': `${mediaType}; charset=utf-8` });

const fromText = ({ bytes }: RenderedBody, mediaType: string, operation: string): FastHttpResult => ({
  operation,
  response: { status: 200, headers: headersOf(mediaType), body: bytes },
});

function answer(
  result: ExecutionResult,
  mediaType: string,
  operation: string,
  requestId: string,
): FastHttpResult {
  const headers = headersOf(mediaType);
  if (!result.errors)
    return { operation, response: { status: 200, headers, body: stringifyResponse(result) } };
  const modern = mediaType !== 'application/json';
  const status = Math.max(200, ...result.errors.map((error) => httpStatusOf(error, modern)));
  return {
    operation,
    code: String(result.errors[0]?.extensions.code),
    response: {
      status,
      headers,
      body: stringifyResponse({ ...result, errors: result.errors.map((error) => shown(error, requestId)) }),
    },
  };
}

function httpStatusOf(error: GraphQLError, modern: boolean): number {
  const http = error.extensions.http as { status?: number; spec?: boolean } | undefined;
  return http?.status && (modern || !http.spec) ? http.status : 200;
}

function shown(error: GraphQLError, requestId: string) {
  const { http: _internal, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions: { ...extensions, requestId } };
}
