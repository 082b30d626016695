/**
 * Finishes a response after its route: CORS headers, request id, cache headers and compression. Any origin may call the API, because
 * browsers do not attach bearer tokens by themselves and the API sets no cookies. Responses that any client may read get public cache
 * headers: storefronts of businesses with `publicRead`, requested without a token.
 */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Config } from '../config.ts';
import type { RequestFacts } from '../context.ts';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../http-message.ts';
import { copyToOwnBuffer } from '../lib/cache/record-cache.ts';
import { surrogateKeyHeaders } from '../ports/edge-cache.ts';
import { etagOf, ifNoneMatchIncludes } from '../rest/etag.ts';

export const staticCorsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, ETag, Link, Retry-After, Allow, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Deprecation, Sunset, Location, X-Ignored-Fields, X-Consistency-Token',
};

/** The pages of the sandbox and of operators are readable only by pages of their own origin. */
export const isSameOriginPath = (path: string): boolean => /^\/(?:sandbox|admin)(?:\/|$)/.test(path);

export const isCorsPreflight = (request: HttpRequest) =>
  request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;

export const corsPreflightResponse = (): HttpResponse => ({
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      'Authorization, Content-Type, X-API-Key, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Duet-Version, X-Client-Name, X-Consistency-Token',
    'access-control-max-age': '86400',
  },
  body: null,
});

export function addCommonHeaders(
  request: HttpRequest,
  response: HttpResponse,
  facts: RequestFacts,
  config: Pick<Config, 'edgeCache'>,
): HttpResponse {
  const publicResponse = toPublicResponse(request, response, facts, config);
  if (publicResponse) {
    // Other clients get this response too: it contains neither the rate limit of this network nor an id that this client chose.
    Object.assign(publicResponse.headers, sharedHeadersOf(request, facts), staticCorsHeaders);
    return publicResponse;
  }
  // Proxy caches do not vary by API key, so responses without a Cache-Control of their own are not stored.
  response.headers['cache-control'] ??= 'no-store';
  Object.assign(response.headers, facts.responseHeaders);
  if (!isSameOriginPath(request.path)) Object.assign(response.headers, staticCorsHeaders);
  response.headers['x-request-id'] = facts.requestId;
  return response;
}

/** The public form of a response; undefined if it must not be stored by shared caches. */
function toPublicResponse(
  request: HttpRequest,
  response: HttpResponse,
  facts: RequestFacts,
  { edgeCache }: Pick<Config, 'edgeCache'>,
): HttpResponse | undefined {
  const { tags } = facts.publicRead;
  if (!tags || edgeCache.maxAge === 0 || !isPublicRequest(request, facts)) return undefined;
  if (response.status !== 200 && response.status !== 304) return undefined;
  const { name, separator } = surrogateKeyHeaders[edgeCache.form];
  const text = textOf(response.body);
  const etag = response.headers.etag ?? (text === undefined ? undefined : etagOf(undefined, text));
  const headers: Record<string, string> = {
    ...response.headers,
    ...(etag === undefined ? {} : { etag }),
    'cache-control': `public, max-age=0, s-maxage=${edgeCache.maxAge}, stale-while-revalidate=${edgeCache.stale}`,
    vary: 'Authorization, X-API-Key, X-Consistency-Token, X-Duet-Version, Accept, Accept-Encoding',
    [name]: tags.join(separator),
  };
  // The REST engine has compared the tags of records. The contract has no 304 for lists: the cache compares their tags.
  const ifNoneMatch = request.path.startsWith('/graphql') ? request.header('if-none-match') : undefined;
  if (ifNoneMatch === undefined || etag === undefined || !ifNoneMatchIncludes(ifNoneMatch, etag))
    return { ...response, headers };
  const { 'content-type': _type, ...notModified } = headers;
  return { status: 304, headers: notModified, body: null };
}

