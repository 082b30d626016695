/** Checks of JSON before parsing: UTF-8, and a maximum nesting depth, because half a million brackets take as long as many requests. */
import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';

const maxDepth = 200;
/** The depth of shorter bodies is not checked: they parse quickly at any depth. */
const minCheckedBytes = 10_000;

const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Throws BAD_REQUEST if the JSON is not UTF-8 or nested deeper than 200 levels. Scans the bytes without parsing. */
export function assertJsonBytes(json: Uint8Array): void {
  if (!isUtf8(json)) throw new AppError('BAD_REQUEST', 'The body must be UTF-8.');
  if (json.length < minCheckedBytes) return;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) at = endOfString(json, at);
    else if (byte < 0x5b) continue;
    else if (closing.has(byte)) depth -= 1;
    else if (opening.has(byte)) {
      depth += 1;
      if (depth > maxDepth)
        throw new AppError('BAD_REQUEST', `The body must not be nested deeper than ${maxDepth} levels.`);
    }
  }
}

/** Index of the closing quote of the string that starts at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let end = json.indexOf(quote, start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(quote, end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let before = at;
  while (json[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 1;
}
