/** Shared parts of both clients' mocks. */
import type { ErrorDetail } from './errors.ts';
import type { ErrorCode } from './generated/codes.ts';

/** Error response of a mock gateway. */
export interface Refused {
  code: ErrorCode;
  message?: string | undefined;
  details?: readonly ErrorDetail[] | undefined;
}

const requestId = '00000000-0000-4000-8000-000000000000';

export const failureOf = ({ code, message = `Rejected with ${code}.`, details = [] }: Refused) => ({
  code,
  message,
  details,
  requestId,
});

export const rootOf = (url: string): string => url.replace(/\/+$/, '');
