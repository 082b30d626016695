/** Pages and files outside the API, served by their exact path. */
import { createHash } from 'node:crypto';
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import { ifNoneMatchIncludes } from '../../rest/etag.ts';
import type { HttpRoute } from '../http-route-types.ts';

/** Undefined: the page does not handle this request, and the router tries the next route. */
export type HttpPageHandler = (
  request: HttpRequest,
) => HttpResponse | undefined | Promise<HttpResponse | undefined>;

export const createPageRoute = (path: string, page: HttpPageHandler): HttpRoute => ({
  path,
  methods: ['GET', 'HEAD'],
  async handle(request) {
    const response = await page(request);
    return response && { response };
  },
});

type Bytes = string | Uint8Array;

interface StaticFileOptions {
  /** For files whose URL contains their version. Default false. */
  immutable?: boolean;
  headers?: Readonly<Record<string, string>>;
}

/** Serves a file that is loaded on the first request, with ETag and 304 responses. */
export function createStaticFilePage(
  type: string,
  load: () => Bytes | Promise<Bytes>,
  { immutable = false, headers = {} }: StaticFileOptions = {},
): HttpPageHandler {
  // The same Buffer for every response, so that `compressResponse` compresses it once.
  let loaded: Promise<{ body: Uint8Array; etag: string }> | undefined;
  const loadFile = async () => {
    const body = Buffer.from(await load());
    return { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` };
  };
  const cacheControl = immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  return async (request) => {
    loaded ??= loadFile();
    const { body, etag } = await loaded;
    const common = { etag, 'cache-control': cacheControl, vary: 'accept-encoding', ...nosniff, ...headers };
    const isCachedByClient = ifNoneMatchIncludes(request.header('if-none-match') ?? '', etag);
    if (isCachedByClient) return { status: 304, headers: common, body: null };
    return { status: 200, headers: { 'content-type': type, ...common }, body };
  };
}

const nosniff = { 'x-content-type-options': 'nosniff' };

/** Content-Security-Policy directives that differ from the default. */
type CspDirectives = Readonly<
  Partial<Record<'style-src' | 'script-src' | 'worker-src' | 'img-src' | 'font-src' | 'form-action', string>>
>;

export const createPageSecurityHeaders = (extras: CspDirectives = {}): Record<string, string> => ({
  ...createCspHeaders(extras),
  'cross-origin-opener-policy': 'same-origin',
});

/** Default policy: same-origin files only, no inline scripts or styles, no framing. */
export function createCspHeaders(extras: CspDirectives): Record<string, string> {
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
