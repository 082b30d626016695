/** Classification of database errors from pg, PGlite and Prisma, and their conversion into application errors. */
import { AppError, notFoundError } from '../errors.ts';
import { createPrismaDriverError } from '../vendor/prisma/driver-adapter-internals.ts';

type ClassifiedDbError =
  | { kind: 'unique' | 'foreignKey' | 'check'; constraint: string | undefined }
  | { kind: 'notFound' | 'serialization' | 'unavailable' | 'timeout' | 'invalidText' | 'writeFenced' };

type Kind = ClassifiedDbError['kind'];

const kindBySqlState: Readonly<Record<string, Kind>> = {
  '23505': 'unique',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23514': 'check',
  '40001': 'serialization',
  '40P01': 'serialization',
  '57014': 'timeout',
  '25P03': 'timeout',
  '25P04': 'timeout',
  '22021': 'invalidText',
  '22P05': 'invalidText',
  '22P02': 'invalidText',
  // Raised by the SQL function assert_row_count.
  P0002: 'notFound',
  // Raised by the trigger write_fence: the business is being moved to another server.
  DU001: 'writeFenced',
};

// Connection lost (08), resources exhausted (53), shutting down or starting (57P), read-only standby (25006).
const unavailableSqlState = /^(08|53|57P|25006)/;

const kindByPrismaCode: Readonly<Record<string, Kind>> = {
  P2002: 'unique',
  P2003: 'foreignKey',
  P2025: 'notFound',
  P2034: 'serialization',
  P1001: 'unavailable',
  P1002: 'unavailable',
  P1008: 'timeout',
  P1017: 'unavailable',
  P2024: 'unavailable',
  P2028: 'timeout',
  P2037: 'unavailable',
};

const unavailableSocketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

// Driver errors without a code.
const unavailableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|PGlite is clos(ed|ing))/;
const timeoutMessage = /^Query read timeout/;

/** Returns the kind of a database error; undefined for other errors and for kinds that a caller cannot act on. */
export function classifyDbError(error: unknown): ClassifiedDbError | undefined {
  const layers = layersOf(error);
  const kind = firstOf(layers, kindOfLayer);
  if (kind === 'unique' || kind === 'foreignKey' || kind === 'check') {
    return { kind, constraint: firstOf(layers, constraintOfLayer) };
  }
  return kind && { kind };
}

/** Business whose write fence rejected the statement: it is being moved, or is on another server. */
export function findFencedBusiness(error: unknown): string | undefined {
  if (classifyDbError(error)?.kind !== 'writeFenced') return undefined;
  const texts = layersOf(error).flatMap(({ message, originalMessage }) => [message, originalMessage]);
  return firstOf(texts, (text) =>
    typeof text === 'string' ? /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(text)?.[0] : undefined,
  );
}

// SQLSTATEs of the server, except those that end the connection (08, 57P): then the statement may have been executed.
const rejectedSqlState = /^(?!08|57P)(\d\d|F0|HV|P0|XX|DU)[0-9A-Z]{3}$/;

/** Whether the server itself rejected the statement, so that it had no effect. False when the outcome is unknown, such as a lost connection. */
export const isRejectedByDbServer = (error: unknown): boolean =>
  layersOf(error).some(({ originalCode, code }) => rejectedSqlState.test(String(originalCode ?? code)));

/** Whether the server rejected the statement for its content. False after a timeout or without resources: a retry would add load. */
export function isInvalidStatementError(error: unknown): boolean {
  const kind = classifyDbError(error)?.kind;
  return isRejectedByDbServer(error) && kind !== 'timeout' && kind !== 'unavailable';
}

/** Application error that a client may see. Statement texts and values stay in `cause`. */
export function dbErrorToAppError(error: unknown): AppError | undefined {
  const dbError = classifyDbError(error);
  switch (dbError?.kind) {
    case undefined:
      return unwrapRejectedStatement(error);
    case 'unique':
      return new AppError('CONFLICT', 'A record with the same unique value already exists.', {
        cause: error,
      });
    case 'foreignKey':
      return new AppError(
        'CONFLICT',
        'The record refers to a deleted record, or is still referenced by another one.',
        { cause: error },
      );
    case 'check':
      return new AppError('CONFLICT', 'The change violates a constraint of the database.', { cause: error });
    case 'serialization':
      return new AppError('CONFLICT', 'The record was changed at the same time, try again.', {
        cause: error,
      });
    case 'notFound':
      return notFoundError('Record');
    case 'invalidText':
      return new AppError('VALIDATION_FAILED', 'A value has characters or a format that cannot be stored.', {
        cause: error,
      });
    case 'writeFenced':
      return new AppError('UNAVAILABLE', 'The business is being moved to another server, try again.', {
        headers: { 'Retry-After': '1' },
        cause: error,
      });
    case 'unavailable':
    case 'timeout':
      return new AppError('UNAVAILABLE', 'The service is not available at the moment, try again.', {
        headers: { 'Retry-After': '1' },
        cause: error,
      });
  }
}

/** Prisma converts an AppError of `assertStatement` to its own error with this code, whose last line is the message. */
function unwrapRejectedStatement(error: unknown): AppError | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'BAD_REQUEST')) return undefined;
  return new AppError('BAD_REQUEST', error.message.split('\n').at(-1) ?? '', { cause: error });
}

interface Layer {
  code?: unknown;
  originalCode?: unknown;
  message?: unknown;
  originalMessage?: unknown;
  constraint?: unknown;
  cause?: unknown;
}

/** Innermost error first: Prisma wraps the adapter's error in `meta`, which wraps the driver's error in `cause`. */
function layersOf(error: unknown): Layer[] {
  const layers: Layer[] = [];
  for (let at: unknown = error; isObject(at) && layers.length < 6; ) {
    const layer: Layer = at;
    layers.unshift(layer);
    at = createPrismaDriverError(layer) ?? layer.cause;
  }
  return layers;
}

function kindOfLayer(layer: Layer): Kind | undefined {
  for (const code of [layer.originalCode, layer.code]) {
    if (typeof code !== 'string') continue;
    const kind = kindBySqlState[code] ?? kindByPrismaCode[code];
    if (kind) return kind;
    if (unavailableSqlState.test(code) || unavailableSocketCodes.has(code)) return 'unavailable';
  }
  if (typeof layer.message !== 'string') return undefined;
  if (timeoutMessage.test(layer.message)) return 'timeout';
  return unavailableMessage.test(layer.message) ? 'unavailable' : undefined;
}

function constraintOfLayer({ constraint, originalMessage, message }: Layer): string | undefined {
  if (typeof constraint === 'string') return constraint;
  if (isObject(constraint) && 'index' in constraint && typeof constraint.index === 'string')
    return constraint.index;
  // The adapters report the name only within the message, for example: violates check constraint "variants_quantity_check".
  return [originalMessage, message]
    .map((text) => (typeof text === 'string' ? /constraint "([^"]+)"/.exec(text)?.[1] : undefined))
    .find((name) => name !== undefined);
}

function firstOf<Item, T>(items: readonly Item[], read: (item: Item) => T | undefined): T | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
