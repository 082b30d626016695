/** Unsubscribing with a browser or a mail program: a page with a button, and the forms that come back. */
import type { HttpRequest, HttpResponse } from '../../message.ts';
import type { RestAnswer } from '../../rest/engine.ts';
import type { Call, Place } from '../place.ts';
import { type Html, markup } from './html.ts';
import { page } from './layout.ts';

const address = /^\/v1\/businesses\/[^/]+\/collections\/unsubscribe\/?$/;

type Rest = (request: HttpRequest, call: Call) => Promise<RestAnswer>;

export const unsubscribePlace = (rest: Rest): Place => ({
  path: '/v1/',
  answer: (request, call) =>
    address.test(request.path) ? unsubscribePage(request, (asked) => rest(asked, call)) : undefined,
});

const maxFormBytes = 16 * 1024;

/**
 * Undefined: not for people, let the REST row answer. Opening the page never unsubscribes, because programs open links
 * too; sending the form does, as does the one-click form of RFC 8058. `act` runs the REST row.
 */
async function unsubscribePage(
  request: HttpRequest,
  act: (request: HttpRequest) => Promise<RestAnswer>,
): Promise<RestAnswer | undefined> {
  if (request.method === 'HEAD' || (request.method === 'GET' && !wantsOnlyJson(request)))
    return { route: 'unsubscribe page', response: confirmation(tokenIn(request.query) ?? '') };
  if (request.method !== 'POST' || !isForm(request)) return undefined;
  const { response, route } = await act(asJson(request, await formToken(request)));
  return { route, response: response.status === 200 ? done() : failed(response.status) };
}

function wantsOnlyJson(request: HttpRequest): boolean {
  const accept = request.header('accept') ?? '';
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

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
