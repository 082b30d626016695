/** Error classes of both clients: one for each error code that a program can handle. */
import type { ErrorCode, ErrorDetailCode } from './generated/codes.ts';

export type { ErrorCode, ErrorDetailCode };

export interface ErrorDetail {
  /** Path of the field, such as `items.0.quantity`. */
  field: string;
  error: ErrorDetailCode;
  message: string;
}

export interface Failure {
  code: ErrorCode;
  message: string;
  details: readonly ErrorDetail[];
  requestId?: string | undefined;
  /** Seconds to wait before a retry. */
  retryAfter?: number | undefined;
}

export class DuetError extends Error {
  // A literal, not the name of the class: minifiers rename classes.
  override readonly name: string = 'DuetError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Id of the request in the logs of the gateway. */
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor({ code, message, details, requestId, retryAfter }: Failure) {
    super(message);
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** Whether the details contain this code. */
  has(error: ErrorDetailCode): boolean {
    return this.details.some((detail) => detail.error === error);
  }
}

export class BadRequestError extends DuetError {
  override readonly name = 'BadRequestError';
}
export class UnauthenticatedError extends DuetError {
  override readonly name = 'UnauthenticatedError';
}
export class ForbiddenError extends DuetError {
  override readonly name = 'ForbiddenError';
}
export class NotFoundError extends DuetError {
  override readonly name = 'NotFoundError';
}
export class ConflictError extends DuetError {
  override readonly name = 'ConflictError';
}
export class PreconditionFailedError extends DuetError {
  override readonly name = 'PreconditionFailedError';
}
export class ValidationError extends DuetError {
  override readonly name = 'ValidationError';
}
export class RateLimitedError extends DuetError {
  override readonly name = 'RateLimitedError';
}
/** The gateway or one of its dependencies is unavailable or timed out. */
export class UnavailableError extends DuetError {
  override readonly name = 'UnavailableError';
}

const classes: Partial<Record<ErrorCode, typeof DuetError>> = {
  BAD_REQUEST: BadRequestError,
  UNAUTHENTICATED: UnauthenticatedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  PRECONDITION_FAILED: PreconditionFailedError,
  VALIDATION_FAILED: ValidationError,
  RATE_LIMITED: RateLimitedError,
  UNAVAILABLE: UnavailableError,
  TIMEOUT: UnavailableError,
};

export const errorOf = (failure: Failure): DuetError => new (classes[failure.code] ?? DuetError)(failure);

/** Error of a response that is not JSON, such as that of a proxy. */
export const unreadable = (status: number): DuetError =>
  errorOf({
    code: status === 503 || status === 502 || status === 504 ? 'UNAVAILABLE' : 'INTERNAL',
    message: `The response could not be read (status ${status}).`,
    details: [],
  });
