/**
 * Session of GraphiQL and the REST reference: a guest token at first, the demo admin's, or the visitor's own by password, token or API key.
 * It is stored in the sessionStorage of the tab. With an own session, examples use ids of the visitor's shop.
 */
import type { Config } from '../../config.ts';
import { demoShopIdsAndLogins } from '../../seed/shop-data.ts';
import { safeHtml } from './html-template-and-page-frame.ts';
import { createPageAsset } from './page-assets.ts';

/**
 * Values of examples by name, from the first record of each list of the shop. A list that is empty or that the visitor may not read leaves
 * its names in the examples.
 */
const exampleValuesScript = `const lists = {
    products: ({ id, slug, variants = [] }) => ({ YOUR_PRODUCT_ID: id, YOUR_PRODUCT_SLUG: slug, YOUR_VARIANT_ID: variants[0]?.id }),
    markets: ({ code, currency }) => ({ market: code, currency }),
    'shipping-methods': ({ id }) => ({ shippingMethod: id }),
    collections: ({ id }) => ({ YOUR_COLLECTION_ID: id }),
    entries: ({ id }) => ({ YOUR_ENTRY_ID: id }),
    categories: ({ id }) => ({ YOUR_CATEGORY_ID: id }),
    orders: ({ id }) => ({ YOUR_ORDER_ID: id }),
    'promo-codes': ({ id }) => ({ YOUR_PROMO_CODE_ID: id }),
    roles: ({ id }) => ({ YOUR_ROLE_ID: id }),
    webhooks: ({ id }) => ({ YOUR_WEBHOOK_ID: id }),
    media: ({ id }) => ({ YOUR_FILE_ID: id }),
  };
  async function readList(path) {
    const response = await plainFetch(path, { headers: { authorization: 'Bearer ' + session.token, accept: 'application/json' } });
    return response.ok ? (await response.json()).items : [];
  }
  /** Lists that were empty are read again on the next page, because the shop may have records by then. */
  async function loadExampleValues() {
    if (!session?.shop) return {};
    const { shop, lists: read = {} } = session;
    await Promise.all(Object.entries(lists).filter(([name]) => !read[name]).map(async ([name, valuesOf]) => {
      const [record] = await readList('/v1/businesses/' + encodeURIComponent(shop) + '/' + name + '?limit=1');
      if (record) read[name] = valuesOf(record);
    }));
    session.lists = read;
    sessionStorage.setItem(key, JSON.stringify(session));
    return Object.assign({ YOUR_BUSINESS_ID: shop }, ...Object.values(read));
  }
  /** Replaces names, and the market, currency and shipping method of the demo shop, in the JSON text of an example. */
  const adapt = (text, values, names = Object.keys(values)) => {
    const named = text.replace(/YOUR_[A-Z_]+/g, (name) => (names.includes(name) && values[name]) || name);
    const { market = 'US', currency = 'USD', shippingMethod = 'standard' } = values;
    return named
      .replace(/(\\bmarket(?:Id)?[\\\\"']*(?:: ?|=)[\\\\"']*|\\/markets\\/)US\\b/g, (_all, before) => before + market)
      .replace(/(\\bcurrency[\\\\"']*: ?[\\\\"']*)USD\\b/g, (_all, before) => before + currency)
      .replace(/(\\bshippingMethodId[\\\\"']*: ?[\\\\"']*|\\/shipping-methods\\/)standard\\b/g, (_all, before) => before + shippingMethod);
  };`;

