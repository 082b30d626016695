/** Answers as JSON, within a bound. Long texts under many aliases, or many of them on a page, would be hundreds of megabytes. */
import { AppError } from '../../errors.ts';
import { remainingBytesAfter } from './json-size.ts';

export const maxResponseBytes = 2 * 1024 * 1024;

const message = `The answer would have more than ${maxResponseBytes} bytes. Ask for fewer fields or smaller pages; changes that were asked for may have been made.`;

export const responseTooLarge = () =>
  new AppError('BAD_REQUEST', message, { details: [{ field: '', error: 'ANSWER_TOO_LARGE', message }] });

export const isResponseTooLarge = (error: unknown) =>
  error instanceof AppError && error.details[0]?.error === 'ANSWER_TOO_LARGE';

/** Throws BAD_REQUEST for what is too large, before it is written. */
export function stringifyResponse(value: unknown): string {
  assertResponseSize(value);
  const text = JSON.stringify(value);
  assertResponseTextSize(text);
  return text;
}

/** The same for what has been written already. */
export function assertResponseTextSize(text: string): void {
  // A character has three bytes at most.
  if (text.length * 3 > maxResponseBytes && Buffer.byteLength(text) > maxResponseBytes)
    throw responseTooLarge();
}

export function assertResponseSize(value: unknown): void {
  if (!isWithinResponseSize(value)) throw responseTooLarge();
}

/** Whether it is worth writing: what fits may still turn out too long by its escapes. */
export const isWithinResponseSize = (value: unknown): boolean =>
  remainingBytesAfter(value, maxResponseBytes) >= 0;
