/** Unsubscribing with a browser or a mail program: a page with a button, and the forms that come back. */
import type { RestAnswer } from '../../rest/engine.ts';
import { type HttpRequest, type HttpResponse, html } from '../message.ts';

const address = /^\/v1\/businesses\/[^/]+\/collections\/unsubscribe\/?$/;

export const isUnsubscribeAddress = (path: string): boolean => address.test(path);

const maxFormBytes = 16 * 1024;

/**
 * Undefined: not for people, let the REST row answer. Opening the page never unsubscribes, because programs open links
 * too; sending the form does, as does the one-click form of RFC 8058. `act` runs the REST row.
 */
export async function unsubscribePage(
  request: HttpRequest,
  act: (request: HttpRequest) => Promise<RestAnswer>,
): Promise<RestAnswer | undefined> {
  if (request.method === 'HEAD' || (request.method === 'GET' && !wantsOnlyJson(request)))
    return { route: 'unsubscribe page', response: page(200, confirmation(tokenIn(request.query) ?? '')) };
  if (request.method !== 'POST' || !isForm(request)) return undefined;
  const { response, route } = await act(asJson(request, await formToken(request)));
  return { route, response: response.status === 200 ? page(200, done) : page(response.status, failed) };
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

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const confirmation = (token: string) => `<h1>Unsubscribe?</h1>
<p>You will no longer receive this newsletter.</p>
<form method="post"><input type="hidden" name="token" value="${escaped(token)}"><button>Unsubscribe</button></form>`;

const done =
  '<h1>You are unsubscribed</h1><p role="status">You will not receive this newsletter any more.</p>';
const failed = '<h1>This link does not work</h1><p role="alert">Use the link in the most recent mail.</p>';

const page = (status: number, body: string): HttpResponse =>
  html(
    status,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Unsubscribe</title>
<style>
body{font:16px/1.6 system-ui,sans-serif;display:grid;place-items:center;min-height:100vh;margin:0}
main{max-width:26rem;padding:2rem;text-align:center}
button{font:inherit;padding:.7rem 1.6rem;border:0;border-radius:.5rem;background:#1a56db;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}
</style>
</head>
<body><main>${body}</main></body>
</html>
`,
    {
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  );
