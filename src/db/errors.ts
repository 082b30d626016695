/** What went wrong in the database, whichever of pg, PGlite or Prisma reports it and in whatever form. */
import { AppError, notFoundError } from '../errors.ts';

export type DbError =
  | { kind: 'unique' | 'foreignKey' | 'check'; constraint: string | undefined }
  | { kind: 'notFound' | 'serialization' | 'unavailable' | 'timeout' | 'invalidText' };

type Kind = DbError['kind'];

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
};

// Connection lost, resources used up, shutting down or starting, and a standby that does not take writes.
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

// Errors of the drivers that carry no code at all.
const unavailableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|PGlite is clos(ed|ing))/;
const timeoutMessage = /^Query read timeout/;

/** Recognises a database error, or returns nothing when it is none, or none that a caller can do much about. */
export function classifyDbError(error: unknown): DbError | undefined {
  const layers = layersOf(error);
  const kind = firstOf(layers, kindOfLayer);
  if (kind === 'unique' || kind === 'foreignKey' || kind === 'check') {
    return { kind, constraint: firstOf(layers, constraintOfLayer) };
  }
  return kind && { kind };
}

// As the server numbers its errors, but for those that end the connection: then the statement may have been done already.
const refusedSqlState = /^(?!08|57P)(\d\d|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/** Whether the database has said no, so that nothing of the statement has happened; who hears no answer cannot know. */
export const isRejectedByServer = (error: unknown): boolean =>
  layersOf(error).some(({ originalCode, code }) => refusedSqlState.test(String(originalCode ?? code)));

/** The failure that a caller may see; the text of statements and values stays in the cause. */
export function dbErrorToAppError(error: unknown): AppError | undefined {
  const described = classifyDbError(error);
  switch (described?.kind) {
    case undefined:
      return undefined;
    case 'unique':
      return new AppError('CONFLICT', 'Something with the same identity exists already.', { cause: error });
    case 'foreignKey':
      return new AppError('CONFLICT', 'This is connected to something that is gone, or still in use.', {
        cause: error,
      });
    case 'check':
      return new AppError('CONFLICT', 'The change would break a rule of the stored data.', { cause: error });
    case 'serialization':
      return new AppError('CONFLICT', 'This was changed at the same time, try again.', { cause: error });
    case 'notFound':
      return notFoundError('Record');
    case 'invalidText':
      return new AppError('VALIDATION_FAILED', 'A value holds characters or a form that cannot be stored.', {
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

interface Layer {
  code?: unknown;
  originalCode?: unknown;
  message?: unknown;
  originalMessage?: unknown;
  constraint?: unknown;
  meta?: unknown;
  cause?: unknown;
}

/** Innermost first: Prisma wraps the adapter's error in `meta`, and that one the driver's in `cause`. */
function layersOf(error: unknown): Layer[] {
  const layers: Layer[] = [];
  for (let at: unknown = error; isObject(at) && layers.length < 6; ) {
    const layer: Layer = at;
    layers.unshift(layer);
    at =
      isObject(layer.meta) && 'driverAdapterError' in layer.meta
        ? layer.meta.driverAdapterError
        : layer.cause;
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
  // The adapters keep the name only in the sentence, for example: violates check constraint "variants_quantity_check".
  return [originalMessage, message]
    .map((text) => (typeof text === 'string' ? /constraint "([^"]+)"/.exec(text)?.[1] : undefined))
    .find((name) => name !== undefined);
}

function firstOf<T>(layers: Layer[], read: (layer: Layer) => T | undefined): T | undefined {
  for (const layer of layers) {
    const found = read(layer);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
