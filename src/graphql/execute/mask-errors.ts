/** Turns whatever was thrown into what a caller may see. Everything unexpected is logged and hidden. */
import { GraphQLError, type GraphQLErrorOptions, type Source } from 'graphql';
import type { Logger } from 'pino';
import { dbErrorToAppError } from '../../db/errors.ts';
import { AppError, internalError } from '../../errors.ts';

interface Reporting {
  log: Logger;
  request: { requestId: string };
}

export function toAppError(error: unknown, { log, request }: Reporting): AppError {
  const original = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  if (original instanceof AppError) return original;
  const known = dbErrorToAppError(original);
  if (known) {
    log.warn({ requestId: request.requestId, err: original }, 'database error');
    return known;
  }
  log.error({ requestId: request.requestId, err: original }, 'unexpected error');
  return internalError();
}

/** For GraphQL: errors of the language keep their message, everything else is an AppError in `extensions`. */
export function maskError(error: unknown, reporting: Reporting, document?: Source): GraphQLError {
  if (error instanceof GraphQLError && !error.originalError && (!error.path || isMasked(error))) {
    const { code = 'BAD_REQUEST', details = [], http, originalError, requestId } = error.extensions;
    // `originalError` is a JSON parser's: a body that is not JSON is a 400, whatever media type was asked for.
    const status = originalError ? { status: 400 } : http;
    const shown = { ...(status ? { http: status } : {}), code, details, ...(requestId ? { requestId } : {}) };
    return located(error, error.message, shown, document);
  }
  const shown = toAppError(error, reporting);
  return located(error, shown.message, { code: shown.code, details: shown.details }, document);
}

/** Of errors at a path, only those that were masked before say a code. The others mean that a field was null that must not be. */
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
  // Errors of compiled operations have lines and columns only; Yoga copies positions only.
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
