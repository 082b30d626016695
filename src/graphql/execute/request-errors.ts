/** Errors of requests whose operation did not begin, as both GraphQL lanes show them. */
import { GraphQLError } from 'graphql';
import { type AppError, type ErrorDetail, httpStatus } from '../../errors.ts';

/** Statuses of the GraphQL-over-HTTP specification: they apply to `application/graphql-response+json` only. */
export const specBadRequest = { http: { status: 400, spec: true } };

export const requestError = (message: string, details: readonly ErrorDetail[] = []) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', details, ...specBadRequest } });

/** What went wrong before any operation began, with the status REST would give it. */
export const toGraphqlError = ({ code, message, details }: AppError) =>
  new GraphQLError(message, { extensions: { code, details, http: { status: httpStatus[code] } } });

/** The error with the id that its request has in the logs. */
export function withRequestId(error: GraphQLError, requestId: string): GraphQLError {
  Object.assign(error.extensions, { requestId });
  return error;
}

/** A document's own faults, as both lanes show them. */
export const toDocumentErrors = (errors: readonly GraphQLError[]): GraphQLError[] =>
  errors.map(
    (error) =>
      new GraphQLError(shortened(error.message), {
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
      : 'Say which operation to run: send operationName.',
  );

/** Messages of validation quote the document, however long the quoted part is. */
const shortened = (message: string) => (message.length > 500 ? `${message.slice(0, 500)}…` : message);
