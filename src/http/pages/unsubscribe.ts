/** Unsubscribing with a browser or a mail program: a page with a button, and the forms that come back. */
import type { HttpRequest, HttpResponse } from '../../message.ts';
import type { RestAnswer } from '../../rest/engine.ts';
import type { Call, Place } from '../place.ts';
import { type Html, markup } from './html.ts';
import { page } from './layout.ts';

const address = /^\/v1\/businesses\/([^/]+)\/collections\/unsubscribe\/?$/;

type Rest = (request: HttpRequest, call: Call) => Promise<RestAnswer>;

interface Gateway {
  /** Runs the REST row. */
  act: (request: HttpRequest) => Promise<RestAnswer>;
  /** Whether there is such a business. */
  isBusiness: (id: string) => Promise<boolean>;
}

export const unsubscribePlace = (rest: Rest, isBusiness: Gateway['isBusiness']): Place => ({
  path: '/v1/',
  answer: (request, call) => {
    const businessId = address.exec(request.path)?.[1];
    if (businessId === undefined) return undefined;
    return unsubscribePage(request, businessId, { act: (asked) => rest(asked, call), isBusiness });
  },
});

const maxFormBytes = 16 * 1024;

/**
 * Undefined: not for people, let the REST row answer. Opening the page never unsubscribes, because programs open links
 * too; sending the form does, as does the one-click form of RFC 8058.
 */
async function unsubscribePage(
  request: HttpRequest,
  businessId: string,
  { act, isBusiness }: Gateway,
): Promise<RestAnswer | undefined> {
  if (request.method === 'HEAD' || (request.method === 'GET' && !wantsOnlyJson(request))) {
    const route = 'unsubscribe page';
    if (await isBusiness(businessId)) return { route, response: confirmation(tokenIn(request.query) ?? '') };
    return wantsHtml(request) ? { route, response: failed(404) } : undefined;
  }
  if (request.method !== 'POST' || !isForm(request)) return undefined;
  const { response, route } = await act(asJson(request, await formToken(request)));
  return { route, response: response.status === 200 ? done() : failed(response.status) };
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

const confirmation = (token: string) =>
  shown(
    200,
    'Unsubscribe?',
    markup`<p>You will no longer receive this newsletter.</p>
<form method="post"><input type="hidden" name="token" value="${token}"><button class="main">Unsubscribe</button></form>`,
  );

const done = () =>
  shown(
    200,
    'You are unsubscribed',
    markup`<p role="status">You will not receive this newsletter any more.</p>`,
  );

const failed = (status: number) =>
  shown(status, 'This link does not work', markup`<p role="alert">Use the link in the most recent mail.</p>`);

function shown(status: number, title: string, body: Html): HttpResponse {
  const response = page(
    title,
    markup`<main class="one"><section class="card"><h2>${title}</h2>${body}</section></main>`,
    { status },
  );
  response.headers['x-robots-tag'] = 'noindex';
  return response;
}
