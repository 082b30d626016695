/** 404 page for browsers, instead of the JSON error body. */
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import { acceptsHtml, htmlResponse } from '../../http-message.ts';
import { renderCardPage } from './customer/customer-page-layout.ts';
import { renderPageFrame, safeHtml } from './html-template-and-page-frame.ts';
import { createPageSecurityHeaders } from './http-page.ts';

const pageNotFound = [
  'Page not found',
  'The address may be mistyped, or the page no longer exists.',
] as const;

const customerPaths = [
  [
    '/sandbox/pay/',
    'This payment link does not work',
    'It may have expired or be incomplete. Go back to the shop and order again.',
  ],
  ['/checkout/', ...pageNotFound],
  ['/account/', ...pageNotFound],
] as const;

/** Undefined for programs and for paths of the API, which get the JSON error body. */
export function renderNotFoundPage(request: HttpRequest): HttpResponse | undefined {
  const isBrowser = request.method === 'GET' && acceptsHtml(request);
  if (!isBrowser || request.path.startsWith('/v1/')) return undefined;
  const [, ...titleAndText] = customerPaths.find(([path]) => request.path.startsWith(path)) ?? [];
  return titleAndText.length === 2
    ? renderCardPage(titleAndText[0], safeHtml`<p>${titleAndText[1]}</p>`, { status: 404 })
    : developerPage();
}

const developerPage = (): HttpResponse =>
  htmlResponse(
    404,
    renderPageFrame(
      { title: `${pageNotFound[0]} · Duet` },
      safeHtml`<div class="sheet"><h1>${pageNotFound[0]}</h1><p class="lead">${pageNotFound[1]}</p><p><a href="/">To the start page</a></p></div>`,
    ),
    { ...createPageSecurityHeaders(), 'cache-control': 'no-store' },
  );
