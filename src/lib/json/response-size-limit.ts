/**
 * Size of values as JSON, estimated without serialising them, and the limit of 2 MiB for responses. Long texts under many aliases or on a
 * page could reach hundreds of megabytes.
 */
import { AppError } from '../../errors.ts';

export const maxResponseBytes = 2 * 1024 * 1024;

const message = `The response would exceed ${maxResponseBytes} bytes. Request fewer fields or smaller pages. Mutations of this request may have been executed.`;

export const responseTooLargeError = () =>
  new AppError('BAD_REQUEST', message, { details: [{ field: '', error: 'ANSWER_TOO_LARGE', message }] });

export const isResponseTooLargeError = (error: unknown) =>
  error instanceof AppError && error.details[0]?.error === 'ANSWER_TOO_LARGE';

/** Serialises a response. Throws BAD_REQUEST if it is too large, if possible before serialising. */
export function stringifyResponse(value: unknown): string {
  assertResponseSize(value);
  const text = JSON.stringify(value);
  assertResponseTextSize(text);
  return text;
}

/** Throws BAD_REQUEST if a serialised response is too large. */
export function assertResponseTextSize(text: string): void {
  // A UTF-16 code unit has at most three bytes in UTF-8.
  if (text.length * 3 > maxResponseBytes && Buffer.byteLength(text) > maxResponseBytes)
    throw responseTooLargeError();
}

export function assertResponseSize(value: unknown): void {
  if (!isWithinResponseSize(value)) throw responseTooLargeError();
}

/** Estimate before serialising: the text may still be too long because of escapes. */
export const isWithinResponseSize = (value: unknown): boolean =>
  remainingBytesAfterJson(value, maxResponseBytes) >= 0;

/**
 * Bytes of `room` that remain after the JSON of the value: an upper bound, because commas and escapes are not counted. Stops once the
 * result is negative, so that the cost is bounded by `room`.
 */
export function remainingBytesAfterJson(value: unknown, room: number): number {
  if (typeof value === 'string') return room - 2 - bytesOf(value);
  if (typeof value !== 'object' || value === null) return room - 1;
  let remaining = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      remaining = remainingBytesAfterJson(item, remaining);
      if (remaining < 0) break;
    }
    return remaining;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined || typeof inner === 'function') continue;
    remaining = remainingBytesAfterJson(inner, remaining - 3 - key.length);
    if (remaining < 0) break;
  }
  return remaining;
}

/** PERF: counts characters of short strings; counting their bytes costs more than the precision is worth. */
const bytesOf = (text: string) => (text.length < 100 ? text.length : Buffer.byteLength(text));
