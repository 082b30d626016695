/** Browser script of the workbench: list of requests with filters, updated every two seconds, and the details of one. */
export const workbenchRequestsScript = `let timer;
const stopWatching = () => clearInterval(timer);

/** Filters in the address, such as #requests?failed=true. */
const filters = () => new URLSearchParams(location.hash.split('?')[1] ?? '');
const callerOf = ({ keyName, keyId, clientName, caller, userName }) =>
  clientName ?? (keyName ? 'key ' + keyName : keyId ? 'key ' + keyId : userName ?? caller.toLowerCase());

function filterForm(current, onChange) {
  const choice = (name, label, options) => el('label', {}, label, el('select', { name },
    options.map(([value, text]) => el('option', { value, selected: current.get(name) === value }, text))));
  const text = (name, label) => el('label', {}, label, el('input', { name, value: current.get(name) ?? '', autocomplete: 'off', spellcheck: 'false' }));
  const form = el('form', { class: 'filters', 'aria-label': 'Filters' },
    choice('failed', 'Outcome', [['', 'All'], ['true', 'Errors'], ['false', 'Successes']]),
    choice('protocol', 'Protocol', [['', 'Both'], ['REST', 'REST'], ['GRAPHQL', 'GraphQL']]),
    text('client', 'Client'), text('code', 'Error code'), text('operation', 'Operation'), text('requestId', 'Request id'));
  form.addEventListener('change', () => {
    const values = [...new FormData(form)].filter(([, value]) => value !== '');
    history.replaceState(null, '', '#requests' + (values.length > 0 ? '?' + new URLSearchParams(values) : ''));
    onChange();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  return form;
}

async function showRequests(content) {
  const list = el('ol', { class: 'calls', 'aria-label': 'Requests, newest first' });
  const none = empty('No request yet. Send one to the API of this business; it appears here within a second or two.');
  const more = button('Older requests', () => load(cursor), { hidden: true });
  let cursor;
  async function load(after) {
    const query = filters();
    query.set('limit', '30');
    if (after) query.set('cursor', after);
    const page = await ofBusiness('/requests?' + query);
    const known = new Set([...list.children].map(({ dataset }) => dataset.id));
    const added = page.items.filter(({ id }) => !known.has(id)).map(renderCall);
    if (after) list.append(...added);
    else list.prepend(...added);
    if (after || known.size === 0) {
      cursor = page.cursor;
      more.hidden = !cursor;
    }
    none.hidden = list.children.length > 0;
    list.hidden = !none.hidden;
  }
  await load();
  const reload = () => load().catch((error) => { stopWatching(); say(explain(error)); });
  content.append(heading('Requests of the last days'), filterForm(filters(), () => { list.replaceChildren(); reload(); }), none, list, more);
  return () => {
    timer = setInterval(() => { if (!document.hidden) reload(); }, 2000);
  };
}

function renderCall(call) {
  const details = el('div', { class: 'details', hidden: true });
  const toggle = el('button', { type: 'button', class: 'call', 'aria-expanded': 'false', onclick() {
    const isOpen = toggle.getAttribute('aria-expanded') === 'true';
    toggle.setAttribute('aria-expanded', String(!isOpen));
    details.hidden = isOpen;
    if (!details.hasChildNodes()) details.append(...renderDetails(call));
  } },
    el('span', { class: 'outcome ' + (call.code ? 'bad' : 'good') }, call.code ?? String(call.status)),
    el('span', { class: 'operation' }, call.operation),
    el('span', { class: 'who' }, callerOf(call)),
    el('span', { class: 'took' }, (call.durationMs < 10 ? call.durationMs.toFixed(1) : Math.round(call.durationMs)) + ' ms'),
    el('span', { class: 'when' }, time(call.createdAt)));
  return el('li', { 'data-id': call.id }, toggle, details);
}

function renderDetails(call) {
  const { code: errorCode, message, advice, details } = call;
  return [
    errorCode && el('div', { class: 'problem' }, el('p', {}, el('strong', {}, errorCode), ' ', message ?? ''),
      details?.length > 0 && el('ul', {}, details.map(({ field, error, message: text }) =>
        el('li', {}, field && code(field), field && ' ', error, text && ': ' + text))),
      advice && el('p', { class: 'advice' }, advice.replaceAll(String.fromCharCode(96), ''))),
    facts([
      ['Request id', code(call.requestId)], ['Protocol', call.protocol === 'REST' ? 'REST' : 'GraphQL'], ['Status', String(call.status)],
      ['Client', call.clientName], ['API key', call.keyName ?? call.keyId], ['User', call.userName],
      ['Caller', call.caller.toLowerCase().replace('_', ' ')], ['API version', call.apiVersion], ['Path', code(call.method + ' ' + call.path)],
    ]),
    call.body && el('div', {}, el('h3', {}, 'Body'), block(pretty(call.body), 'Body')),
    showAs(call),
    replayForm(call),
  ].filter(Boolean);
}
`;
