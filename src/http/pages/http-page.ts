/** Pages and files outside the API, served by their exact path. */
import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import { ifNoneMatchIncludes } from '../../rest/etag.ts';
import type { HttpRoute } from '../http-route.ts';

/** Undefined: not a case for this page after all. */
export type HttpPage = (request: HttpRequest) => HttpResponse | undefined | Promise<HttpResponse | undefined>;

export const pageRoute = (path: string, page: HttpPage): HttpRoute => ({
  path,
  async handle(request) {
    const response = request.method === 'GET' || request.method === 'HEAD' ? await page(request) : undefined;
    return response && { response };
  },
});

type Bytes = string | Uint8Array;

export interface StaticFileOptions {
  /** For files whose address carries their version. */
  immutable?: boolean;
  headers?: Readonly<Record<string, string>>;
}

/** Serves the same bytes to everybody, and none to those who have them; made when first asked for. */
export function staticFile(
  type: string,
  load: () => Bytes | Promise<Bytes>,
  { immutable = false, headers = {} }: StaticFileOptions = {},
): HttpPage {
  // The same bytes every time: they are packed once.
  let made: Promise<{ body: Uint8Array; etag: string }> | undefined;
  const make = async () => {
    const body = Buffer.from(await load());
    return { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` };
  };
  const caching = immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  return async (request) => {
    made ??= make();
    const { body, etag } = await made;
    const common = { etag, 'cache-control': caching, vary: 'accept-encoding', ...nosniff, ...headers };
    const isKnown = ifNoneMatchIncludes(request.header('if-none-match') ?? '', etag);
    if (isKnown) return { status: 304, headers: common, body: null };
    return { status: 200, headers: { 'content-type': type, ...common }, body };
  };
}

const nosniff = { 'x-content-type-options': 'nosniff' };

/** Sources a page needs beyond its own files. */
export type CspSources = Readonly<
  Partial<Record<'style-src' | 'script-src' | 'worker-src' | 'img-src' | 'font-src' | 'form-action', string>>
>;

export const pageHeaders = (extras: CspSources = {}): Record<string, string> => ({
  ...cspHeaders(extras),
  'cross-origin-opener-policy': 'same-origin',
});

/** Nothing but files of our own, nothing inline, nothing framed. */
export function cspHeaders(extras: CspSources): Record<string, string> {
  const policy: Record<string, string> = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    ...extras,
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'referrer-policy': 'no-referrer',
    ...nosniff,
  };
}
