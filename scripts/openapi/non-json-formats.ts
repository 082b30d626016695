/** Responses that are not JSON: HTML pages of links in mails, and lists as JSON lines. */
import type { ErrorCode } from '../../src/errors.ts';
import { changesJsonLinesPath, jsonLinesContentType } from '../../src/http/changes-json-lines-route.ts';
import { newsletterLinkPages } from '../../src/http/pages/customer/newsletter-link-pages.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { errorResponsesFor, page } from './error-responses.ts';
import { headerRefs } from './headers.ts';

type Json = { [key: string]: unknown };
type Paths = Record<string, Record<string, Json>>;

const hasPages = (path: string) => newsletterLinkPages.some((link) => link.path === path);

/** Media types of a successful response in addition to JSON. */
export function nonJsonContent({ method, path }: RestRoute): Json {
  if (hasPages(path)) return page;
  if (method !== 'GET' || path !== changesJsonLinesPath) return {};
  const description = 'With `Accept: application/x-ndjson`: all records of the list, one per line.';
  return { [jsonLinesContentType]: { schema: { type: 'string', description } } };
}

const hasPage = (code: ErrorCode) => code === 'NOT_FOUND' || code === 'VALIDATION_FAILED';

/** Errors that a route returns as a page. Errors while the form is read, before the route runs, are JSON. */
export function isErrorPage({ method, path }: RestRoute): (code: ErrorCode) => boolean {
  if (!hasPages(path)) return () => false;
  if (method === 'GET') return hasPage;
  return (code) => code !== 'REQUEST_TIMEOUT' && code !== 'PAYLOAD_TOO_LARGE';
}

/** Whether the route accepts the form of its page, which sends the token. */
export const acceptsForm = ({ method, path }: RestRoute): boolean => method === 'POST' && hasPages(path);

const toPascalCase = (name: string) =>
  name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

/** GET operations of the pages that mails link to. Where a route has GET already, the page is a media type of its response. */
export const pagePaths = (routes: Paths): Paths =>
  Object.fromEntries(
    newsletterLinkPages
      .map((link) => ({ ...link, path: link.path.replace(':businessId', '{businessId}') }))
      .filter(({ path }) => routes[path] && !routes[path].get)
      .map(({ path, name }) => [path, { get: pageOperation(name, path) }]),
  );

const parameter = (name: string, location: 'path' | 'query', description: string) => ({
  name,
  in: location,
  ...(location === 'path' ? { required: true } : {}),
  description,
  schema: { type: 'string' },
});

const pageOperation = (name: string, path: string): Json => ({
  operationId: `Show${toPascalCase(name)}Page`,
  summary: `Show the page to ${name}`,
  description: 'Page with a button; opening it changes nothing. Requests that accept only JSON get 405.',
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
    parameter('businessId', 'path', 'Business that sent the mail.'),
    parameter('token', 'query', 'Token in the link of the mail.'),
  ],
  responses: {
    200: { description: 'The page.', headers: headerRefs('X-Request-Id'), content: page },
    ...errorResponsesFor(
      ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'],
      undefined,
      hasPage,
    ),
  },
});
