/** `npm start`: HTTP server that renders each page with the data of the gateway. Works without JavaScript in the browser. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { businessId, gatewayUrl, locale, market, origin, port } from './config.ts';
import { CatalogueDocument } from './generated/graphql.ts';
import { GatewayError, send } from './lib/gateway.ts';
import { html } from './lib/html.ts';
import { alert, notFound, type Page, type Redirect, renderDocument, type View } from './lib/page.ts';
import { Session } from './lib/session.ts';
import { addToCart, applyPromoCode, cartPage, changeLine } from './pages/cart.ts';
import { list, productPage } from './pages/catalogue.ts';
import { journal, journalEntry } from './pages/journal.ts';
import { checkout, findOrder, orderPage, pay, sendOrderLink } from './pages/orders.ts';

const pages: Readonly<Record<string, Page>> = {
  'GET /': list,
  'GET /products/*': productPage,
  'GET /journal': journal,
  'GET /journal/*': journalEntry,
  'GET /cart': cartPage,
  'POST /cart/add': addToCart,
  'POST /cart/change': changeLine,
  'POST /cart/promo': applyPromoCode,
  'POST /checkout': checkout,
  'GET /order': orderPage,
  'POST /pay': pay,
  'GET /find-order': findOrder,
  'POST /find-order': sendOrderLink,
};

const style = readFileSync(new URL('style.css', import.meta.url));

/** The payment page is on the gateway, or at the payment provider. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src * data:',
  `form-action 'self' ${new URL(gatewayUrl).origin} https://checkout.stripe.com`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const shopName = await send(CatalogueDocument, { businessId, market, locale }).then(
  ({ business }) => business?.name ?? 'Shop',
  ({ message }: Error) => {
    console.error(`The catalogue cannot be read from ${gatewayUrl}: ${message}`);
    console.error('Does the gateway run, and does the business have publicRead? See README.md.');
    process.exit(1);
  },
);

const maxFormBytes = 64 * 1024;

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxFormBytes) throw new GatewayError('PAYLOAD_TOO_LARGE', 'The form is too large.');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

async function respond(request: IncomingMessage, session: Session): Promise<View | Redirect> {
  const url = new URL(request.url ?? '/', origin);
  const [name = '', slug = ''] = url.pathname.split('/').slice(1).map(decodeURIComponent);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const page = pages[`${method} ${url.pathname}`] ?? (slug ? pages[`${method} /${name}/*`] : undefined);
  if (!page) return notFound;
  if (method === 'POST' && request.headers.origin !== origin)
    return errorView(403, 'This form is of another site.');
  const form = method === 'POST' ? await readForm(request) : new URLSearchParams();
  return page({ url, slug, form, session, request });
}

const errorView = (status: number, message: string): View => ({
  status,
  title: 'That did not work',
  body: html`<h1>That did not work</h1>${alert(message)}<p><a href="/">Back to the shop</a></p>`,
});

/** Status and text by code of the gateway. */
const errorTexts: Readonly<Record<string, readonly [status: number, message: string]>> = {
  UNAUTHENTICATED: [
    401,
    'Your visit has ended, and with it your cart. You find your orders by their number.',
  ],
  PAYLOAD_TOO_LARGE: [413, 'The form is too large.'],
  RATE_LIMITED: [429, 'There were too many attempts. Please try again in a few minutes.'],
};

/** Details of rejected input are for the visitor, everything else is not. */
function toErrorView(error: unknown): View {
  if (error instanceof URIError) return notFound;
  if (error instanceof GatewayError && error.code === 'NOT_FOUND') return notFound;
  if (error instanceof GatewayError && error.details.length > 0)
    return errorView(422, error.details.map(({ message }) => message).join(' '));
  const known = error instanceof GatewayError ? errorTexts[error.code] : undefined;
  if (known) return errorView(...known);
  console.error(error);
  return errorView(503, 'The shop is not available at the moment. Please try again.');
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  };
  if (request.url === '/style.css') {
    response.writeHead(200, { ...headers, 'content-type': 'text/css' }).end(style);
    return;
  }
  const session = new Session(request);
  const view = await respond(request, session).catch(toErrorView);
  const { setCookie } = session;
  const sessionHeaders = { ...headers, ...(setCookie ? { 'set-cookie': setCookie } : {}) };
  if ('redirect' in view) {
    response.writeHead(303, { ...sessionHeaders, location: view.redirect }).end();
    return;
  }
  // Only pages without a session may be stored by shared caches.
  const cacheControl = session.isKnown || view.status ? 'private, no-store' : 'public, max-age=30';
  response
    .writeHead(view.status ?? 200, {
      ...sessionHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': cacheControl,
      vary: 'Cookie',
    })
    .end(renderDocument(view, shopName));
}

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
}).listen(port, 'localhost', () => console.log(`The shop is at ${origin}, its gateway at ${gatewayUrl}`));
