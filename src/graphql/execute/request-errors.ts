/** GraphQL errors of requests whose operation did not start; identical for Yoga and the fast HTTP handler. */
import { GraphQLError } from 'graphql';
import { type AppError, type ErrorDetail, httpStatus } from '../../errors.ts';

/** Status of the GraphQL-over-HTTP specification (`spec`): applies only to `application/graphql-response+json`. */
export const specBadRequest = { http: { status: 400, spec: true } };

export const requestError = (message: string, details: readonly ErrorDetail[] = []) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', details, ...specBadRequest } });

/** An AppError as GraphQL error, with the HTTP status that REST uses. */
export const toGraphqlError = ({ code, message, details }: AppError) =>
  new GraphQLError(message, { extensions: { code, details, http: { status: httpStatus[code] } } });

/** Adds the request id of the logs to the extensions of the error. */
export function addRequestIdToError(error: GraphQLError, requestId: string): GraphQLError {
  Object.assign(error.extensions, { requestId });
  return error;
}

/** Syntax and validation errors of a document, with the code BAD_REQUEST. */
export const toDocumentErrors = (errors: readonly GraphQLError[]): GraphQLError[] =>
  errors.map(
    (error) =>
      new GraphQLError(truncateMessage(error.message), {
        nodes: error.nodes ?? null,
        source: error.source,
        positions: error.positions,
        extensions: { code: 'BAD_REQUEST', details: [], ...specBadRequest },
      }),
  );

export const unknownOperationError = (name: string | null | undefined) =>
  requestError(
    name
      ? `The document has no operation named "${name}".`
      : 'The document has several operations: send operationName.',
  );

/** Validation messages quote the document without a length limit. */
const truncateMessage = (message: string) => (message.length > 500 ? `${message.slice(0, 500)}…` : message);
