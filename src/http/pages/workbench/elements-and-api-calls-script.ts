/** Browser script of the workbench: creates elements, formats values, and calls the API. */
export const workbenchElementsScript = `const byId = (id) => document.getElementById(id);
const shown = byId('shown');
const status = byId('said');
const say = (text) => { status.textContent = text; };

/** Creates an element; texts are never parsed as HTML. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}
const button = (text, onclick, attributes = {}) => el('button', { type: 'button', onclick, ...attributes }, text);
const code = (text) => el('code', {}, text);
const time = (seconds) => {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return el('time', { datetime: date.toISOString(), title: date.toLocaleString() },
    isToday ? date.toLocaleTimeString() : date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' }) + ' ' + date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }));
};
const pretty = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
let blocks = 0;
/** A block of code with a button that copies it. */
function block(text, label) {
  const pre = el('pre', { tabindex: 0, role: 'region', 'aria-label': label, id: 'block-' + (blocks += 1) }, el('code', {}, text));
  const copy = button('Copy', async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(pre);
      copy.textContent = 'Selected';
    }
  }, { 'aria-label': 'Copy: ' + label });
  return el('div', { class: 'block' }, copy, pre);
}
/** Table that becomes a list of cards on a phone. */
function table(label, columns, rows) {
  return el('table', { class: 'rows', 'aria-label': label },
    el('thead', {}, el('tr', {}, columns.map((column) => el('th', { scope: 'col' }, column)))),
    el('tbody', {}, rows.map((cells) => el('tr', {}, cells.map((cell, index) => el('td', { 'data-label': columns[index] }, cell ?? '–'))))));
}
const facts = (entries) => el('dl', { class: 'facts-list' }, entries.filter(([, value]) => value !== undefined && value !== null && value !== '')
  .flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
const empty = (text) => el('p', { class: 'empty' }, text);
const heading = (text) => el('h2', {}, text);

const key = 'duet:workbench';
let session = JSON.parse(sessionStorage.getItem(key) ?? 'null');
let businessId;
let budget;

class ApiError extends Error {
  constructor(status, body) {
    super(body?.message ?? 'The gateway responded with status ' + status + '.');
    this.status = status;
    this.code = body?.error;
  }
}
/** Sends a request with the token of the session; reads of the log are not recorded in it. */
async function send(path, { method = 'GET', body, headers = {}, client = 'duet-workbench' } = {}) {
  const response = await fetch(path, {
    method,
    headers: {
      accept: 'application/json', 'x-client-name': client,
      ...(session ? { authorization: 'Bearer ' + session.token } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => response.headers.get('ratelimit-' + name));
  if (limit) budget = { limit: Number(limit), remaining: Number(remaining), reset: Number(reset), at: Date.now() };
  return response;
}
async function api(path, options) {
  const response = await send(path, options);
  const text = await response.text();
  let body;
  try { body = text === '' ? undefined : JSON.parse(text); } catch { /* Not JSON: a proxy answered. */ }
  if (response.status === 401 && session) signOut('The session has ended. Sign in again.');
  if (!response.ok) throw new ApiError(response.status, body);
  return body;
}
const ofBusiness = (path, options) => api('/v1/businesses/' + encodeURIComponent(businessId) + path, options);
async function runQuery(query, variables = {}) {
  const { data, errors } = await api('/graphql', { method: 'POST', body: { query, variables } });
  if (!errors) return data;
  const { code: errorCode } = errors[0].extensions;
  throw new ApiError({ UNAUTHENTICATED: 401, FORBIDDEN: 403 }[errorCode] ?? 400, errors[0]);
}
const explain = (error) => error.status === 403
  ? 'Your role or key does not have the permission for this. ' + error.message
  : error.message;
/** Runs the action of a button, and shows its outcome. */
const act = (text, run) => async (event) => {
  const { currentTarget } = event;
  currentTarget.disabled = true;
  try {
    await run();
    if (text) say(text);
  } catch (error) {
    say(explain(error));
  }
  currentTarget.disabled = false;
};
`;
