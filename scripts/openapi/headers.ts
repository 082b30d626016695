/** Headers in OpenAPI: what the gateway answers with and what it reads, each described once. */
import { apiVersions } from '../../src/rest/api-versions.ts';

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const count = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' },
  example,
});

export const sampleRequestId = '6f1c3f0e-5a2b-4c55-9d0e-6b1a3f0c9a11';
const sampleTag = '"1-kq3Yx0PpT4zR2m1a"';

export const responseHeaders = {
  'X-Request-Id': text('Names the request in the logs; the one sent, when one was sent.', sampleRequestId),
  ETag: text('Names the version of the record and its bytes.', sampleTag),
  Link: text(
    'The address of the next page, while there is one.',
    '</v1/businesses?limit=1&cursor=xyz>; rel="next"',
  ),
  Allow: text('The methods that the path has.', 'GET, POST, HEAD, OPTIONS'),
  'Retry-After': count('Seconds to wait before another try.', 30),
  'WWW-Authenticate': text('How to sign in.', 'Bearer'),
  'RateLimit-Policy': text(
    'Units, and the seconds they are for. Absent, like its kin, without limits.',
    '600;w=60',
  ),
  'RateLimit-Limit': count('Units that the caller has a minute, or tries at what is limited by itself.', 600),
  'RateLimit-Remaining': count('How many of them are left. Failures tell it too.', 598),
  'RateLimit-Reset': count('Seconds until all of them are there again.', 41),
  Deprecation: text(
    'When the request uses what is on its way out: since when, in seconds after an @ (RFC 9745).',
    '@1763164800',
  ),
  Sunset: text('When that may stop to work, once it is decided (RFC 8594).', 'Sat, 15 May 2027 00:00:00 GMT'),
  'X-Consistency-Token': text(
    'Where there are read replicas: how far the primary had come. Sent with a read, it shows at least that.',
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

/** As parameters; those that say who asks are security schemes. */
export const requestHeaders = {
  'Idempotency-Key': parameter(
    'Idempotency-Key',
    'Any text of your own, such as `order-2041`. Makes a retry safe: the same key and body get the first answer, for 24 hours.',
  ),
  'If-Match': parameter(
    'If-Match',
    `The ETag of the record, such as \`${sampleTag}\`: do it only if that is still its version.`,
  ),
  'If-None-Match': parameter(
    'If-None-Match',
    `The ETag of the record as you have it, such as \`${sampleTag}\`: answer 304 if it is still that.`,
  ),
  'X-Duet-Version': parameter(
    'X-Duet-Version',
    `The day whose wire you speak, such as \`${oldest}\`; without it, the newest. Any other is 400.`,
    { type: 'string', enum: apiVersions },
  ),
  'X-Client-Name': parameter(
    'X-Client-Name',
    'What you call your program, at most 60 characters: its usage is counted under this name.',
  ),
  'X-Request-Id': parameter(
    'X-Request-Id',
    'Your name for the request, at most 200 characters without spaces, which logs and the answer have then.',
  ),
  'X-Consistency-Token': parameter(
    'X-Consistency-Token',
    'The token of a change: the read shows at least that, whichever replica answers.',
  ),
};

type RequestHeader = keyof typeof requestHeaders;

export const parameterRefs = (...names: RequestHeader[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
