/**
 * PERF: cache of request body prefixes with their parsed query. Most clients send the same query with every request: only the rest of
 * the body is parsed and hashed then.
 */
import { isPlainObject } from '../../lib/json/plain-objects.ts';

export interface ParsedBodyPrefix {
  /** Body up to the comma after the query. */
  readonly text: string;
  /** Parameters in `text`: the query, and the name of the operation if it comes before it. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Differs from every other prefix. */
  readonly id: number;
}

/** Every body is compared with all of them; the oldest one is replaced. */
const maxPrefixes = 16;
/** Longer queries are not worth their memory. */
const maxLength = 20_000;

const pattern = /^\{\s*(?:"operationName"\s*:\s*"\w*"\s*,\s*)?"query"\s*:\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*,/;

/** Adds the prefix of a valid body that begins with none of `prefixes`. */
export function addParsedBodyPrefix(prefixes: ParsedBodyPrefix[], body: string): void {
  const found = body.length > maxLength ? undefined : pattern.exec(body)?.[0];
  if (found === undefined) return;
  // A copy, because a substring would retain the whole body.
  const text = Buffer.from(found).toString();
  const id = (prefixes.at(-1)?.id ?? 0) + 1;
  prefixes.push({ text, params: JSON.parse(`${text.slice(0, -1)}}`), id });
  if (prefixes.length > maxPrefixes) prefixes.shift();
}

/** Parameters of a body from its prefix and the rest. Undefined: the whole body has to be parsed. Throws SyntaxError. */
export function parseBodyAfterPrefix(
  { params }: ParsedBodyPrefix,
  rest: string,
): Record<string, unknown> | undefined {
  const others: unknown = JSON.parse(`{${rest}`);
  if (!isPlainObject(others)) return undefined;
  const names = Object.keys(others);
  // Without further parameters the comma is an error; of two parameters with one name the last one applies.
  const isUsual = names.length > 0 && !names.some((name) => Object.hasOwn(params, name));
  return isUsual ? Object.assign(others, params) : undefined;
}
