/** JSON of responses with a size limit of 2 MiB. Long texts under many aliases or on a page could reach hundreds of megabytes. */
import { AppError } from '../../errors.ts';
import { remainingBytesAfterJson } from './json-size.ts';

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
