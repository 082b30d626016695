/** Literals for printed code: shell words and TypeScript values. */
import { inspect } from 'node:util';

/** Quotes a text for a POSIX shell: `it's` becomes `'it'\''s'`, so that neither variables nor backslashes are expanded. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const unlimited = { depth: null, maxArrayLength: null, maxStringLength: null } as const;

/** TypeScript literal of a JSON value, over several lines if it is longer than 80 characters. */
export const typeScriptLiteral = (value: unknown): string =>
  inspect(value, { ...unlimited, breakLength: 80 });
