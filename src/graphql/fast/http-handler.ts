/** PERF: handles a plain JSON `POST /graphql` without Fetch objects. Yoga handles all other requests, with identical responses. */
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { Context, RequestInProgress } from '../../context.ts';
import { acceptedGraphqlType, type HttpRequest } from '../../http-message.ts';
import { isTimeoutError } from '../../lib/async/deadline.ts';
import { createParsedRequestCache } from '../../lib/cache/named-lru.ts';
import {
  joinRenderedSegments,
  type RenderedBody,
  renderCached,
  renderNodeList,
  toRenderedBody,
} from '../../lib/cache/record-cache.ts';
import { assertJsonBytes } from '../../lib/json/json-bytes.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { isResponseTooLargeError } from '../../lib/json/response-size-limit.ts';
import type { Page } from '../../lib/paging.ts';
import { coerceVariables, graphqlCoercionRules, type Variables } from '../execute/coerce-variables.ts';
import { type DocumentPreparer, prepareDocumentInTurn } from '../execute/document-preparer.ts';
import type { PageRenderPlan, RenderPlan } from '../execute/operation-compiler-types.ts';
import type { PreparedOperation } from '../execute/prepared-document-types.ts';
import { toDocumentErrors, unknownOperationError } from '../execute/request-errors.ts';
import { runOperation } from '../execute/run-request.ts';
import {
  createGraphqlFailure,
  createGraphqlResult,
  type GraphqlHttpResult,
} from '../http/graphql-response.ts';
import { assertParamCount, isGraphqlParam, maxGraphqlBytes } from '../http/request-params.ts';
import type { GraphqlDocumentRef, TrustedDocumentRegistry } from '../http/trusted-documents.ts';
import { needsExecutionError } from './json-writer.ts';
import {
  addParsedBodyPrefix,
  type ParsedBodyPrefix,
  parseBodyAfterPrefix,
} from './parsed-body-prefix-cache.ts';

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

/** Undefined: the request has to be handled by Yoga. */
type HandleGraphqlRequest = (
  request: HttpRequest,
  call: RequestInProgress,
) => Promise<GraphqlHttpResult | undefined>;

