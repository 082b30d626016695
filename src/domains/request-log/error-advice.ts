/** Advice for developers, by error code. */
import type { ErrorCode } from '../../errors.ts';

const adviceByCode: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST:
    'Correct the request: valid JSON, `Content-Type: application/json`, and names that the contract has.',
  UNAUTHENTICATED:
    'Send a valid access token or API key. Access tokens end after an hour: request another one with the refresh token.',
  FORBIDDEN: 'Give the caller the permission: change its role, or the permissions of its API key.',
  NOT_FOUND:
    'Check ids and slugs, and whether the record belongs to this business and is visible to the caller.',
  METHOD_NOT_ALLOWED: 'Use a method that the response header `Allow` lists.',
  REQUEST_TIMEOUT: 'The body arrived too slowly: send it at once, and check the connection of the client.',
  CONFLICT:
    'Retry the request. With an `Idempotency-Key`, retry with the same body, or use another key for another request.',
  PRECONDITION_FAILED:
    'Read the record again, apply the change to its current version, and send that version.',
  PAYLOAD_TOO_LARGE: 'Send less at once: fewer items per request, or an upload or import for files.',
  VALIDATION_FAILED: 'Correct the fields that `details` lists. Repeating the same request fails again.',
  RATE_LIMITED: 'Wait for the seconds in `Retry-After`, send fewer requests, and cache responses.',
  INTERNAL: 'Report the request id to the operator: the log of the gateway has the cause.',
  UNAVAILABLE: 'Retry after a few seconds, with the same `Idempotency-Key` if the request writes.',
  TIMEOUT:
    'Read before you retry: a part of the change may have taken effect. Request fewer items or fields.',
};

/** Undefined for statuses without an error code, such as `HTTP_404`. */
export const findErrorAdvice = (code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(adviceByCode, code) ? adviceByCode[code as ErrorCode] : undefined;
