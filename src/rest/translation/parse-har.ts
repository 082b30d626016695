/** Parses the REST requests of a HAR file, as browsers and proxies export it. */
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { parseJsonObject, parseRestPathOfUrl } from './pasted-request-parts.ts';
import type { RestRequest } from './translate-request.ts';

interface HarRequest {
  method: string;
  url: string;
  headers?: readonly { name: string; value: string }[];
  postData?: { text?: string };
}

/** Requests with a path below `/v1/`, in their order. Undefined if the text is not a HAR file. */
export function parseHar(text: string): RestRequest[] | undefined {
  return harRequests(text)?.flatMap(({ method, url, headers = [], postData }) => {
    const path = parseRestPathOfUrl(url);
    if (path === undefined) return [];
    return [
      {
        method: method.toUpperCase(),
        path,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value])),
        body: parseJsonObject(postData?.text ?? '') ?? {},
      },
    ];
  });
}

function harRequests(text: string): HarRequest[] | undefined {
  try {
    const har: unknown = JSON.parse(text);
    const log = isPlainObject(har) ? har.log : undefined;
    if (!isPlainObject(log) || !Array.isArray(log.entries)) return undefined;
    return log.entries.flatMap((entry: unknown) => {
      const request = isPlainObject(entry) ? entry.request : undefined;
      return isHarRequest(request) ? [request] : [];
    });
  } catch {
    return undefined;
  }
}

const isHarRequest = (value: unknown): value is HarRequest =>
  isPlainObject(value) &&
  typeof value.method === 'string' &&
  typeof value.url === 'string' &&
  (value.headers === undefined ||
    (Array.isArray(value.headers) &&
      value.headers.every(
        (header: unknown) =>
          isPlainObject(header) && typeof header.name === 'string' && typeof header.value === 'string',
      ))) &&
  (value.postData === undefined ||
    (isPlainObject(value.postData) && ['undefined', 'string'].includes(typeof value.postData.text)));