export function createFastGraphqlHandler(
  preparer: DocumentPreparer,
  documents: TrustedDocumentRegistry,
  log: Logger,
): HandleGraphqlRequest {
  const memo = createParsedRequestCache<ParsedRequest>(({ variables }) => variables);
  const bodyPrefixes: ParsedBodyPrefix[] = [];

  /** A GraphQLError is the response; undefined: Yoga writes the response. */
  function parse(bytes: Buffer, parseBody: () => unknown): ParsedRequest | GraphQLError | undefined {
    assertJsonBytes(bytes);
    const params = readParams(parseBody);
    if (!params) return undefined;
    const source = documents.resolve(params);
    if (source === undefined || source instanceof GraphQLError) return source;
    return { params, source, isRegistered: documents.isRegistered(source), variables: undefined };
  }

  async function respond(
    bytes: Buffer,
    mediaType: string,
    { facts, createContext }: RequestInProgress,
  ): Promise<GraphqlHttpResult | undefined> {
    const fail = (errors: readonly GraphQLError[]) =>
      createGraphqlResult({ errors }, mediaType, facts.requestId, '');
    const text = bytes.toString();
    const prefix = bodyPrefixes.find((candidate) => text.startsWith(candidate.text));
    const rest = prefix ? text.slice(prefix.text.length) : '';
    const memoKey = prefix ? `${prefix.id} ${rest}` : text;
    const memoized = memo.find(memoKey);
    const parsed =
      memoized ?? parse(bytes, () => (prefix && parseBodyAfterPrefix(prefix, rest)) ?? JSON.parse(text));
    if (parsed instanceof GraphQLError) return fail([parsed]);
    if (!parsed) return undefined;
    const { params } = parsed;
    const pending = prepareDocumentInTurn(preparer, parsed, facts);
    // PERF: without an await for a document that is prepared.
    const prepared = pending instanceof Promise ? await pending : pending;
    if (prepared.errors.length > 0) return fail(toDocumentErrors(prepared.errors));
    const operation = prepared.operation(params.operationName);
    if (!operation) return fail([unknownOperationError(params.operationName)]);
    if (operation.kind === 'subscription') return undefined;
    const ctx = await createContext();
    operation.observe(params.variables ?? {}, ctx.request);
    const plan = operation.renderPlan();
    const variables = plan && (parsed.variables ?? coerceValidVariables(operation, params.variables));
    const rendered = plan && variables && (await respondFromRenderPlan(plan, variables, ctx));
    if (rendered && !memoized) {
      memo.store(memoKey, { ...parsed, variables });
      if (!prefix) addParsedBodyPrefix(bodyPrefixes, text);
    }
    const result = rendered
      ? createRenderedResult(rendered, mediaType, operation.name)
      : createGraphqlResult(
          await runOperation(operation, params.variables, ctx),
          mediaType,
          facts.requestId,
          operation.name,
        );
    if (parsed.isRegistered) result.operation = operation.name;
    return result;
  }

  return async (request, call) => {
    const mediaType = responseType(request);
    if (mediaType === undefined) return undefined;
    try {
      return await respond(await request.body(maxGraphqlBytes), mediaType, call);
    } catch (error) {
      return createGraphqlFailure(request, error, { log, request: call.facts, servers: undefined });
    }
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

/** Media type of the response, the same that Yoga would choose; undefined unless the request is a plain JSON POST. */
function responseType(request: HttpRequest): string | undefined {
  const type = request.header('content-type');
  const isPlain =
    request.method === 'POST' &&
    request.query === '' &&
    (type === 'application/json' || type?.startsWith('application/json;'));
  return isPlain ? acceptedGraphqlType(request.header('accept')) : undefined;
}

/** Undefined for a body that Yoga would reject: Yoga then writes the error. */
function readParams(parseBody: () => unknown): Params | undefined {
  let value: unknown;
  try {
    value = parseBody();
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

/** PERF: response from cached JSON. Undefined: the operation has to be run, which also reports any error. */
async function respondFromRenderPlan(
  plan: RenderPlan,
  variables: Variables,
  ctx: Context,
): Promise<RenderedBody | undefined> {
  try {
    return renderGraphqlResponse(plan, await plan.resolveRoot(variables, ctx));
  } catch (error) {
    if (isTimeoutError(error) || isResponseTooLargeError(error)) throw error;
    return undefined;
  }
}

/** Renders the whole GraphQL response. Throws `needsExecutionError` if the value needs an execution. */
function renderGraphqlResponse(plan: RenderPlan, value: object | null | undefined): RenderedBody {
  if (!value) {
    if (plan.nullable) return joinRenderedSegments([plan.head, nullEnd]);
    throw needsExecutionError;
  }
  if (plan.kind === 'record')
    return renderCached(value, plan, () => toRenderedBody(`${plan.head}${plan.writeRecord(value)}}}`));
  return renderCached(value, plan, () =>
    joinRenderedSegments([plan.head, ...renderConnection(plan, value as Page<object>)]),
  );
}

function renderConnection({ fields }: PageRenderPlan, page: Page<object>): (string | Uint8Array)[] {
  const segments: (string | Uint8Array)[] = [];
  for (const { head, writeNode, writePage } of fields) {
    segments.push(head);
    if (writeNode) segments.push(...renderNodeList(page.nodes, writeNode));
    else segments.push(writePage(page));
  }
  segments.push(end);
  return segments;
}

const nullEnd = Buffer.from('null}}');
const end = Buffer.from('}}}');

const createRenderedResult = (
  { bytes }: RenderedBody,
  mediaType: string,
  operation: string,
): GraphqlHttpResult => ({
  response: { status: 200, headers: { 'content-type': `${mediaType}; charset=utf-8` }, body: bytes },
  // An operation may have no name.
  route: `graphql ${operation}`.trimEnd(),
  operation: 'other',
  code: undefined,
});
