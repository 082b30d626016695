/** A page or file outside the API, served by its exact path. */
import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../message.ts';

export type Page = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Serves the same bytes to everybody, and nothing to those who have them; made when first asked for. */
export function fixedFile(
  type: string,
  load: () => string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Page {
  let made: { body: string | Uint8Array; etag: string } | undefined;
  return (request) => {
    if (!made) {
      const body = load();
      made = { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` };
    }
    const common = { etag: made.etag, 'cache-control': 'no-cache', ...headers };
    if (request.header('if-none-match') === made.etag) return { status: 304, headers: common, body: null };
    return { status: 200, headers: { 'content-type': type, ...common }, body: made.body };
  };
}
