/** Router: renders the page of the URL and aborts the work of the previous page. */
import { type Child, fill, h, link } from './dom.ts';
import { errorMessages } from './error-messages.ts';
import { base, pathTo } from './paths.ts';

export interface Visit {
  url: URL;
  /** Second path segment: the id or slug of a record. */
  id: string;
  /** Aborted when the visitor leaves the page. */
  signal: AbortSignal;
}

export interface View {
  title: string;
  body: Child;
}

export type Page = (visit: Visit) => View | Promise<View>;

let main: HTMLElement;
let pages: Readonly<Record<string, Page>>;
let titleOf: (title: string) => string;
let currentVisit = new AbortController();

/** `routes` are pages by first path segment; '' is the front page. */
export function start(
  container: HTMLElement,
  routes: Readonly<Record<string, Page>>,
  formatTitle: (title: string) => string,
): Promise<void> {
  [main, pages, titleOf] = [container, routes, formatTitle];
  // A fragment link stays on the same page.
  history.scrollRestoration = 'manual';
  addEventListener('popstate', ({ state }) => {
    if (!location.hash) void show(true, Number(state?.scrollY ?? 0));
  });
  addEventListener('click', follow);
  return show(false);
}

export const go = (path: string) => visit(pathTo(path));

function visit(path: string): Promise<void> {
  pushUrl(path);
  return show();
}

/** Adds a step to the history without rendering it, such as for a changed filter. Back returns to the scroll position. */
export function pushUrl(path: string): void {
  history.replaceState({ scrollY }, '');
  history.pushState(null, '', path);
}

/** Renders the current page again, with new data. */
export const reload = () => show();

function follow(event: MouseEvent): void {
  const anchor = event.target instanceof Element && event.target.closest('a');
  if (!anchor || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (anchor.origin !== location.origin || anchor.target || anchor.hash) return;
  if (!`${anchor.pathname}/`.startsWith(`${base}/`)) return;
  event.preventDefault();
  void visit(anchor.pathname + anchor.search);
}

const notFound: Page = () => ({
  title: 'Not found',
  body: [h('h1', {}, 'Page not found'), link('/', 'Back to the shop')],
});

async function show(isMove = true, position = 0): Promise<void> {
  currentVisit.abort();
  currentVisit = new AbortController();
  const { signal } = currentVisit;
  const url = new URL(location.href);
  const [name = '', id = ''] = url.pathname.slice(base.length).split('/').slice(1).map(decodeURIComponent);
  main.setAttribute('aria-busy', 'true');
  const { title, body } = await render(pages[name] ?? notFound, { url, id, signal });
  if (signal.aborted) return;
  fill(main, body);
  main.removeAttribute('aria-busy');
  document.title = titleOf(title);
  if (!isMove) return;
  scrollTo(0, position);
  // Screen readers announce the new page by its heading.
  const heading = main.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

async function render(page: Page, request: Visit): Promise<View> {
  try {
    return await page(request);
  } catch (error) {
    const body = [
      h('h1', {}, 'That did not work'),
      errorMessages(error).map((line) => h('p', { role: 'alert' }, line)),
      h('p', {}, h('button', { type: 'button', click: () => void reload() }, 'Try again')),
    ];
    return { title: 'That did not work', body };
  }
}
