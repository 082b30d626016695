/** Parses curl commands, as documentation, scripts and browsers contain them, to the REST requests that they send. */
import { parseJsonObject, parseRestPathOfUrl, type RestRequestOrParseError } from './pasted-request-parts.ts';
import { expandAssignedVariables } from './shell-variables.ts';
import { splitShellCommands } from './shell-words.ts';

/** Short options with a value, which may be the rest of the word. */
const shortOptionsWithValue = 'AbcCdDeEFHKmoPQrtTuUwxXyYz';
/** Long options whose value is not part of the request. */
const longOptionsWithValue =
  /^--(?:cookie|cookie-jar|output|user|user-agent|referer|max-time|connect-timeout|write-out|retry|retry-delay|proxy|cacert|cert|key|resolve|limit-rate|dump-header|form)$/;
const bodyOption = /^(?:-d|--data(?:-raw|-binary|-ascii)?|--json)$/;

interface CurlParts {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string>;
  data: string[];
  isGet: boolean;
}

/** The curl commands of a text; other commands of a script are ignored. */
export function parseCurlCommands(text: string): RestRequestOrParseError[] {
  return expandAssignedVariables(splitShellCommands(text)).flatMap((words) => {
    const args = curlArguments(words);
    return args ? [parseCurl(args)] : [];
  });
}

/** Undefined for another command. `$ curl …` and `TOKEN=$(curl …)` are curl commands. */
function curlArguments(words: readonly string[]): readonly string[] | undefined {
  const [command = '', ...args] = words[0] === '$' ? words.slice(1) : words;
  if (command === 'curl') return args;
  if (!/^\w+=\$\(curl$/.test(command)) return undefined;
  return args.map((word, index) => (index === args.length - 1 ? word.replace(/\)$/, '') : word));
}

function parseCurl(words: readonly string[]): RestRequestOrParseError {
  const parts: CurlParts = { method: undefined, url: undefined, headers: {}, data: [], isGet: false };
  for (let index = 0; index < words.length; index += 1) index += readWord(parts, words, index);
  if (parts.url === undefined) return { error: 'The curl command has no URL.' };
  const target = parseRestPathOfUrl(parts.url);
  if (target === undefined) return { error: 'The URL has no path below /v1/.' };
  const path =
    parts.isGet && parts.data.length > 0
      ? `${target}${target.includes('?') ? '&' : '?'}${parts.data.join('&')}`
      : target;
  if (!parts.isGet && parts.data.some((data) => data.startsWith('@')))
    return { error: 'The body is in a file: paste its JSON into the command.' };
  const body = parts.isGet ? {} : parseJsonObject(parts.data.join('&'));
  if (!body) return { error: 'The body is not a JSON object.' };
  const method = parts.method ?? (parts.data.length > 0 && !parts.isGet ? 'POST' : 'GET');
  return { request: { method: method.toUpperCase(), path, headers: parts.headers, body } };
}

/** Reads the options or the argument at `index` and returns how many further words it took. */
function readWord(parts: CurlParts, words: readonly string[], index: number): number {
  const word = words[index] ?? '';
  const next = words[index + 1] ?? '';
  if (!word.startsWith('-') || word === '-') {
    parts.url ??= word;
    return 0;
  }
  if (word.startsWith('--')) {
    const [, name = word, joined] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const takesValue = readOption(parts, name, joined ?? next);
    return takesValue && joined === undefined ? 1 : 0;
  }
  // `-sX POST` and `-sXPOST` are the options -s and -X.
  for (const [position, letter] of [...word].entries()) {
    if (position === 0) continue;
    const joined = word.slice(position + 1);
    if (!readOption(parts, `-${letter}`, joined === '' ? next : joined)) continue;
    return joined === '' ? 1 : 0;
  }
  return 0;
}

/** Whether the option takes a value. */
function readOption(parts: CurlParts, option: string, value: string): boolean {
  if (option === '-X' || option === '--request') parts.method = value;
  else if (option === '-H' || option === '--header') addHeader(parts.headers, value);
  else if (option === '--oauth2-bearer') parts.headers.authorization = `Bearer ${value}`;
  else if (option === '--data-urlencode') parts.data.push(encodeData(value));
  else if (bodyOption.test(option)) parts.data.push(value);
  else if (option === '--url') parts.url = value;
  else if (option === '-G' || option === '--get') parts.isGet = true;
  else if (option === '-I' || option === '--head') parts.method = 'HEAD';
  else return shortOptionsWithValue.includes(option.slice(1)) || longOptionsWithValue.test(option);
  return !/^(?:-G|--get|-I|--head)$/.test(option);
}

function addHeader(headers: Record<string, string>, line: string): void {
  const separator = line.indexOf(':');
  if (separator > 0)
    headers[line.slice(0, separator).trim().toLowerCase()] = line.slice(separator + 1).trim();
}

/** `name=content`, `=content` or `content`, of which the content is encoded. */
function encodeData(value: string): string {
  const [, name = '', content = value] = /^([^=]*=)(.*)$/s.exec(value) ?? [];
  return `${name === '=' ? '' : name}${encodeURIComponent(content)}`;
}
