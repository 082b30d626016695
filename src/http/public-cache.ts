/** Cache headers of responses that any client may read: storefronts of businesses with `publicRead`, requested without a token. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { RequestFacts } from '../context.ts';
import { type HttpRequest, type HttpResponse, SegmentedBody } from '../http-message.ts';
import { surrogateKeyHeaders } from '../ports/edge-cache.ts';
import { etagOf, ifNoneMatchIncludes } from '../rest/etag.ts';

/** The public form of a response; undefined if it must not be stored by shared caches. */
export function toPublicResponse(
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
export function sharedHeadersOf(
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
