/** Request and response headers in OpenAPI, as shared components. */
import { apiVersions, defaultApiVersion } from '../../src/rest/api-versions.ts';

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' },
  example,
});

export const sampleRequestId = '6f1c3f0e-5a2b-4c55-9d0e-6b1a3f0c9a11';
const sampleTag = '"1-kq3Yx0PpT4zR2m1a"';

export const responseHeaders = {
  'X-Request-Id': text(
    'Id of the request in the logs: the value of the request header, or generated.',
    sampleRequestId,
  ),
  ETag: text('Version and content hash of the record.', sampleTag),
  Link: text(
    'URL of the next page; absent on the last page.',
    '</v1/businesses?limit=1&cursor=xyz>; rel="next"',
  ),
  Allow: text('Methods that the path supports.', 'GET, POST, HEAD, OPTIONS'),
  'Retry-After': count('Seconds to wait before a retry.', 30),
  'WWW-Authenticate': text('Authentication scheme.', 'Bearer'),
  'RateLimit-Policy': text(
    'Request budget: units, and the window in seconds. All RateLimit headers are absent while limits are disabled.',
    '600;w=60',
  ),
  'RateLimit-Limit': count(
    'Units of the caller per window, or attempts of an operation with a separate limit.',
    600,
  ),
  'RateLimit-Remaining': count('Remaining units in the window. Also sent with errors.', 598),
  'RateLimit-Reset': count('Seconds until the budget is full again.', 41),
  Deprecation: text(
    'Set when the request uses something deprecated: `@` and the Unix seconds since when (RFC 9745).',
    '@1763164800',
  ),
  Sunset: text(
    'Date after which the deprecated part may be removed, once decided (RFC 8594).',
    'Sat, 15 May 2027 00:00:00 GMT',
  ),
  Location: text('Path of the created record, if it has a path of its own.', '/v1/businesses/b1/products/p1'),
  'X-Ignored-Fields': text(
    `Paths of unknown fields of the body and unknown query parameters that were ignored, percent-encoded, separated by commas; 422 from API version \`${apiVersions.at(-1)}\` on.`,
    'variants.0.price, colour',
  ),
  'X-Consistency-Token': text(
    'With read replicas: position of this change. A read that sends it back sees at least this change.',
    '0/16B3748',
  ),
};

type ResponseHeader = keyof typeof responseHeaders;

export const headerRefs = (...names: ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const limitHeaders: readonly ResponseHeader[] = [
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

const parameter = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'header',
  description,
  schema,
});

const [oldest] = apiVersions;

/** Request headers as parameters. Headers for authentication are security schemes. */
export const requestHeaders = {
  'Idempotency-Key': parameter(
    'Idempotency-Key',
    'Client-chosen key, such as `order-2041`. Makes a retry safe: for 24 hours, the same key and body return the first response.',
  ),
  'If-Match': parameter(
    'If-Match',
    `ETag of the record, such as \`${sampleTag}\`: change it only if that is its current version.`,
  ),
  'If-None-Match': parameter(
    'If-None-Match',
    `ETag of the record in the client, such as \`${sampleTag}\`: 304 if it is unchanged.`,
  ),
  'X-Duet-Version': parameter(
    'X-Duet-Version',
    `API version, such as \`${oldest}\`. Default: \`${defaultApiVersion}\`. An unknown version is rejected with 400.`,
    { type: 'string', enum: apiVersions },
  ),
  'X-Client-Name': parameter(
    'X-Client-Name',
    'Name of the client program, at most 60 characters. API usage is counted by this name.',
  ),
  'X-Request-Id': parameter(
    'X-Request-Id',
    'Client-chosen id of the request, at most 200 characters without spaces. Logged and returned in the response.',
  ),
  'X-Consistency-Token': parameter(
    'X-Consistency-Token',
    'Consistency token of an earlier change: the response reflects at least that change, even from a replica.',
  ),
};

type RequestHeader = keyof typeof requestHeaders;

export const parameterRefs = (...names: RequestHeader[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
