/** AppError, the only error that clients see, and the HTTP status of each error code. */
import type { DetailCode } from './detail-codes.ts';

export const httpStatusByErrorCode = {
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

export type ErrorCode = keyof typeof httpStatusByErrorCode;

/** Descriptions of the error codes in the GraphQL schema and in OpenAPI. */
export const errorCodeDescriptions: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'The request is malformed: not JSON, the wrong content type, or an unknown provider.',
  UNAUTHENTICATED: 'The access token or API key is missing or invalid.',
  FORBIDDEN: 'The caller lacks the required permission.',
  NOT_FOUND: 'The record does not exist, or the caller may not see it.',
  METHOD_NOT_ALLOWED: 'The path does not support this method.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  CONFLICT:
    'Another request changed the same record at the same time, or the idempotency key was used for a different request.',
  PRECONDITION_FAILED: 'The record no longer has the version given in `If-Match`.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  VALIDATION_FAILED: 'Fields are invalid, or a business rule is violated. `details` lists all errors.',
  RATE_LIMITED: 'Too many requests of this kind. Retry later.',
  INTERNAL: 'Something went wrong on our side.',
  UNAVAILABLE: 'A service is temporarily unavailable, or the operation took too long (`TIMEOUT`).',
  TIMEOUT: 'The operation took too long and was stopped; a part of a change may have taken effect.',
};

/** One reason for an error: path of the field in the input, a stable code, and a message for people. */
export interface ErrorDetail {
  field: string;
  error: DetailCode;
  message: string;
}

interface AppErrorOptions {
  details?: readonly ErrorDetail[];
  /** Response headers of the error, such as `Retry-After` or `Allow`. */
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

export const unauthenticatedError = (
  message = 'Sign in: send an access token or API key as `Authorization: Bearer …`. A guest gets one by `login` with the provider GUEST.',
) => new AppError('UNAUTHENTICATED', message);

export const forbiddenError = (message = 'You do not have the required permission.') =>
  new AppError('FORBIDDEN', message);

/** Names the permissions, any one of which is sufficient. */
export const missingPermissionError = (...names: readonly string[]) =>
  forbiddenError(`You do not have the required permission: ${names.join(' or ')}.`);

export const notFoundError = (recordName: string) => new AppError('NOT_FOUND', `${recordName} not found.`);

/** A 422: a field is invalid, or a business rule is violated. */
export const validationError = (field: string, error: DetailCode, message: string) =>
  validationErrorFrom([{ field, error, message }]);

/** Like `validationError`, for any number of errors. */
export const validationErrorFrom = (details: readonly ErrorDetail[]) =>
  new AppError(
    'VALIDATION_FAILED',
    details.length === 1 ? (details[0]?.message ?? '') : 'Several fields are invalid.',
    { details: truncateErrorDetails(details) },
  );

const maxListedDetails = 100;
const maxCountedDetails = 1000;

/** Whether validation may stop: 1,000 errors were found, of which 100 are returned. */
export const isErrorDetailLimitReached = (details: readonly unknown[]) => details.length >= maxCountedDetails;

/** The first 100 details, followed by one AND_MORE detail with the number of the others. */
export function truncateErrorDetails(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  if (details.length <= maxListedDetails) return details;
  const more = `${isErrorDetailLimitReached(details) ? 'at least ' : ''}${details.length - maxListedDetails}`;
  return [
    ...details.slice(0, maxListedDetails),
    { field: '', error: 'AND_MORE', message: `And ${more} more.` },
  ];
}

export const internalError = () => new AppError('INTERNAL', 'Something went wrong on our side.');
