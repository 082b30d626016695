/** Access token of GraphiQL and the REST reference: a guest token at first, the demo admin's or one's own on request, stored in the tab's sessionStorage. */
import type { Config } from '../../config.ts';
import { demoShopIdsAndLogins } from '../../seed/shop-data.ts';
import { createPageAsset } from './assets.ts';
import { safeHtml } from './html.ts';

/** Adds the token to API requests that have none, and signs in again once when it is rejected with 401. */
export const apiTokenBarScript = createPageAsset(
  'session.js',
  'text/javascript; charset=utf-8',
  `(() => {
  const key = 'duet:session';
  const bar = document.getElementById('session');
  const { email, password } = bar.dataset;
  const inputs = { guest: { provider: 'GUEST' }, admin: { provider: 'EMAIL', email, password } };
  const names = { guest: 'as a guest', admin: 'as the demo admin', own: 'with your token' };
  const form = bar.querySelector('form');
  const plainFetch = window.fetch.bind(window);
  let session = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  let pending;

  function show(text) {
    bar.querySelector('[role=status]').textContent = text ?? (session ? 'Requests are sent ' + names[session.as] + '.' : '');
    for (const button of bar.querySelectorAll('button[data-as]')) button.hidden = button.dataset.as === session?.as;
  }
  function store(newSession) {
    session = newSession;
    sessionStorage.setItem(key, JSON.stringify(session));
    show();
  }
  async function signIn(as) {
    const response = await plainFetch('/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inputs[as]),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return { as, token: body.accessToken, until: body.expiresAt };
  }
  // The latest sign-in wins, even if an earlier response arrives after it.
  function switchTo(as) {
    const attempt = signIn(as).then((newSession) => {
      if (pending !== attempt) return pending;
      store(newSession);
    }).finally(() => { if (pending === attempt) pending = undefined; });
    pending = attempt;
    return attempt;
  }
  async function token() {
    await pending?.catch(() => {});
    if (!session || session.until * 1000 < Date.now() + 10_000) await (pending ?? switchTo(session?.as ?? 'guest'));
    return session.token;
  }
  const needsToken = ({ url, headers }) => {
    const { origin, pathname } = new URL(url);
    return origin === location.origin && /^\\/(graphql|v1\\/(?!openapi))/.test(pathname)
      && !headers.has('authorization') && !headers.has('x-api-key');
  };
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!needsToken(request)) return plainFetch(request);
    const retry = request.clone();
    const send = async (attempt) => {
      attempt.headers.set('authorization', 'Bearer ' + await token());
      return plainFetch(attempt);
    };
    const response = await send(request);
    if (response.status !== 401 || !session || session.as === 'own') return response;
    session.until = 0;
    return send(retry);
  };
  // A token that starts with "Bearer " is often copied from a header.
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const own = form.elements.token.value.trim().replace(/^Bearer\\s+/i, '');
    if (own === '') return;
    pending = undefined;
    store({ as: 'own', token: own, until: Number.MAX_SAFE_INTEGER });
    form.reset();
    form.parentElement.open = false;
  });
  for (const button of bar.querySelectorAll('button[data-as]'))
    button.addEventListener('click', () => switchTo(button.dataset.as).catch((error) => show(error.message)));
  show();
  token().catch((error) => show(error.message));
})();
`,
);

/** Shows the current identity, buttons to switch it, and a field for a token. The demo admin is offered only with SEED_DEMO. */
export const createApiTokenBar = ({ seedDemo }: Config) =>
  safeHtml`<div id="session" class="session"${seedDemo && safeHtml` data-email="${demoShopIdsAndLogins.email}" data-password="${demoShopIdsAndLogins.password}"`}><span role="status"></span> <button type="button" data-as="guest" hidden>Continue as a guest</button>${seedDemo && safeHtml` <button type="button" data-as="admin">Sign in as the demo admin</button>`} <details><summary>Use a token</summary><form><label>Access token or API key <input name="token" type="password" autocomplete="off" spellcheck="false" required></label> <button>Use it</button></form></details></div>`;
