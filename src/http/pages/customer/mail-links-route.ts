/** Where the links of newsletters lead, with a browser or a mail program: a page with a button, and the forms that come back. */
import { notFoundError } from '../../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../../http-message.ts';
import type { RestResult } from '../../../rest/engine.ts';
import type { HttpCall, HttpRoute } from '../../http-route.ts';
import { type MailLink, type MailLinkSubject, mailLinks, renderBrokenLinkPage } from './mail-link-pages.ts';

type Rest = (request: HttpRequest, call: HttpCall) => Promise<RestResult>;

interface Gateway {
  /** Whether there is such a business. */
  isBusiness: (id: string) => Promise<boolean>;
  /** What the token of a mail stands for. */
  about: (link: MailLink, businessId: string, token: string) => Promise<MailLinkSubject | undefined>;
}

/** The first group is the business. */
const addresses = mailLinks.map((link) => ({
  link,
  /** Tells most paths apart, and quickly. */
  end: link.path.slice(link.path.lastIndexOf('/')),
  address: new RegExp(`^${link.path.replace(':businessId', '([^/]+)')}/?$`),
}));

export const mailLinksRoute = (rest: Rest, gateway: Gateway): HttpRoute => ({
  path: '/v1/',
  handle: (request, call) => {
    for (const { link, end, address } of addresses) {
      const businessId = request.path.includes(end) ? address.exec(request.path)?.[1] : undefined;
      if (businessId !== undefined)
        return answer(request, { link, businessId, gateway, act: (asked) => rest(asked, call) });
    }
    return undefined;
  },
});

interface Asked {
  link: MailLink;
  businessId: string;
  gateway: Gateway;
  /** Runs the REST row. */
  act: (request: HttpRequest) => Promise<RestResult>;
}

const maxFormBytes = 16 * 1024;

/**
 * Undefined: not for people, let the REST row answer. Opening the page changes nothing, because programs open links
 * too; sending the form does, as does the one-click form of RFC 8058.
 */
async function answer(
  request: HttpRequest,
  { link, businessId, gateway, act }: Asked,
): Promise<RestResult | undefined> {
  if (request.method === 'HEAD' || (request.method === 'GET' && !wantsOnlyJson(request))) {
    const route = `${link.name} page`;
    if (!(await gateway.isBusiness(businessId))) {
      if (wantsHtml(request)) return { route, response: shown(renderBrokenLinkPage(404)) };
      throw notFoundError('Business');
    }
    const token = tokenIn(request.query) ?? '';
    const about = await gateway.about(link, businessId, token);
    return { route, response: shown(about ? link.renderConfirmation(about) : renderBrokenLinkPage(422)) };
  }
  if (request.method !== 'POST' || !isForm(request)) return undefined;
  const token = await formToken(request);
  const { response, route } = await act(asJson(request, token));
  const about = response.status === 200 ? await gateway.about(link, businessId, token ?? '') : undefined;
  return {
    route,
    response: shown(
      response.status === 200 ? link.renderResult(about) : renderBrokenLinkPage(response.status),
    ),
  };
}

/** Search engines have no business here. */
function shown(response: HttpResponse): HttpResponse {
  response.headers['x-robots-tag'] = 'noindex';
  return response;
}

const accepted = (request: HttpRequest) => request.header('accept') ?? '';
const wantsHtml = (request: HttpRequest) => /\btext\/html\b/i.test(accepted(request));
const wantsOnlyJson = (request: HttpRequest) =>
  /\bapplication\/json\b/i.test(accepted(request)) && !wantsHtml(request);

const contentType = (request: HttpRequest) => request.header('content-type')?.toLowerCase() ?? '';
const isForm = (request: HttpRequest) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(contentType(request));

const tokenIn = (query: string) => new URLSearchParams(query).get('token') ?? undefined;

async function formToken(request: HttpRequest): Promise<string | undefined> {
  const body = await request.body(maxFormBytes);
  // The one-click form may be multipart, but then the token is in the address.
  const sent = contentType(request).startsWith('multipart') ? undefined : tokenIn(body.toString());
  return sent ?? tokenIn(request.query);
}

const asJson = (request: HttpRequest, token: string | undefined): HttpRequest => ({
  ...request,
  header: (name) => (name === 'content-type' ? 'application/json' : request.header(name)),
  body: async () => Buffer.from(JSON.stringify({ token })),
});
