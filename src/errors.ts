/** The one kind of failure that callers may see, and the one table from its code to an HTTP status. */

import type { DetailCode } from './detail-codes.ts';

export const httpStatus = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  VALIDATION_FAILED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMEOUT: 503,
} as const;

export type ErrorCode = keyof typeof httpStatus;

/** What each means, as both contracts tell it. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'The request is malformed: not JSON, the wrong content type, or an unknown provider.',
  UNAUTHENTICATED: 'There is no valid access token or API key.',
  FORBIDDEN: 'The caller lacks the permission this needs.',
  NOT_FOUND: 'There is no such record, or the caller may not know of it.',
  METHOD_NOT_ALLOWED: 'The path does not have this method.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  CONFLICT: 'Somebody changed the same record at the same time, or the idempotency key was used before.',
  PRECONDITION_FAILED: 'The record is no longer at the version that `If-Match` names.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  VALIDATION_FAILED: 'Fields are invalid, or a rule says no. All faults are listed.',
  RATE_LIMITED: 'Too many requests of this kind. Try again later.',
  INTERNAL: 'Something went wrong on our side.',
  UNAVAILABLE:
    'A part of the service is not available at the moment, or the operation took too long (`TIMEOUT`).',
  TIMEOUT: 'The operation took too long and was called off.',
};

/** One reason for a failure: the wire path of the field, a stable code, and a sentence for people. */
export interface ErrorDetail {
  field: string;
  error: DetailCode;
  message: string;
}

export interface AppErrorOptions {
  details?: readonly ErrorDetail[];
  /** Response headers that belong to the failure, such as `Retry-After` or `Allow`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { details = [], headers = {}, cause }: AppErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

export const unauthenticatedError = (message = 'Sign in: send a valid access token or API key.') =>
  new AppError('UNAUTHENTICATED', message);

export const forbiddenError = (message = 'You do not have the permission this needs.') =>
  new AppError('FORBIDDEN', message);

export const notFoundError = (what: string) => new AppError('NOT_FOUND', `${what} not found.`);

/** A 422: one or more fields are wrong, or a business rule says no. */
export const validationError = (...details: ErrorDetail[]) => validationErrorFrom(details);

/** The same for lists of any length. */
export const validationErrorFrom = (details: readonly ErrorDetail[]) =>
  new AppError(
    'VALIDATION_FAILED',
    details.length === 1 ? (details[0]?.message ?? '') : 'Several fields are invalid.',
    { details: truncateDetails(details) },
  );

const maxTold = 100;
const maxCounted = 1000;

/** Whether so many faults were found that looking for more is of no use to anybody. */
export const hasEnoughDetails = (details: readonly unknown[]) => details.length >= maxCounted;

/** At most 100 details are told, then how many more there were. */
export function truncateDetails(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  if (details.length <= maxTold) return details;
  const more = `${hasEnoughDetails(details) ? 'at least ' : ''}${details.length - maxTold}`;
  return [...details.slice(0, maxTold), { field: '', error: 'AND_MORE', message: `And ${more} more.` }];
}

export const internalError = () => new AppError('INTERNAL', 'Something went wrong on our side.');
