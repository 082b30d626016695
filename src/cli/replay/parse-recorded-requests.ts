/** Reads recorded REST reads from an access log (common or combined format) or a HAR file. */
import { OperatorError } from '../../lib/operator-errors.ts';
import { parseHar } from '../../rest/translation/parse-har.ts';

export interface RecordedRequest {
  /** Path with query. */
  path: string;
  /** Headers that identify the viewer and select the response; empty for access logs. */
  headers: Readonly<Record<string, string>>;
}

/** Proxies log absolute URLs, gateways paths. */
const logLine = /"GET (?:https?:\/\/[^/\s"]+)?(\/v1\/\S*) HTTP\/[\d.]+"/;
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

function fromHar(text: string): RecordedRequest[] {
  const requests = parseHar(text);
  if (!requests) throw new OperatorError('The file is not a valid HAR file: it has no log.entries.');
  return requests
    .filter(({ method }) => method === 'GET')
    .map(({ path, headers }) => ({
      path,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => replayedHeaders.includes(name))),
    }));
}