/** Adds the token to API requests that have none, and signs in again once when a guest's or the demo admin's is rejected with 401. */
export const apiTokenBarScript = createPageAsset(
  'session.js',
  'text/javascript; charset=utf-8',
  `(() => {
  const key = 'duet:session';
  const bar = document.getElementById('session');
  const { email, password, business } = bar.dataset;
  const inputs = { guest: { provider: 'GUEST' }, admin: { provider: 'EMAIL', email, password } };
  const names = { guest: 'as a guest', admin: 'as the demo admin', own: 'with your token' };
  const shopChoice = bar.querySelector('select');
  const plainFetch = window.fetch.bind(window);
  let session = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  let pending;

  function show(text) {
    bar.querySelector('[role=status]').textContent = text ?? (session ? 'Requests are sent ' + (session.email ? 'as ' + session.email : names[session.as]) + '.' : '');
    for (const button of bar.querySelectorAll('button[data-as]')) button.hidden = button.dataset.as === session?.as;
    const { shops = [], shop } = session ?? {};
    shopChoice.parentElement.hidden = shops.length === 0;
    shopChoice.replaceChildren(...shops.map(({ id, name }) => new Option(name, id, false, id === shop)));
  }
  function store(newSession) {
    const hadShop = session?.shop;
    session = newSession;
    sessionStorage.setItem(key, JSON.stringify(session));
    show();
    // The examples of the page belong to a shop.
    if (session.shop !== hadShop) location.reload();
  }
  async function logIn(input) {
    const response = await plainFetch('/v1/users/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    return { token: body.accessToken, until: body.expiresAt };
  }
  // The latest sign-in wins, even if an earlier response arrives after it.
  function switchTo(as) {
    const attempt = logIn(inputs[as]).then((newSession) => {
      if (pending !== attempt) return pending;
      store({ as, ...newSession });
    }).finally(() => { if (pending === attempt) pending = undefined; });
    pending = attempt;
    return attempt;
  }
  async function token() {
    await pending?.catch(() => {});
    if (!session || (session.as !== 'own' && session.until * 1000 < Date.now() + 10_000)) await (pending ?? switchTo(session?.as ?? 'guest'));
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
    if (response.status !== 401 || !session) return response;
    if (session.as === 'own') {
      show('Your token is not valid any more. Sign in again.');
      return response;
    }
    session.until = 0;
    return send(retry);
  };

  ${exampleValuesScript}

  /** Stores an own session with the businesses of which its account is a member. The shop of the examples is the demo shop, or else the first one. */
  async function useOwn(own, form) {
    pending = undefined;
    const response = await plainFetch('/v1/businesses?limit=100', { headers: { authorization: 'Bearer ' + own.token, accept: 'application/json' } });
    if (response.status === 401) throw new Error('The token or key is not valid.');
    const shops = response.ok ? (await response.json()).items.map(({ id, name }) => ({ id, name })) : [];
    form.reset();
    form.closest('details').open = false;
    const { id } = shops.find((shop) => shop.id === business) ?? shops[0] ?? {};
    store({ as: 'own', ...own, shops, shop: id });
  }
  const onSubmit = (name, read) => bar.querySelector('form[name=' + name + ']').addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.target;
    read(form.elements).then((own) => own && useOwn(own, form)).catch((error) => show(error.message));
  });
  onSubmit('password', async ({ email, password }) => ({ email: email.value, ...await logIn({ provider: 'EMAIL', email: email.value, password: password.value }) }));
  // A token that starts with "Bearer " is often copied from a header.
  onSubmit('token', async ({ token }) => ({ token: token.value.trim().replace(/^Bearer\\s+/i, '') }));
  shopChoice.addEventListener('change', () => store({ ...session, shop: shopChoice.value, lists: {} }));
  for (const button of bar.querySelectorAll('button[data-as]'))
    button.addEventListener('click', () => switchTo(button.dataset.as).catch((error) => show(error.message)));
  show();
  token().catch((error) => show(error.message));

  const values = loadExampleValues();
  self.duetSession = {
    /** Whether examples run on the demo shop as they are. */
    usesDemo: email !== undefined && (!session?.shop || session.shop === business),
    hasShop: session?.shop !== undefined,
    /** Resolves to the function that writes values of the visitor's shop into the JSON text of examples, all or those with the given names. */
    adapter: () => values.then((loaded) => (text, names) => adapt(text, loaded, names)),
  };
})();
`,
);

/** Shows the current identity, buttons to switch it, the shop of the examples, and forms for an own session. The demo admin is offered only with SEED_DEMO. */
export const createApiTokenBar = ({ seedDemo }: Config) =>
  safeHtml`<div id="session" class="session"${seedDemo && safeHtml` data-email="${demoShopIdsAndLogins.email}" data-password="${demoShopIdsAndLogins.password}" data-business="${demoShopIdsAndLogins.businessId}"`}><span role="status"></span> <label hidden>Shop <select></select></label> <button type="button" data-as="guest" hidden>Continue as a guest</button>${seedDemo && safeHtml` <button type="button" data-as="admin">Sign in as the demo admin</button>`} <details><summary>Sign in</summary>
<form name="password"><label>Email address <input name="email" type="email" autocomplete="username" required></label> <label>Password <input name="password" type="password" autocomplete="current-password" required></label> <button>Sign in</button></form>
<form name="token"><label>Access token or API key <input name="token" type="password" autocomplete="off" spellcheck="false" required></label> <button>Use it</button></form></details></div>`;
