/** What people see where there is nothing: a page instead of an error body. */
import type { HttpRequest, HttpResponse } from '../../message.ts';
import { html } from '../../message.ts';
import { framed, markup } from './html.ts';
import { pageHeaders } from './page.ts';

/** Undefined: a program asks, or it is the API's own path. */
export function notFoundPage(request: HttpRequest): HttpResponse | undefined {
  const forPeople = request.method === 'GET' && /\btext\/html\b/.test(request.header('accept') ?? '');
  if (!forPeople || request.path.startsWith('/v1/')) return undefined;
  const [title, text] = request.path.startsWith('/sandbox/pay/')
    ? ['This payment link does not work', 'It may be old, or cut off. Go back to the shop and order again.']
    : ['There is nothing here', 'The address may be mistyped, or what was here is gone.'];
  return html(
    404,
    framed(
      { title: `${title} · Duet` },
      markup`<div class="sheet"><h1>${title}</h1><p class="lead">${text}</p><p><a href="/">To the start page</a></p></div>`,
    ),
    { ...pageHeaders(), 'cache-control': 'no-store' },
  );
}
