/** PERF: handles a plain JSON `POST /graphql` without Fetch objects. Yoga handles all other requests, with identical responses. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { HttpRequest } from '../../http-message.ts';
import { createParsedRequestCache } from '../../lib/cache/named-lru.ts';
import type { RenderedBody } from '../../lib/cache/record-cache.ts';
import { assertJsonDepth } from '../../lib/json/json-depth.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { coerceVariables, graphqlCoercionRules, type Variables } from '../execute/coerce-variables.ts';
import type { Executor } from '../execute/executor.ts';
import type { PreparedOperation } from '../execute/prepared-document-types.ts';
import { toDocumentErrors, unknownOperationError } from '../execute/request-errors.ts';
import { type GraphqlRequestSource, runOperation } from '../execute/run-request.ts';
import {
  acceptedGraphqlType,
  createGraphqlResult,
  type GraphqlHttpResult,
  graphqlHeaders,
} from '../http/graphql-response.ts';
import { assertParamCount, isGraphqlParam } from '../http/request-params.ts';
import type { GraphqlDocumentRef, TrustedDocumentRegistry } from '../http/trusted-documents.ts';
import { respondFromRenderPlan } from './render-plan.ts';
import { parseGraphqlBody, type SplitGraphqlBody, splitGraphqlBody } from './request-body.ts';

interface Params extends GraphqlDocumentRef {
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

/** A request, parsed. It depends on the body alone, so that a repeated request is parsed once. */
interface ParsedRequest {
  readonly params: Params;
  /** Text of the document. */
  readonly source: string;
  readonly isRegistered: boolean;
  /** Coerced variables; undefined before the operation has a render plan, and if they are invalid. */
  readonly variables: Variables | undefined;
}

/** `bytes` is the body of the request. Undefined: the request has to be handled by Yoga. */
export type FastGraphqlHandler = (
  request: HttpRequest,
  bytes: Buffer,
  caller: GraphqlRequestSource,
) => Promise<GraphqlHttpResult | undefined>;

export function createFastGraphqlHandler(
  executor: Executor,
  documents: TrustedDocumentRegistry,
): FastGraphqlHandler {
  const memo = createParsedRequestCache<ParsedRequest>(({ variables }) => variables);

  /** A GraphQLError is the response; undefined: Yoga writes the response. */
  function parse(body: SplitGraphqlBody): ParsedRequest | GraphQLError | undefined {
    const params = readParams(body);
    if (!params) return undefined;
    const source = documents.resolve(params);
    if (source === undefined || source instanceof GraphQLError) return source;
    return { params, source, isRegistered: documents.isRegistered(source), variables: undefined };
  }

  return async (request, bytes, caller) => {
    const mediaType = responseType(request);
    if (!mediaType) return undefined;
    const body = splitGraphqlBody(bytes);
    const memoKey = memoKeyOf(body);
    const memoized = memo.find(memoKey);
    if (!memoized) assertJsonDepth(bytes);
    const parsed = memoized ?? parse(body);
    const respond = (result: ExecutionResult, name = '') =>
      createGraphqlResult(result, mediaType, name, caller.requestId);
    if (parsed instanceof GraphQLError) return respond({ errors: [parsed] });
    if (!parsed) return undefined;
    const { params, source, isRegistered } = parsed;
    const prepared = executor.prepare(source, isRegistered ? undefined : caller.address);
    if (prepared.errors.length > 0) return respond({ errors: toDocumentErrors(prepared.errors) });
    const operation = prepared.operation(params.operationName);
    if (!operation) return respond({ errors: [unknownOperationError(params.operationName)] });
    if (operation.kind === 'subscription') return undefined;
    const ctx = await caller.createContext();
    operation.observe(params.variables ?? {}, ctx.request);
    const plan = operation.renderPlan();
    const variables = plan && (parsed.variables ?? coerceValidVariables(operation, params.variables));
    const rendered = plan && variables && (await respondFromRenderPlan(plan, variables, ctx));
    if (rendered && !memoized) memo.store(memoKey, { ...parsed, variables });
    const result = rendered
      ? createRenderedResult(rendered, mediaType, operation.name)
      : respond(await runOperation(operation, params.variables, ctx), operation.name);
    result.isRegistered = isRegistered;
    return result;
  };
}

/** Undefined: the variables are invalid, and running the operation reports their errors. */
function coerceValidVariables(
  { variableTypes }: PreparedOperation,
  values: Variables | null | undefined,
): Variables | undefined {
  const { variables, issues } = coerceVariables(variableTypes, values ?? {}, graphqlCoercionRules);
  return issues.length === 0 ? variables : undefined;
}

/** MediaItem type of the response, the same that Yoga would choose; undefined unless the request is a plain JSON POST. */
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
