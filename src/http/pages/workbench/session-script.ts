/** Browser script of the workbench: sign-in, choice of the business, and the section that the address names. */
export const workbenchSessionScript = `const sections = {
  requests: showRequests, errors: showErrors, clients: showClients, webhooks: showWebhooks, keys: showKeys, limits: showLimits,
};
let shownSection = 0;

async function showSection() {
  if (!businessId) return;
  const [name] = location.hash.slice(1).split('?');
  const show = sections[name] ?? showRequests;
  for (const link of document.querySelectorAll('.tabs a')) {
    if (link.hash === '#' + (sections[name] ? name : 'requests')) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  say('');
  stopWatching();
  const turn = (shownSection += 1);
  const content = el('div');
  let watch;
  try {
    watch = await show(content);
  } catch (error) {
    content.append(el('p', { class: 'problem' }, explain(error)));
  }
  // A slow section must not replace the one that was opened after it.
  if (turn !== shownSection || !session) return;
  shown.replaceChildren(content);
  watch?.();
}

async function open() {
  byId('sign-in').hidden = true;
  const { businesses: { nodes: businesses } } = await runQuery('{ businesses(first: 100) { nodes { id name } } }');
  const select = byId('business');
  select.replaceChildren(...businesses.map(({ id, name }) => el('option', { value: id }, name)));
  const field = byId('other-business');
  field.hidden = businesses.length > 0;
  select.parentElement.hidden = businesses.length === 0;
  const last = sessionStorage.getItem(key + ':business');
  businessId = businesses.some(({ id }) => id === last) ? last : await firstReadable(businesses) ?? last ?? '';
  if (businesses.length > 0) select.value = businessId;
  else if (!businessId) say('This account or key is not a member of any business.');
  byId('desk').hidden = false;
  await showSection();
}

/** The first business whose log the role of the account may read. Keys with limited permissions do not see their account. */
async function firstReadable(businesses) {
  try {
    const { me } = await runQuery('{ me { memberships { business { id } role { permissions } } } }');
    const readable = new Set(me.memberships.filter(({ role }) => role.permissions.some((name) => name === 'ADMIN' || name === 'REQUESTS_READ')).map(({ business }) => business.id));
    return (businesses.find(({ id }) => readable.has(id)) ?? businesses[0])?.id;
  } catch {
    return businesses[0]?.id;
  }
}

function choose(id) {
  businessId = id;
  sessionStorage.setItem(key + ':business', id);
  showSection();
}

function signOut(text) {
  session = null;
  businessId = undefined;
  sessionStorage.removeItem(key);
  sessionStorage.removeItem(key + ':business');
  stopWatching();
  shown.replaceChildren();
  byId('desk').hidden = true;
  byId('sign-in').hidden = false;
  say(text);
}

async function start(token) {
  session = { token };
  try {
    await open();
    sessionStorage.setItem(key, JSON.stringify(session));
    if (byId('desk').hidden === false && businessId) say('');
  } catch (error) {
    signOut(error.status === 401 ? 'The token or key is not valid.' : error.message);
  }
}

async function signIn(email, password) {
  say('Signing in…');
  try {
    const { accessToken } = await api('/v1/users/login', { method: 'POST', body: { provider: 'EMAIL', email, password } });
    await start(accessToken);
  } catch (error) {
    say(error.message);
  }
}

byId('by-password').addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = event.target.elements;
  const secret = password.value;
  password.value = '';
  signIn(email.value, secret);
});
byId('by-token').addEventListener('submit', (event) => {
  event.preventDefault();
  const { token } = event.target.elements;
  start(token.value.trim());
  token.value = '';
});
byId('as-demo')?.addEventListener('click', ({ target }) => {
  sessionStorage.setItem(key + ':business', target.dataset.business);
  signIn(target.dataset.email, target.dataset.password);
});
byId('business').addEventListener('change', ({ target }) => choose(target.value));
byId('other-business').addEventListener('change', ({ target }) => choose(target.value.trim()));
byId('leave').addEventListener('click', () => signOut('You are signed out, and the token is removed from this tab.'));
addEventListener('hashchange', showSection);
if (session) start(session.token);
else byId('sign-in').hidden = false;
`;