/** GraphQL texts in the URL are not stored: clients choose them freely and would fill the cache. */
function isPublicRequest(
  { method, path, query }: HttpRequest,
  { authorization, apiKey, consistencyToken, responseHeaders }: RequestFacts,
): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (authorization !== undefined || apiKey !== undefined || consistencyToken !== undefined) return false;
  if (responseHeaders['cache-control'] !== undefined) return false;
  return path.startsWith('/v1/') || !new URLSearchParams(query).has('query');
}

const sharedHeaders = ['deprecation', 'sunset', 'x-ignored-fields'];

/** Headers of a public response that do not come from its client. */
function sharedHeadersOf(
  request: HttpRequest,
  { requestId, responseHeaders }: RequestFacts,
): Record<string, string> {
  const headers = Object.entries(responseHeaders).filter(([name]) => sharedHeaders.includes(name));
  const isOwnId = request.header('x-request-id') === undefined;
  return { ...Object.fromEntries(headers), 'x-request-id': isOwnId ? requestId : randomUUID() };
}

function textOf(body: HttpResponse['body']): string | undefined {
  if (typeof body === 'string') return body;
  if (body instanceof SegmentedBody) return body.toBuffer().toString();
  return body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
}

type Encoding = 'br' | 'gzip';

/** Smaller bodies fit into one packet either way. */
const minBytes = 1024;
const compressible =
  /^(?:text\/(?!event-stream)|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\b)/;

/** Brotli quality. 4 is about as fast as gzip, and smaller; 6 takes twice as long for 10 % fewer bytes. */
type Quality = 4 | 6;

const compressors: Record<Encoding, (bytes: Uint8Array, quality: Quality) => Promise<Uint8Array>> = {
  br: (bytes, quality) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Compressed bodies of cached responses, so that each is compressed once. The entry is collected with its body. */
const compressedBodies = new WeakMap<
  Uint8Array | SegmentedBody,
  Partial<Record<Encoding, Promise<Uint8Array>>>
>();

/** Compressed with br or gzip, as negotiated by Accept-Encoding. Streams and bodies below 1 KB stay uncompressed. */
export function compressResponse(
  request: HttpRequest,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const { body, headers } = response;
  if (
    body === null ||
    (typeof body !== 'string' && !(body instanceof Uint8Array || body instanceof SegmentedBody))
  )
    return response;
  if (
    body.length < minBytes ||
    headers['content-encoding'] ||
    !compressible.test(headers['content-type'] ?? '')
  )
    return response;
  if (!/accept-encoding/i.test(headers.vary ?? ''))
    headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding';
  const encoding = negotiateEncoding(request.header('accept-encoding'));
  return encoding ? withEncoding(response, body, encoding) : response;
}

async function withEncoding(
  response: HttpResponse,
  body: string | Uint8Array | SegmentedBody,
  encoding: Encoding,
): Promise<HttpResponse> {
  const { etag } = response.headers;
  const headers = {
    ...response.headers,
    'content-encoding': encoding,
    // The compressed representation is not byte-identical, so its validator must be weak.
    ...(etag && !etag.startsWith('W/') ? { etag: `W/${etag}` } : {}),
  };
  return { ...response, headers, body: await bytesOf(body, encoding) };
}

function bytesOf(body: string | Uint8Array | SegmentedBody, encoding: Encoding): Promise<Uint8Array> {
  if (typeof body === 'string') return compressors[encoding](Buffer.from(body), 4);
  const compressed = compressedBodies.get(body) ?? {};
  compressedBodies.set(body, compressed);
  compressed[encoding] ??= compressors[encoding](
    body instanceof SegmentedBody ? body.toBuffer() : body,
    6,
  ).then(copyToOwnBuffer);
  return compressed[encoding];
}

/** The accepted encoding with the highest weight, br before gzip; undefined when none is accepted or the header is missing. */
export function negotiateEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined || accepted === 'identity') return undefined;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',').slice(0, 20)) {
    const [name = '', ...parameters] = part.split(';').map((parameter) => parameter.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = (['br', 'gzip'] as const)
    .filter((name) => weightOf(name) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a));
  return best;
}
