/** Failures as callers see them: one class for each code that a program can do something about. */
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
  /** Seconds to wait. */
  retryAfter?: number | undefined;
}

export class DuetError extends Error {
  // Said, not read off the class: bundlers rename classes.
  override readonly name: string = 'DuetError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Names the request in the logs of the gateway. */
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor({ code, message, details, requestId, retryAfter }: Failure) {
    super(message);
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** Whether this is among the reasons. */
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
/** The gateway, or something it needs, does not work at the moment. */
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

/** What answered was not the gateway, such as a proxy. */
export const unreadable = (status: number): DuetError =>
  errorOf({
    code: status === 503 || status === 502 || status === 504 ? 'UNAVAILABLE' : 'INTERNAL',
    message: `The answer could not be read (status ${status}).`,
    details: [],
  });
