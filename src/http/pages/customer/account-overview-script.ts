/** Browser script of the account page. The tokens stay in memory: a reload signs out. */
export const accountOverviewScript = `
const byId = (id) => document.getElementById(id);
const [entrance, overview] = [byId('entrance'), byId('overview')];
let tokens;

const call = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...(tokens ? { authorization: 'Bearer ' + tokens.accessToken } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const result = await response.json();
  if (response.status === 401 && tokens) { showEntrance('You were signed out. Sign in again.'); throw undefined; }
  if (!response.ok) throw new Error(result.details?.[0]?.message ?? result.message);
  return result;
};

const say = (part, { good = '', bad = '' }) => {
  part.querySelector('.good').textContent = good;
  part.querySelector('.alert').textContent = bad;
};

/** Disables the button while the work runs, and shows its result. */
async function act(part, button, work) {
  button.disabled = true;
  say(part, {});
  try {
    const good = await work();
    if (good) say(part, { good });
  } catch (error) {
    if (error) say(part, { bad: error instanceof TypeError ? 'The request failed. Try again.' : error.message });
  }
  button.disabled = false;
}

function showEntrance(bad) {
  tokens = undefined;
  overview.hidden = true;
  entrance.hidden = false;
  for (const id of ['orders', 'addresses', 'sessions']) byId(id).replaceChildren();
  say(entrance, { bad: bad ?? '' });
}

const onSubmit = (id, work) => byId(id).addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target;
  act(entrance, form.querySelector('button'), () => work(Object.fromEntries(new FormData(form)), form));
});

const create = (...tags) => tags.map((tag) => document.createElement(tag));
const item = (title, text, button, details) => {
  const [node, strong, line, words] = create('li', 'strong', 'div', 'div');
  strong.textContent = title;
  line.textContent = text;
  line.className = 'quantity';
  words.append(strong, line, ...(details ? [details] : []));
  node.append(words, ...(button ? [button] : []));
  return node;
};
const buttonOf = (label, name, work) => {
  const [button] = create('button');
  button.textContent = label;
  button.setAttribute('aria-label', label + ': ' + name);
  button.addEventListener('click', () => act(overview, button, work));
  return button;
};

const fill = (id, nodes, none) => byId(id).replaceChildren(...(nodes.length > 0 ? nodes : [item(none, '')]));
const dateOf = (seconds) => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' });
const timeOf = (seconds) => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
function moneyOf(amount, currency) {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
}
const statusOf = ({ status }) => ({ PENDING: 'Received', PROCESSING: 'Being packed', SHIPPED: 'On its way', DELIVERED: 'Delivered', CANCELLED: 'Cancelled', REFUNDED: 'Refunded' })[status] ?? status;

/** The same content as the page of an order link. */
function detailsOf({ number, currency, lines, discount, shipping, tax, total, refunded, fulfilments }) {
  const [details, summary, table, body] = create('details', 'summary', 'table', 'tbody');
  summary.textContent = 'Show order ' + number;
  const addRow = (label, amount) => {
    const row = body.insertRow();
    row.insertCell().textContent = label;
    row.insertCell().textContent = moneyOf(amount, currency);
    return row;
  };
  for (const { name, variantName, quantity, totalPrice } of lines) addRow([name, variantName].filter(Boolean).join(', ') + ' × ' + quantity, totalPrice);
  if (discount) addRow('Discount', -discount);
  addRow('Shipping', shipping);
  addRow('Tax', tax);
  addRow('Total', total).className = 'sum';
  if (refunded) addRow('Refunded', -refunded);
  table.append(body);
  details.append(summary, table, ...(fulfilments ?? []).map(shipmentOf));
  return details;
}

function shipmentOf({ status, carrier, trackingNumber, trackingUrl }) {
  const [line, link] = create('p', 'a');
  line.append([status === 'DELIVERED' ? 'Delivered' : 'On its way', carrier, trackingNumber].filter(Boolean).join(', '));
  if (!/^https?:/i.test(trackingUrl ?? '')) return line;
  Object.assign(link, { href: trackingUrl, rel: 'noreferrer', textContent: 'Track' });
  line.append(' ', link);
  return line;
}

const shopNames = new Map();
async function nameShops(orders) {
  const unknown = [...new Set(orders.map(({ businessId }) => businessId))].filter((id) => !shopNames.has(id));
  await Promise.all(unknown.map(async (id) => shopNames.set(id, (await call('GET', '/v1/businesses/' + id).catch(() => undefined))?.name ?? '')));
}

let cursor;
async function loadOrders(isFirst) {
  const page = await call('GET', '/v1/users/me/orders?limit=10' + (isFirst ? '' : '&cursor=' + encodeURIComponent(cursor)));
  await nameShops(page.items);
  const nodes = page.items.map((order) =>
    item(['Order ' + order.number, shopNames.get(order.businessId)].filter(Boolean).join(', '),
      [dateOf(order.createdAt), moneyOf(order.total, order.currency), statusOf(order.statuses.at(-1) ?? {})].join(' · '),
      undefined, detailsOf(order)));
  if (isFirst) fill('orders', nodes, 'You have no orders yet.'); else byId('orders').append(...nodes);
  cursor = page.cursor;
  byId('more-orders').hidden = cursor === null;
}

function showAddresses(me) {
  const textOf = ({ company, street, line2, zip, city, state, country }) => [company, street, line2, [zip, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ');
  fill('addresses', (me.addresses ?? []).map((address) => item(address.name || address.id, textOf(address),
    buttonOf('Remove', address.name || address.id, async () => {
      const addresses = me.addresses.filter(({ id }) => id !== address.id);
      showAddresses(await call('PUT', '/v1/users/update', { addresses }));
      return 'The address is removed.';
    }))), 'You have no addresses.');
}

async function loadSessions() {
  const { items } = await call('GET', '/v1/users/me/sessions?limit=100');
  fill('sessions', items.map(({ id, isCurrent, address, createdAt, lastSeenAt }) => {
    const name = isCurrent ? 'This page' : 'Another device' + (address ? ', ' + address : '');
    return item(name, 'Since ' + timeOf(createdAt) + (lastSeenAt ? ', last seen ' + timeOf(lastSeenAt) : ''),
      isCurrent ? undefined : buttonOf('End', name + ' since ' + timeOf(createdAt), async () => {
        await call('DELETE', '/v1/users/me/sessions/' + id);
        await loadSessions();
        return 'The session has ended.';
      }));
  }), 'You are not signed in anywhere.');
}

onSubmit('sign-in', async ({ email, password }, form) => {
  tokens = undefined;
  tokens = await call('POST', '/v1/users/login', { provider: 'EMAIL', email, password });
  const me = await call('GET', '/v1/users/me');
  form.reset();
  entrance.hidden = true;
  overview.hidden = false;
  byId('who').textContent = [me.name, me.email].filter(Boolean).join(', ');
  say(overview, {});
  showAddresses(me);
  await Promise.all([loadOrders(true), loadSessions()]);
});
onSubmit('register', async (fields, form) => {
  await call('POST', '/v1/users/register', fields);
  form.reset();
  return 'Open the link in the mail to ' + fields.email + ', then sign in.';
});
onSubmit('forgot', async ({ email }) => {
  await call('POST', '/v1/users/forgot-password', { email });
  return 'If ' + email + ' has an account, a link for a new password is on its way.';
});
onSubmit('resend', async ({ email }) => {
  await call('POST', '/v1/users/resend-confirmation', { email });
  return 'If ' + email + ' is still to be confirmed, the mail is on its way.';
});
byId('more-orders').addEventListener('click', ({ target }) => act(overview, target, () => loadOrders(false)));
byId('claim-orders').addEventListener('click', ({ target }) => act(overview, target, async () => {
  const { claimed } = await call('POST', '/v1/users/me/claim-orders', {});
  if (claimed > 0) await loadOrders(true);
  return claimed > 0 ? 'Orders added: ' + claimed + '.' : 'There are no other orders with your address.';
}));
byId('sign-out').addEventListener('click', ({ target }) => act(overview, target, async () => {
  await call('POST', '/v1/users/logout', { token: tokens.refreshToken });
  showEntrance();
}));
byId('sign-out-everywhere').addEventListener('click', ({ target }) => act(overview, target, async () => {
  await call('DELETE', '/v1/users/me/sessions');
  showEntrance();
  say(entrance, { good: 'You are signed out everywhere.' });
}));
`;
