/** Addresses and pages: which one is shown, and what has to end when it is left. */
import { type Child, fill, h } from './dom.ts';
import { wordsOf } from './words.ts';

export interface Visit {
  url: URL;
  /** The part of the address that names a record. */
  id: string;
  /** Aborted when the visitor goes on. */
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
let leaving = new AbortController();

/** Pages by the first part of their address; '' is the front page. */
export function start(
  place: HTMLElement,
  routes: Readonly<Record<string, Page>>,
  naming: (title: string) => string,
): Promise<void> {
  [main, pages, titleOf] = [place, routes, naming];
  // A place on the same page is none to go to.
  addEventListener('popstate', () => {
    if (!location.hash) void show();
  });
  addEventListener('click', follow);
  return show(false);
}

export function go(path: string): Promise<void> {
  history.pushState(null, '', path);
  return show();
}

/** The same page again, as somebody else or with other data. */
export const again = () => show();

function follow(event: MouseEvent): void {
  const anchor = event.target instanceof Element && event.target.closest('a');
  if (!anchor || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (anchor.origin !== location.origin || anchor.target || anchor.hash) return;
  event.preventDefault();
  void go(anchor.pathname + anchor.search);
}

const missing: Page = () => ({
  title: 'Not found',
  body: [h('h1', {}, 'There is nothing here'), h('a', { href: '/' }, 'Back to the shop')],
});

async function show(isMove = true): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const url = new URL(location.href);
  const [name = '', id = ''] = url.pathname.split('/').slice(1).map(decodeURIComponent);
  main.setAttribute('aria-busy', 'true');
  const { title, body } = await shownBy(pages[name] ?? missing, { url, id, signal });
  if (signal.aborted) return;
  fill(main, body);
  main.removeAttribute('aria-busy');
  document.title = titleOf(title);
  if (!isMove) return;
  scrollTo(0, 0);
  // Who cannot see the new page hears its heading.
  const heading = main.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

async function shownBy(page: Page, visit: Visit): Promise<View> {
  try {
    return await page(visit);
  } catch (error) {
    const body = [
      h('h1', {}, 'That did not work'),
      wordsOf(error).map((line) => h('p', { role: 'alert' }, line)),
      h('p', {}, h('button', { type: 'button', click: () => void again() }, 'Try again')),
    ];
    return { title: 'That did not work', body };
  }
}
