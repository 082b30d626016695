/** Converts thrown values to errors that clients may see. Unexpected errors are logged and replaced by INTERNAL. */
import { GraphQLError, type GraphQLErrorOptions, type Source } from 'graphql';
import type { Logger } from 'pino';
import type { BusinessServers } from '../../context.ts';
import { dbErrorToAppError } from '../../db/classify-db-errors.ts';
import { AppError, internalError } from '../../errors.ts';

interface ErrorLog {
  log: Logger;
  request: { requestId: string };
  /** Undefined with one database server, and where no statement writes a business. */
  servers: Pick<BusinessServers, 'forgetServerOfBusiness'> | undefined;
}

export function toAppError(error: unknown, { log, request, servers }: ErrorLog): AppError {
  const original = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  if (original instanceof AppError) return original;
  const dbError = dbErrorToAppError(original);
  if (dbError) {
    servers?.forgetServerOfBusiness(original);
    log.warn({ requestId: request.requestId, err: original }, 'database error');
    return dbError;
  }
  log.error({ requestId: request.requestId, err: original }, 'unexpected error');
  return internalError();
}

/** GraphQL errors (syntax, validation) keep their message; all other errors become an AppError in `extensions`. */
export function maskError(error: unknown, errorLog: ErrorLog, document?: Source): GraphQLError {
  if (error instanceof GraphQLError && !error.originalError && (!error.path || isMasked(error))) {
    const { code = 'BAD_REQUEST', details = [], http, originalError, requestId } = error.extensions;
    // `originalError` comes from the JSON parser: an invalid body is a 400 for every media type.
    const status = originalError ? { status: 400 } : http;
    const extensions = {
      ...(status ? { http: status } : {}),
      code,
      details,
      ...(requestId ? { requestId } : {}),
    };
    return located(error, error.message, extensions, document);
  }
  const appError = toAppError(error, errorLog);
  return located(error, appError.message, { code: appError.code, details: appError.details }, document);
}

/** Errors with a path have a code only if they were masked before. The others report null in a non-null field. */
const isMasked = ({ extensions }: GraphQLError) => extensions?.code !== undefined;

function located(
  error: unknown,
  message: string,
  extensions: Record<string, unknown>,
  document: Source | undefined,
): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes = null, source, positions, path, locations } = error;
  const options: GraphQLErrorOptions = { nodes, source, positions, path, extensions };
  // Errors of compiled operations have lines and columns only, but Yoga copies positions only.
  if (!nodes && !positions && locations && document)
    Object.assign(options, {
      source: document,
      positions: locations.map((location) => positionOf(document, location)),
    });
  return new GraphQLError(message, options);
}

function positionOf({ body }: Source, { line, column }: { line: number; column: number }): number {
  const starts = [0, ...[...body.matchAll(/\r\n|[\n\r]/g)].map((end) => end.index + end[0].length)];
  return (starts[line - 1] ?? 0) + column - 1;
}
