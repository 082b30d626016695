/** The token of the pages that try things out: a guest's from the start, the demo admin's at a click, kept while the tab is open. */
import type { Config } from '../../config.ts';
import { demo } from '../../seed/shop-data.ts';
import { ownFile } from './assets.ts';
import { markup } from './html.ts';

/** Calls of the page without a token of their own get this one; one that is refused is fetched anew, once. */
export const demoSessionScript = ownFile(
  'session.js',
  'text/javascript; charset=utf-8',
  `(() => {
  const key = 'duet:session';
  const bar = document.getElementById('session');
  const { email, password } = bar.dataset;
  const inputs = { guest: { provider: 'GUEST' }, admin: { provider: 'EMAIL', email, password } };
  const names = { guest: 'a guest', admin: 'the demo admin' };
  const plainFetch = window.fetch.bind(window);
  let session = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  let pending;

  function show(text) {
    bar.querySelector('[role=status]').textContent = text ?? (session ? 'Calls are made as ' + names[session.as] + '.' : '');
    for (const button of bar.querySelectorAll('button')) button.hidden = button.dataset.as === session?.as;
  }
  async function signIn(as) {
    const response = await plainFetch('/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inputs[as]),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    return { as, token: answer.accessToken, until: answer.expiresAt };
  }
  // Who was asked for last counts, whichever answer comes first.
  function become(as) {
    const asked = signIn(as).then((found) => {
      if (pending !== asked) return pending;
      session = found;
      sessionStorage.setItem(key, JSON.stringify(session));
      show();
    }).finally(() => { if (pending === asked) pending = undefined; });
    pending = asked;
    return asked;
  }
  async function token() {
    await pending?.catch(() => {});
    if (!session || session.until * 1000 < Date.now() + 10_000) await (pending ?? become(session?.as ?? 'guest'));
    return session.token;
  }
  const isOurs = ({ url, headers }) => {
    const { origin, pathname } = new URL(url);
    return origin === location.origin && /^\\/(graphql|v1\\/(?!openapi))/.test(pathname)
      && !headers.has('authorization') && !headers.has('x-api-key');
  };
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!isOurs(request)) return plainFetch(request);
    const again = request.clone();
    const send = async (one) => {
      one.headers.set('authorization', 'Bearer ' + await token());
      return plainFetch(one);
    };
    const response = await send(request);
    if (response.status !== 401 || !session) return response;
    session.until = 0;
    return send(again);
  };
  for (const button of bar.querySelectorAll('button'))
    button.addEventListener('click', () => become(button.dataset.as).catch((error) => show(error.message)));
  show();
  token().catch((error) => show(error.message));
})();
`,
);

/** Who calls, and how to be somebody else. The demo admin is there only while the demo shop is. */
export const demoSessionBar = ({ seedDemo }: Config) =>
  markup`<div id="session" class="session"${seedDemo && markup` data-email="${demo.email}" data-password="${demo.password}"`}><span role="status"></span> <button type="button" data-as="guest" hidden>Be a guest</button>${seedDemo && markup` <button type="button" data-as="admin">Sign in as the demo admin</button>`}</div>`;
