/** Turns whatever was thrown into what a caller may see. Everything unexpected is logged and hidden. */
import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import type { Logger } from 'pino';
import { dbErrorToAppError } from '../db/errors.ts';
import { AppError, internal } from '../errors.ts';

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
  return internal();
}

/** For GraphQL: errors of the language keep their message, everything else is an AppError in `extensions`. */
export function maskError(error: unknown, reporting: Reporting): GraphQLError {
  if (error instanceof GraphQLError && !error.originalError) {
    const { code = 'BAD_REQUEST', details = [], ...rest } = error.extensions;
    return located(error, error.message, { ...rest, code, details });
  }
  const shown = toAppError(error, reporting);
  return located(error, shown.message, { code: shown.code, details: shown.details });
}

function located(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes = null, source, positions, path } = error;
  const options: GraphQLErrorOptions = { nodes, source, positions, path, extensions };
  return new GraphQLError(message, options);
}
