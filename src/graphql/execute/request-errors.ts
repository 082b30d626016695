/** GraphQL errors of requests whose operation did not start; identical for Yoga and the fast HTTP handler. */
import { GraphQLError } from 'graphql';
import { type AppError, type ErrorDetail, httpStatusByErrorCode } from '../../errors.ts';

/**
 * Statuses of the GraphQL-over-HTTP specification (`spec`), edition of September 2026: they apply only to
 * `application/graphql-response+json`.
 */
const specBadRequestExtensions = { http: { status: 400, spec: true } };
/** The request is well-formed, but cannot be processed: validation, choice of the operation, coercion of variables. */
const specUnprocessableExtensions = { http: { status: 422, spec: true } };

export const graphqlBadRequestError = (message: string, details: readonly ErrorDetail[] = []) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', details, ...specBadRequestExtensions } });

/** An AppError as GraphQL error, with the HTTP status that REST uses. */
export const appErrorToGraphqlError = ({ code, message, details }: AppError) =>
  new GraphQLError(message, { extensions: { code, details, http: { status: httpStatusByErrorCode[code] } } });

/** Adds the request id of the logs to the extensions of the error. */
export function addRequestIdToError(error: GraphQLError, requestId: string): GraphQLError {
  Object.assign(error.extensions, { requestId });
  return error;
}

/** Errors of values in variables or literals. */
export const graphqlValidationError = (message: string, details: readonly ErrorDetail[]) =>
  new GraphQLError(message, {
    extensions: { code: 'VALIDATION_FAILED', details, ...specUnprocessableExtensions },
  });

/** Syntax and validation errors of a document, with the code BAD_REQUEST unless they have one. */
export const toDocumentErrors = (errors: readonly GraphQLError[]): GraphQLError[] =>
  errors.map(
    (error) =>
      new GraphQLError(truncateMessage(error.message), {
        nodes: error.nodes ?? null,
        source: error.source,
        positions: error.positions,
        extensions: {
          code: 'BAD_REQUEST',
          details: [],
          // Syntax errors have a position, but no node.
          ...(error.nodes ? specUnprocessableExtensions : specBadRequestExtensions),
          ...error.extensions,
        },
      }),
  );

export const unknownOperationError = (name: string | null | undefined) =>
  new GraphQLError(
    name
      ? `The document has no operation named "${name}".`
      : 'The document has several operations: send operationName.',
    { extensions: { code: 'BAD_REQUEST', details: [], ...specUnprocessableExtensions } },
  );

/** Validation messages quote the document without a length limit. */
const truncateMessage = (message: string) => (message.length > 500 ? `${message.slice(0, 500)}…` : message);
