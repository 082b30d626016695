/** Routes of newsletter mail links: serves the confirmation pages and accepts their forms, and one-click unsubscribe (RFC 8058). */
import type { RequestInProgress } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../../http-message.ts';
import { acceptsHtml, acceptsOnlyJson } from '../../../http-message.ts';
import type { RestResult } from '../../../rest/request-handler.ts';
import type { HttpRoute } from '../../http-route-types.ts';
import {
  type NewsletterLink,
  type NewsletterLinkSubject,
  newsletterLinkPages,
  renderBrokenNewsletterLinkPage,
} from './newsletter-link-pages.ts';

type RestHandler = (request: HttpRequest, call: RequestInProgress) => Promise<RestResult>;

interface MailLinkLookup {
  /** Whether the business exists. */
  isBusiness: (id: string) => Promise<boolean>;
  /** Subscription that the token of a mail identifies; undefined for an invalid token. */
  findSubject: (
    link: NewsletterLink,
    businessId: string,
    token: string,
  ) => Promise<NewsletterLinkSubject | undefined>;
}

export const createNewsletterLinkRoutes = (rest: RestHandler, lookup: MailLinkLookup): HttpRoute[] =>
  newsletterLinkPages.map((link) => {
    /** The first group is the business id. */
    const pattern = new RegExp(`^${link.path.replace(':businessId', '([^/]+)')}/?$`);
    return {
      path: '/v1/',
      pattern,
      handle: (request, call) =>
        handleMailLink(request, {
          link,
          businessId: pattern.exec(request.path)?.[1] ?? '',
          lookup,
          runRest: (restRequest) => rest(restRequest, call),
        }),
    };
  });

interface MailLinkRequest {
  link: NewsletterLink;
  businessId: string;
  lookup: MailLinkLookup;
  /** Runs the REST route of the link. */
  runRest: (request: HttpRequest) => Promise<RestResult>;
}

const maxFormBytes = 16 * 1024;

/**
 * Undefined for JSON requests, which the REST route handles. A GET request changes nothing, because mail scanners open
 * links too; the form of the page does, and so does the one-click form of RFC 8058.
 */
async function handleMailLink(
  request: HttpRequest,
  { link, businessId, lookup, runRest }: MailLinkRequest,
): Promise<RestResult | undefined> {
  if (request.method === 'HEAD' || (request.method === 'GET' && !acceptsOnlyJson(request))) {
    const route = `${link.name} page`;
    if (!(await lookup.isBusiness(businessId))) {
      if (acceptsHtml(request)) return { route, response: noIndex(renderBrokenNewsletterLinkPage(404)) };
      throw notFoundError('Business');
    }
    const token = tokenIn(request.query) ?? '';
    const subject = await lookup.findSubject(link, businessId, token);
    return {
      route,
      response: noIndex(subject ? link.renderConfirmation(subject) : renderBrokenNewsletterLinkPage(422)),
    };
  }
  if (request.method !== 'POST' || !isForm(request)) return undefined;
  const token = await formToken(request);
  const { response, route } = await runRest(toJsonRequest(request, token));
  const subject =
    response.status === 200 ? await lookup.findSubject(link, businessId, token ?? '') : undefined;
  return {
    route,
    response: noIndex(
      response.status === 200 ? link.renderResult(subject) : renderBrokenNewsletterLinkPage(response.status),
    ),
  };
}

/** Excludes the page from search engines. */
function noIndex(response: HttpResponse): HttpResponse {
  response.headers['x-robots-tag'] = 'noindex';
  return response;
}

const contentType = (request: HttpRequest) => request.header('content-type')?.toLowerCase() ?? '';
const isForm = (request: HttpRequest) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(contentType(request));

const tokenIn = (query: string) => new URLSearchParams(query).get('token') ?? undefined;

async function formToken(request: HttpRequest): Promise<string | undefined> {
  const body = await request.body(maxFormBytes);
  // The one-click form may be multipart; its token is in the URL.
  const bodyToken = contentType(request).startsWith('multipart') ? undefined : tokenIn(body.toString());
  return bodyToken ?? tokenIn(request.query);
}

const toJsonRequest = (request: HttpRequest, token: string | undefined): HttpRequest => ({
  ...request,
  header: (name) => (name === 'content-type' ? 'application/json' : request.header(name)),
  body: async () => Buffer.from(JSON.stringify({ token })),
});
