/** Answers as JSON, within a bound. Long texts under many aliases, or many of them on a page, would be hundreds of megabytes. */
import { AppError } from '../errors.ts';
import { roomAfter } from './json-size.ts';

export const maxAnswerBytes = 2 * 1024 * 1024;

const message = `The answer would have more than ${maxAnswerBytes} bytes. Ask for fewer fields or smaller pages; changes that were asked for may have been made.`;

export const answerTooLarge = () =>
  new AppError('BAD_REQUEST', message, { details: [{ field: '', error: 'ANSWER_TOO_LARGE', message }] });

export const isAnswerTooLarge = (error: unknown) =>
  error instanceof AppError && error.details[0]?.error === 'ANSWER_TOO_LARGE';

/** Throws BAD_REQUEST for what is too large, before it is written. */
export function answerJson(value: unknown): string {
  expectFits(value);
  const text = JSON.stringify(value);
  expectShort(text);
  return text;
}

/** The same for what has been written already. */
export function expectShort(text: string): void {
  // A character has three bytes at most.
  if (text.length * 3 > maxAnswerBytes && Buffer.byteLength(text) > maxAnswerBytes) throw answerTooLarge();
}

export function expectFits(value: unknown): void {
  if (!fits(value)) throw answerTooLarge();
}

/** Whether it is worth writing: what fits may still turn out too long by its escapes. */
export const fits = (value: unknown): boolean => roomAfter(value, maxAnswerBytes) >= 0;
