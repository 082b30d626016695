/** Parses a curl command, as documentation and browsers print it, to the REST request that it sends. */
import { parseJsonObject, parseRestPathOfUrl, type RestRequestOrParseError } from './pasted-request-parts.ts';

/** Splits a shell command into words, like a POSIX shell, without expanding variables. */
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** Words of the first command: text after an unquoted `|`, `;` or `>` is not part of it. */
function splitShellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let position = 0;
  const append = (piece: string) => {
    word = (word ?? '') + piece;
  };
  const flush = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  while (position < text.length) {
    const character = text[position] ?? '';
    if (/[|;>]/.test(character)) break;
    if (character === "'" || text.startsWith("$'", position)) {
      const isEscaped = character === '$';
      const quoted = readQuoted(text, position + (isEscaped ? 2 : 1), "'", isEscaped);
      append(isEscaped ? quoted.text.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, unescapeAnsiC) : quoted.text);
      position = quoted.end;
    } else if (character === '"') {
      const quoted = readQuoted(text, position + 1, '"', true);
      append(
        quoted.text.replace(/\\(["\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped)),
      );
      position = quoted.end;
    } else if (character === '\\') {
      const next = text[position + 1] ?? '';
      // A backslash before a line break continues the line.
      if (next !== '\n' && next !== '\r') append(next);
      position += text.startsWith('\r\n', position + 1) ? 3 : 2;
    } else if (/\s/.test(character)) {
      flush();
      position += 1;
    } else {
      append(character);
      position += 1;
    }
  }
  flush();
  return words;
}

const unescapeAnsiC = (_: string, code: string): string =>
  code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code);

/** Text up to the closing quote, or to the end if there is none. */
function readQuoted(text: string, start: number, quote: string, hasEscapes: boolean) {
  let end = start;
  while (end < text.length && text[end] !== quote) end += hasEscapes && text[end] === '\\' ? 2 : 1;
  return { text: text.slice(start, end), end: end + 1 };
}

/** Options whose value is not part of the request. */
const optionsWithValue =
  /^(?:-[AbceDEFKmoQrtTuwxyYzU]|--(?:cookie|cookie-jar|output|user|user-agent|referer|max-time|connect-timeout|write-out|retry|retry-delay|proxy|cacert|cert|key|resolve|limit-rate|dump-header|form))$/;
const bodyOption = /^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/;

interface CurlParts {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string>;
  data: string[];
  isGet: boolean;
}

export function parseCurl(text: string): RestRequestOrParseError {
  const [, ...words] = splitShellWords(text);
  const parts: CurlParts = { method: undefined, url: undefined, headers: {}, data: [], isGet: false };
  for (let index = 0; index < words.length; index += 1) index += readWord(parts, words, index);
  if (parts.url === undefined) return { error: 'The curl command has no URL.' };
  const target = parseRestPathOfUrl(parts.url);
  if (target === undefined) return { error: 'The URL has no path below /v1/.' };
  const path =
    parts.isGet && parts.data.length > 0
      ? `${target}${target.includes('?') ? '&' : '?'}${parts.data.join('&')}`
      : target;
  const body = parts.isGet ? {} : parseJsonObject(parts.data.join('&'));
  if (!body) return { error: 'The body is not a JSON object.' };
  const method = parts.method ?? (parts.data.length > 0 && !parts.isGet ? 'POST' : 'GET');
  return { request: { method: method.toUpperCase(), path, headers: parts.headers, body } };
}

/** Reads the option or argument at `index` and returns how many further words it took. */
function readWord(parts: CurlParts, words: readonly string[], index: number): number {
  const word = words[index] ?? '';
  // `-XPOST` and `--request=POST` are one word.
  const joined = /^(-[XHd])(.+)$/s.exec(word) ?? /^(--[a-z-]+)=(.*)$/s.exec(word);
  const option = joined?.[1] ?? word;
  const value = joined?.[2] ?? words[index + 1] ?? '';
  const taken = joined ? 0 : 1;
  if (option === '-X' || option === '--request') parts.method = value;
  else if (option === '-H' || option === '--header') addHeader(parts.headers, value);
  else if (bodyOption.test(option)) parts.data.push(value);
  else if (option === '--url') parts.url = value;
  else if (option === '-G' || option === '--get') {
    parts.isGet = true;
    return 0;
  } else if (option === '-I' || option === '--head') {
    parts.method = 'HEAD';
    return 0;
  } else if (!option.startsWith('-')) {
    parts.url ??= word;
    return 0;
  } else return optionsWithValue.test(option) ? taken : 0;
  return taken;
}

function addHeader(headers: Record<string, string>, line: string): void {
  const separator = line.indexOf(':');
  if (separator > 0)
    headers[line.slice(0, separator).trim().toLowerCase()] = line.slice(separator + 1).trim();
}
