/** CORS headers. Any origin may call the API: browsers do not attach bearer tokens by themselves, and the API sets no cookies. */
import type { HttpRequest, HttpResponse } from '../http-message.ts';

export const corsHeaders: Readonly<Record<string, string>> = {
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
