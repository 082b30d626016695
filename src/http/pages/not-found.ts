/** What people see where there is nothing: a page instead of an error body. */
import type { HttpRequest, HttpResponse } from '../../http-message.ts';
import { htmlResponse } from '../../http-message.ts';
import { renderCardPage } from './customer/layout.ts';
import { markup, renderPageFrame } from './html.ts';
import { pageHeaders } from './http-page.ts';

const nothing = ['There is nothing here', 'The address may be mistyped, or what was here is gone.'] as const;

const forCustomers = [
  [
    '/sandbox/pay/',
    'This payment link does not work',
    'It may be old, or cut off. Go back to the shop and order again.',
  ],
  ['/checkout/', ...nothing],
  ['/account/', ...nothing],
] as const;

/** Undefined: a program asks, or it is the API's own path. */
export function renderNotFoundPage(request: HttpRequest): HttpResponse | undefined {
  const forPeople = request.method === 'GET' && /\btext\/html\b/.test(request.header('accept') ?? '');
  if (!forPeople || request.path.startsWith('/v1/')) return undefined;
  const [, ...words] = forCustomers.find(([path]) => request.path.startsWith(path)) ?? [];
  return words.length === 2
    ? renderCardPage(words[0], markup`<p>${words[1]}</p>`, { status: 404 })
    : forBuilders();
}

const forBuilders = (): HttpResponse =>
  htmlResponse(
    404,
    renderPageFrame(
      { title: `${nothing[0]} · Duet` },
      markup`<div class="sheet"><h1>${nothing[0]}</h1><p class="lead">${nothing[1]}</p><p><a href="/">To the start page</a></p></div>`,
    ),
    { ...pageHeaders(), 'cache-control': 'no-store' },
  );
