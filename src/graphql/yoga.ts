/** Yoga speaks every form of GraphQL over HTTP that the lean lane does not; execution is the same. */
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Context } from './context.ts';
import type { Executor } from './executor.ts';
import { maskError } from './masking.ts';
import { documentErrors, requestError, runOperation } from './request.ts';

export interface YogaServerContext {
  createContext(): Promise<Context>;
}

export function createGraphqlServer(executor: Executor, log: Logger) {
  return createYoga<YogaServerContext>({
    schema: executor.schema,
    graphqlEndpoint: '/graphql',
    // The dispatcher answers these for the whole gateway.
    cors: false,
    landingPage: false,
    logging: false,
    graphiql: { title: 'Duet' },
    batching: { limit: 10 },
    maxRequestBodySize: 1024 * 1024,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => maskError(error, { log, request: { requestId: '' } }) },
    context: ({ createContext }: YogaServerContext) => createContext(),
    plugins: [useExecutor(executor)],
  });
}

/** Replaces Yoga's parse, validate and execute by the one executor's. */
function useExecutor(executor: Executor): Plugin {
  return {
    onParse({ params, setParsedDocument }) {
      const prepared = executor.prepare(String(params.source));
      if (prepared.document) setParsedDocument(prepared.document);
      else throw documentErrors(prepared.errors)[0];
    },
    onValidate({ params, setResult }) {
      setResult(documentErrors(executor.preparedOf(params.documentAST)?.errors ?? []));
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ document, operationName, variableValues, contextValue }) => {
        const operation = executor.preparedOf(document)?.operation(operationName);
        if (!operation) return { errors: [unknownOperation(operationName)] };
        return runOperation(operation, variableValues, contextValue as Context);
      });
    },
  };
}

export const unknownOperation = (name: string | null | undefined) =>
  requestError(
    name
      ? `The document has no operation named "${name}".`
      : 'Say which operation to run: send operationName.',
  );
