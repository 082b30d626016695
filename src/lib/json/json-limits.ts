/** Limits of one JSON document, wherever it comes from: number of values, depth, and text that PostgreSQL can store. */

/** Values in all lists and JSON objects of a document together, which bounds the time to validate them. */
export const maxJsonValues = 10_000;
/** Values in one list. */
export const maxListLength = 5000;
export const maxJsonDepth = 32;
/** Objects with fewer keys are fields of a record, which do not count as values. */
const minCountedKeys = 100;

export const tooManyValuesMessage = `All lists together must have at most ${maxJsonValues} values.`;
export const tooLongListMessage = `Must have at most ${maxListLength} items.`;
const tooDeepMessage = `Must not be nested deeper than ${maxJsonDepth} levels.`;
const protoKeyMessage = 'Must not contain the key __proto__.';

/** Number of values of a document so far. */
interface JsonValueCounter {
  valueCount: number;
}

/** Error message for text that PostgreSQL rejects; undefined if it can be stored. */
export const findUnstorableTextProblem = (text: string): string | undefined =>
  text.includes('\0') || !text.isWellFormed() ? 'Must not contain NUL or unpaired surrogates.' : undefined;

/** Error message for an object key; undefined if it is valid. */
export const findJsonKeyProblem = (key: string): string | undefined =>
  key === '__proto__' ? protoKeyMessage : findUnstorableTextProblem(key);

/** Error message for the first part of a value that exceeds a limit; undefined if there is none. */
export function findJsonProblem(value: unknown, counter: JsonValueCounter, depth = 0): string | undefined {
  if (typeof value === 'string') return findUnstorableTextProblem(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxJsonDepth) return tooDeepMessage;
  const entries = Object.entries(value);
  counter.valueCount += entries.length;
  if (counter.valueCount > maxJsonValues) return tooManyValuesMessage;
  for (const [key, inner] of entries) {
    const problem = findJsonKeyProblem(key) ?? findJsonProblem(inner, counter, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

/** Like `findJsonProblem`, for a parsed record whose types are not known yet: list items count as values, the fields of objects do not. */
export function findJsonRecordProblem(
  value: unknown,
  counter: JsonValueCounter,
  depth = 0,
): string | undefined {
  if (typeof value === 'string') return findUnstorableTextProblem(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 2 * maxJsonDepth) return tooDeepMessage;
  if (Array.isArray(value)) {
    if (value.length > maxListLength) return tooLongListMessage;
    counter.valueCount += value.length;
    if (counter.valueCount > maxJsonValues) return tooManyValuesMessage;
    return firstProblem(value, (item) => findJsonRecordProblem(item, counter, depth + 1));
  }
  const keys = Object.keys(value);
  if (keys.length >= minCountedKeys) counter.valueCount += keys.length;
  if (counter.valueCount > maxJsonValues) return tooManyValuesMessage;
  const record = value as Record<string, unknown>;
  return firstProblem(
    keys,
    (key) => findJsonKeyProblem(key) ?? findJsonRecordProblem(record[key], counter, depth + 1),
  );
}

function firstProblem<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = find(item);
    if (problem) return problem;
  }
  return undefined;
}

export const isTooLongMessage = (message: string): boolean =>
  message === tooManyValuesMessage || message === tooLongListMessage;
