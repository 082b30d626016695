/** Yoga speaks every form of GraphQL over HTTP that the lean lane does not; execution is the same. */
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { isWithinResponseSize, responseTooLarge } from '../../lib/json/response-json.ts';
import type { Executor } from '../execute/executor.ts';
import { maskError } from '../execute/mask-errors.ts';
import {
  requestError,
  toDocumentErrors,
  toGraphqlError,
  unknownOperationError,
  withRequestId,
} from '../execute/request-errors.ts';
import { type GraphqlCaller, prepareDocument, recordUsage, runOperation } from '../execute/run-request.ts';
import { assertGraphqlParams } from './request-params.ts';
import type { DocumentRegistry } from './trusted-documents.ts';

export function createYogaServer(executor: Executor, documents: DocumentRegistry, log: Logger) {
  return createYoga<GraphqlCaller>({
    schema: executor.schema,
    graphqlEndpoint: '/graphql',
    // The dispatcher answers these for the whole gateway.
    cors: false,
    landingPage: false,
    logging: false,
    // A page of our own, see http/pages/graphiql.ts.
    graphiql: false,
    batching: { limit: 10 },
    extraParamNames: ['documentId'],
    // The dispatcher has read the body already.
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => maskError(error, { log, request: { requestId: '' } }) },
    context: ({ createContext }: GraphqlCaller) => createContext(),
    plugins: [useDocuments(executor, documents), useExecutor(executor, documents), useAnswers()],
  });
}

/** Finds the document of a request, and the operation in it, before Yoga asks for them. */
function useDocuments(executor: Executor, documents: DocumentRegistry): Plugin<object, GraphqlCaller> {
  return {
    onParams({ request, params, setParams, context }) {
      expectShape(params);
      const document = documents.resolve({ documentId: documentIdInUrl(request), ...params });
      if (document instanceof GraphQLError) throw document;
      if (typeof document !== 'string') return;
      if (document !== params.query) setParams({ ...params, query: document });
      const { errors, operation } = prepareDocument(executor, documents, document, context.address);
      if (errors.length > 0) return;
      const found = operation(params.operationName);
      if (!found) throw unknownOperationError(params.operationName);
      if (found.kind === 'subscription') askForEvents(request);
    },
  };
}

/** Subscriptions are answered as events or not at all; Yoga alone would choose multipart where both are accepted. */
function askForEvents({ headers }: Request): void {
  const accept = headers.get('accept') ?? '*/*';
  if (!/text\/event-stream|text\/\*|\*\/\*/i.test(accept))
    throw requestError(
      'Subscriptions are answered with events: send the header "accept: text/event-stream".',
    );
  headers.set('accept', 'text/event-stream');
}

/** Yoga ignores parameters of a GET that it does not know, and it does not know this one. */
const documentIdInUrl = ({ method, url }: Request) =>
  method === 'GET' ? new URL(url).searchParams.get('documentId') : undefined;

/** Yoga shows errors of GraphQL as they are. */
function expectShape(params: unknown): void {
  try {
    assertGraphqlParams(params);
  } catch (error) {
    throw error instanceof AppError ? toGraphqlError(error) : error;
  }
}

/** Errors of a finished answer say which request they belong to; those of events have said it already. So are they bounded. */
function useAnswers(): Plugin<object, GraphqlCaller> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (!(Symbol.asyncIterator in result) && !isWithinResponseSize(result)) {
        setResult({ errors: [withRequestId(toGraphqlError(responseTooLarge()), serverContext.requestId)] });
        return;
      }
      for (const one of Array.isArray(result) ? result : [result])
        if ('errors' in one)
          for (const error of one.errors ?? []) withRequestId(error, serverContext.requestId);
    },
  };
}

/** Replaces Yoga's parse, validate and execute by the one executor's. */
function useExecutor(executor: Executor, documents: DocumentRegistry): Plugin<GraphqlCaller> {
  const run = ({ document, operationName, variableValues, contextValue }: ExecutionArgs) => {
    const operation = executor.preparedOf(document)?.operation(operationName);
    if (!operation) return { errors: [unknownOperationError(operationName)] };
    const ctx = contextValue as Context;
    recordUsage(operation, variableValues, ctx);
    return runOperation(operation, variableValues, ctx);
  };
  return {
    onParse({ params, context, setParsedDocument }) {
      const prepared = prepareDocument(executor, documents, String(params.source), context.address);
      if (prepared.document) setParsedDocument(prepared.document);
      else throw toDocumentErrors(prepared.errors)[0];
    },
    onValidate({ params, setResult }) {
      setResult(toDocumentErrors(executor.preparedOf(params.documentAST)?.errors ?? []));
    },
    onExecute: ({ setExecuteFn }) => setExecuteFn(run),
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(run),
  };
}
