/** Parts of pasted REST requests: the path below /v1/ of a URL, and a JSON body. */
import { findJsonRecordProblem } from '../../lib/json/json-limits.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { RestRequest } from './translate-request.ts';

export type RestRequestOrParseError = { request: RestRequest } | { error: string };

/** Path and query from `/v1/` on; the host may be a shell variable, such as `$DUET_URL`. Undefined without such a path. */
export function parseRestPathOfUrl(url: string): string | undefined {
  const [beforeFragment = ''] = url.split('#');
  const [pathname = ''] = beforeFragment.split('?');
  const start = pathname.indexOf('/v1/');
  return start < 0 ? undefined : beforeFragment.slice(start);
}

/** Parses a JSON object; an empty object for an empty text. Undefined if it is something else, or exceeds the limits of a request body. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && findJsonRecordProblem(value, { valueCount: 0 }) === undefined
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}
