/** GraphQL Yoga server for all GraphQL-over-HTTP requests that the fast handler does not support; uses the same document preparer. */
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isWithinResponseSize, responseTooLargeError } from '../../lib/json/response-size-limit.ts';
import { type DocumentPreparer, prepareDocumentInTurn } from '../execute/document-preparer.ts';
import { runOperationIncrementally } from '../execute/incremental/run-operation-incrementally.ts';
import { maskError } from '../execute/mask-errors.ts';
import {
  addRequestIdToError,
  appErrorToGraphqlError,
  graphqlBadRequestError,
  toDocumentErrors,
  unknownOperationError,
} from '../execute/request-errors.ts';
import { type GraphqlRequestSource, runOperation } from '../execute/run-request.ts';
import { assertGraphqlParams } from './request-params.ts';
import type { TrustedDocumentRegistry } from './trusted-documents.ts';

export function createYogaServer(
  preparer: DocumentPreparer,
  documents: TrustedDocumentRegistry,
  log: Logger,
) {
  return createYoga<GraphqlRequestSource>({
    schema: preparer.schema,
    graphqlEndpoint: '/graphql',
    // The dispatcher handles CORS and the landing page for the whole gateway.
    cors: false,
    landingPage: false,
    logging: false,
    // The gateway serves its own GraphiQL page, see http/pages/graphiql-pages.ts.
    graphiql: false,
    batching: { limit: 10 },
    extraParamNames: ['documentId'],
    // The dispatcher has already read, and limited, the body.
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: {
      maskError: (error) => maskError(error, { log, request: { requestId: '' }, servers: undefined }),
    },
    context: ({ createContext }: GraphqlRequestSource) => createContext(),
    plugins: [useDocuments(preparer, documents), useDocumentPreparer(preparer, documents), useResponses()],
  });
}

/** Resolves and prepares the document of a request before Yoga parses it. */
function useDocuments(
  preparer: DocumentPreparer,
  documents: TrustedDocumentRegistry,
): Plugin<object, GraphqlRequestSource> {
  return {
    onRequestParse: ({ serverContext }) => ({
      onRequestParseDone({ requestParserResult }) {
        // The results of a batch are one list.
        if (Array.isArray(requestParserResult)) serverContext.incremental.isAccepted = false;
      },
    }),
    async onParams({ request, params, setParams, context }) {
      assertParams(params);
      const document = documents.resolve({ documentId: documentIdInUrl(request), ...params });
      if (document instanceof GraphQLError) throw document;
      if (typeof document !== 'string') return;
      if (document !== params.query) setParams({ ...params, query: document });
      const isRegistered = documents.isRegistered(document);
      const pending = prepareDocumentInTurn(preparer, { source: document, isRegistered }, context);
      const { errors, operation } = await pending;
      // Yoga would report a missing operation name first.
      if (errors.length > 0) throw new AggregateError(toDocumentErrors(errors));
      const requested = operation(params.operationName);
      if (!requested) throw unknownOperationError(params.operationName);
      if (requested.kind === 'subscription') requireEventStream(request);
    },
  };
}

/** Subscriptions are sent as server-sent events only; without this Yoga would prefer multipart if both are accepted. */
function requireEventStream({ headers }: Request): void {
  const accept = headers.get('accept') ?? '*/*';
  if (!/text\/event-stream|text\/\*|\*\/\*/i.test(accept))
    throw graphqlBadRequestError(
      'Subscriptions are sent as events: send the header "accept: text/event-stream".',
    );
  headers.set('accept', 'text/event-stream');
}

/** Yoga does not read `documentId` from the URL of a GET. */
const documentIdInUrl = ({ method, url }: Request) =>
  method === 'GET' ? new URL(url).searchParams.get('documentId') : undefined;

/** Converts validation errors to GraphQL errors, which Yoga returns unchanged. */
function assertParams(params: unknown): void {
  try {
    assertGraphqlParams(params);
  } catch (error) {
    throw error instanceof AppError ? appErrorToGraphqlError(error) : error;
  }
}

/** Limits the response size and adds the request id to errors; events of subscriptions have both already. */
function useResponses(): Plugin<object, GraphqlRequestSource> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (!(Symbol.asyncIterator in result) && !isWithinResponseSize(result)) {
        setResult({
          errors: [
            addRequestIdToError(appErrorToGraphqlError(responseTooLargeError()), serverContext.requestId),
          ],
        });
        return;
      }
      for (const item of Array.isArray(result) ? result : [result])
        if ('errors' in item)
          for (const error of item.errors ?? []) addRequestIdToError(error, serverContext.requestId);
    },
  };
}

/** Replaces Yoga's parse, validate, execute and subscribe by prepared documents. */
function useDocumentPreparer(
  preparer: DocumentPreparer,
  documents: TrustedDocumentRegistry,
): Plugin<GraphqlRequestSource> {
  const run = ({ document, operationName, variableValues, contextValue }: ExecutionArgs) => {
    const operation = preparer.preparedOf(document)?.operation(operationName);
    if (!operation) return { errors: [unknownOperationError(operationName)] };
    const ctx = contextValue as Context & GraphqlRequestSource;
    operation.observe(variableValues ?? {}, ctx.request);
    return ctx.incremental.isAccepted && operation.runIncrementally
      ? runOperationIncrementally(operation, variableValues, ctx, ctx.incremental)
      : runOperation(operation, variableValues, ctx);
  };
  return {
    onParse({ params, context, setParsedDocument }) {
      const source = String(params.source);
      const prepared = preparer.prepare(source, documents.isRegistered(source) ? undefined : context.address);
      if (prepared.document) setParsedDocument(prepared.document);
      else throw toDocumentErrors(prepared.errors)[0];
    },
    onValidate({ params, setResult }) {
      setResult(toDocumentErrors(preparer.preparedOf(params.documentAST)?.errors ?? []));
    },
    onExecute: ({ setExecuteFn }) => setExecuteFn(run),
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(run),
  };
}
