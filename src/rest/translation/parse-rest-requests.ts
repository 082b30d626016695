/** Parses pasted REST requests: curl commands, a HAR file, or a request line with an optional JSON body. */
import { parseCurlCommands } from './parse-curl.ts';
import { parseHar } from './parse-har.ts';
import { parseJsonObject, parseRestPathOfUrl, type RestRequestOrParseError } from './pasted-request-parts.ts';
import type { RestRequest } from './translate-request.ts';

type RestRequestsOrParseError = { requests: readonly RestRequest[] } | { error: string };

export function parseRestRequests(text: string): RestRequestsOrParseError {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const requests = parseHar(trimmed);
    if (!requests) return { error: 'This JSON is not a HAR file: it has no log.entries.' };
    return requests.length > 0 ? { requests } : { error: 'The HAR file has no request below /v1/.' };
  }
  // The form of a browser sends CRLF.
  const commands = /^[A-Z]+\s+\S*\/v1\//.test(trimmed)
    ? []
    : parseCurlCommands(trimmed.replaceAll('\r\n', '\n'));
  return commands.length > 0 ? joinResults(commands) : joinResults([parseRequestLine(trimmed)]);
}

/** All requests, or the first error. */
function joinResults(results: readonly RestRequestOrParseError[]): RestRequestsOrParseError {
  const requests: RestRequest[] = [];
  for (const [index, result] of results.entries()) {
    if ('request' in result) requests.push(result.request);
    else return { error: results.length > 1 ? `curl command ${index + 1}: ${result.error}` : result.error };
  }
  return { requests };
}

/** `PATCH /v1/… [HTTP/1.1]`, headers, and a JSON body. */
function parseRequestLine(text: string): RestRequestOrParseError {
  const [, method = '', url = '', rest = ''] =
    /^(GET|HEAD|POST|PUT|PATCH|DELETE)\s+(\S+)(?:\s+HTTP\/\S+)?(.*)$/s.exec(text) ?? [];
  if (method === '')
    return { error: 'Paste a curl command, a HAR file, or a request such as GET /v1/users/me.' };
  const path = parseRestPathOfUrl(url);
  if (path === undefined) return { error: 'The URL has no path below /v1/.' };
  const bodyStart = rest.search(/^[ \t]*\{/m);
  const head = bodyStart < 0 ? rest : rest.slice(0, bodyStart);
  const body = parseJsonObject(bodyStart < 0 ? '' : rest.slice(bodyStart));
  if (!body) return { error: 'The body is not a JSON object.' };
  const headers = Object.fromEntries(
    [...head.matchAll(/^([\w-]+):\s*(.*)$/gm)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value.trim(),
    ]),
  );
  return { request: { method, path, headers, body } };
}
