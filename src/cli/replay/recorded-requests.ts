/** Reads recorded REST reads from an access log (common or combined format) or a HAR file. */
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { OperatorError } from '../../lib/operator-errors.ts';

export interface RecordedRequest {
  /** Path with query. */
  path: string;
  /** Headers that identify the viewer and select the response; empty for access logs. */
  headers: Readonly<Record<string, string>>;
}

const logLine = /"GET (\/v1\/\S*) HTTP\/[\d.]+"/;
const replayedHeaders = ['authorization', 'x-api-key', 'x-duet-version'];

/** GET requests below `/v1/`, each once. */
export function parseRecordedRequests(text: string): RecordedRequest[] {
  const requests = /^\s*\{/.test(text) ? fromHar(text) : fromLog(text);
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}

const fromLog = (text: string): RecordedRequest[] =>
  text.split('\n').flatMap((line) => {
    const path = logLine.exec(line)?.[1];
    return path === undefined ? [] : [{ path, headers: {} }];
  });

interface HarEntry {
  request: { method: string; url: string; headers?: { name: string; value: string }[] };
}

function fromHar(text: string): RecordedRequest[] {
  return harEntries(text).flatMap(({ request: { method, url, headers = [] } }) => {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (method !== 'GET' || !target?.pathname.startsWith('/v1/')) return [];
    const pairs = headers
      .map(({ name, value }) => [name.toLowerCase(), value] as const)
      .filter(([name]) => replayedHeaders.includes(name));
    return [{ path: target.pathname + target.search, headers: Object.fromEntries(pairs) }];
  });
}

function harEntries(text: string): HarEntry[] {
  try {
    const har: unknown = JSON.parse(text);
    const log = isPlainObject(har) ? har.log : undefined;
    if (isPlainObject(log) && Array.isArray(log.entries)) return log.entries as HarEntry[];
  } catch {
    // Reported below.
  }
  throw new OperatorError('The file is not a valid HAR file: it has no log.entries.');
}
