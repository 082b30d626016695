/** PERF: handles a plain JSON `POST /graphql` without Fetch objects. Yoga handles all other requests, with identical responses. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { HttpRequest } from '../../http-message.ts';
import type { RenderedBody } from '../../lib/cache/record-cache.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { Executor } from '../execute/executor.ts';
import { toDocumentErrors, unknownOperationError } from '../execute/request-errors.ts';
import { type GraphqlCaller, prepareDocument, recordUsage, runOperation } from '../execute/run-request.ts';
import {
  acceptedGraphqlType,
  createGraphqlResult,
  type GraphqlHttpResult,
  graphqlHeaders,
} from '../http/graphql-response.ts';
import { assertParamCount, isGraphqlParam, maxGraphqlBytes } from '../http/request-params.ts';
import type { GraphqlDocumentParams, TrustedDocumentRegistry } from '../http/trusted-documents.ts';
import { createParsedRequestCache, type ParsedRequestCache } from './parsed-request-cache.ts';
import { respondFromRenderPlan } from './render-plan.ts';
import { parseGraphqlBody, type SplitGraphqlBody, splitGraphqlBody } from './request-body.ts';

interface Params extends GraphqlDocumentParams {
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

/** Undefined: the request has to be handled by Yoga. */
export type FastGraphqlHandler = (
  request: HttpRequest,
  caller: GraphqlCaller,
) => Promise<GraphqlHttpResult | undefined>;

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
): Promise<GraphqlHttpResult | undefined> {
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
    createGraphqlResult(result, mediaType, name, caller.requestId);
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

/** Media type of the response, the same that Yoga would choose; undefined unless the request is a plain JSON POST. */
function responseType(request: HttpRequest): string | undefined {
  const type = request.header('content-type');
  const isPlain =
    request.method === 'POST' &&
    request.query === '' &&
    (type === 'application/json' || type?.startsWith('application/json;'));
  return isPlain ? acceptedGraphqlType(request.header('accept')) : undefined;
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

const createRenderedResult = (
  { bytes }: RenderedBody,
  mediaType: string,
  operation: string,
): GraphqlHttpResult => ({
  operation,
  response: { status: 200, headers: graphqlHeaders(mediaType), body: bytes },
});
