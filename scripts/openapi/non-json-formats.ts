/** Answers that are not JSON: pages for people behind the links of mails, and lists as lines. */
import type { ErrorCode } from '../../src/errors.ts';
import { jsonLinesPath, jsonLinesType } from '../../src/http/json-lines-route.ts';
import { mailLinks } from '../../src/http/pages/customer/mail-link-pages.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { failures, page } from './error-responses.ts';
import { headerRefs } from './headers.ts';

type Json = { [key: string]: unknown };
type Paths = Record<string, Record<string, Json>>;

const hasPages = (path: string) => mailLinks.some((link) => link.path === path);

/** What else a row answers with when all went well, beside JSON. */
export function otherForms({ method, path }: RestRoute): Json {
  if (hasPages(path)) return page;
  if (method !== 'GET' || path !== jsonLinesPath) return {};
  const description = 'With `Accept: application/x-ndjson`: every record of the list, one a line.';
  return { [jsonLinesType]: { schema: { type: 'string', description } } };
}

const isOfPage = (code: ErrorCode) => code === 'NOT_FOUND' || code === 'VALIDATION_FAILED';

/** The failures that a row shows as a page. Forms are read before the row runs: what is wrong with reading is told in JSON. */
export function failsAsPage({ method, path }: RestRoute): (code: ErrorCode) => boolean {
  if (!hasPages(path)) return () => false;
  if (method === 'GET') return isOfPage;
  return (code) => code !== 'REQUEST_TIMEOUT' && code !== 'PAYLOAD_TOO_LARGE';
}

/** The forms of the pages send the token alone. */
export const takesForm = ({ method, path }: RestRoute): boolean => method === 'POST' && hasPages(path);

const wordsOf = (name: string) => name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The pages that mails link to. Where a row answers GET already, the page is one form of its answer. */
export const pagePaths = (rows: Paths): Paths =>
  Object.fromEntries(
    mailLinks
      .map((link) => ({ ...link, path: link.path.replace(':businessId', '{businessId}') }))
      .filter(({ path }) => rows[path] && !rows[path].get)
      .map(({ path, name }) => [path, { get: pageOperation(name, path) }]),
  );

const parameter = (name: string, place: 'path' | 'query', description: string) => ({
  name,
  in: place,
  ...(place === 'path' ? { required: true } : {}),
  description,
  schema: { type: 'string' },
});

const pageOperation = (name: string, path: string): Json => ({
  operationId: `Show${wordsOf(name)}Page`,
  summary: `Show the page to ${name}`,
  description:
    'A page with a button: opening it changes nothing. Whoever wants JSON alone finds nothing to GET here.',
  tags: ['subscriptions'],
  'x-codeSamples': [
    {
      lang: 'Shell',
      label: 'curl',
      source: `curl -H 'Accept: text/html' "$DUET_URL${path.replace('{businessId}', '$BUSINESS_ID')}?token=$TOKEN"`,
    },
  ],
  security: [],
  parameters: [
    parameter('businessId', 'path', 'The business that sent the mail.'),
    parameter('token', 'query', 'The token of the mail.'),
  ],
  responses: {
    200: { description: 'The page.', headers: headerRefs('X-Request-Id'), content: page },
    ...failures(
      ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'],
      undefined,
      isOfPage,
    ),
  },
});
