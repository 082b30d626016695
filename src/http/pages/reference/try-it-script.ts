/** Browser script of the REST reference: form that sends a request, filled with the example of the OpenAPI document. */
export const referenceTryItScript = String.raw`function input({ name, in: location, example, schema, required }) {
  const id = 'try-' + location + '-' + name;
  const value = example === undefined ? '' : String(example);
  const choices = itemSchema(schema ?? {}).enum;
  const control = choices && typeOf(schema) !== 'list of ' + nameOfItems(schema)
    ? el('select', { id, 'data-in': location, name }, el('option', { value: '' }, '—'),
        choices.map((choice) => el('option', { value: choice, selected: choice === value }, choice)))
    : el('input', { id, 'data-in': location, name, value, autocomplete: 'off', spellcheck: 'false' });
  return el('div', { class: 'control' }, el('label', { for: id }, name, required && el('span', { class: 'needed' }, ' required')), control);
}
const nameOfItems = (schema) => (schema.type === 'array' ? typeOf(schema.items ?? {}) : '');

/** Builds the request of the form; placeholders are replaced by the values of the preceding requests. */
function requestOf({ method, path }, form, values) {
  const filled = (location) => [...form.querySelectorAll('[data-in=' + location + ']')].filter(({ value }) => value !== '')
    .map(({ name, value }) => ({ name, value: fill(value, values) }));
  const address = filled('path').reduce((text, { name, value }) => text.replace('{' + name + '}', encodeURIComponent(value)), path);
  const query = new URLSearchParams(filled('query').map(({ name, value }) => [name, value]));
  const headers = new Headers(filled('header').map(({ name, value }) => [name, value]));
  const body = fill(form.querySelector('textarea')?.value.trim() ?? '', values);
  if (body) headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json');
  return new Request(address + (query.size > 0 ? '?' + query : ''), { method, headers, ...(body ? { body } : {}) });
}

/** Only the demo shop has the records and mails that prerequisites work on. */
const prerequisitesOf = (call) => (duetSession.usesDemo ? call.operation['x-example'].first ?? [] : []);

async function send(call, form, output) {
  const first = prerequisitesOf(call);
  const [unset] = /YOUR_[A-Z_]+/.exec([...form.elements].map(({ value }) => value).join(' ')) ?? [];
  if (unset) {
    output.replaceChildren(el('p', { class: 'bad' }, duetSession.hasShop ? 'Replace ' + unset + ' first.' : 'Replace ' + unset + ' first, or sign in: examples then have ids of your shop.'));
    return;
  }
  const hasPrerequisites = hasPlaceholder(first, [...form.elements].map(({ value }) => value).join(' '));
  const steps = el('ol', { class: 'steps' });
  const show = (...parts) => output.replaceChildren(...(hasPrerequisites ? [el('p', {}, 'Sent first, for the values in braces:'), steps] : []), ...parts);
  show(el('p', {}, 'Sending…'));
  try {
    const values = hasPrerequisites ? await runPrerequisites(first, (step) => steps.append(step)) : {};
    const startedAt = performance.now();
    const response = await fetch(requestOf(call, form, values));
    const text = await response.text();
    const took = Math.round(performance.now() - startedAt);
    let body = text;
    try { body = json(JSON.parse(text)); } catch { /* Not JSON: shown unformatted. */ }
    show(
      el('p', {}, el('strong', { class: response.ok ? 'good' : 'bad', 'data-status': response.status }, response.status + ' ' + response.statusText), ' in ' + took + ' ms'),
      block(body, 'Response'));
  } catch (error) {
    show(el('p', { class: 'bad' }, String(error.message)));
  }
}

function tryIt(call) {
  const { parameters = [], requestBody } = call.operation;
  const resolved = parameters.map(resolveRef);
  const isExpanded = ({ required, example }) => required || example !== undefined;
  const others = resolved.filter((parameter) => !isExpanded(parameter));
  const example = requestBody?.content?.['application/json']?.example;
  const output = el('div', { class: 'answer', role: 'status' });
  // The examples of operations for every caller are sent as admin, too, but do not need it.
  const isOpen = call.operation.security?.length === 0 || call.operation.description?.includes('including that of a guest');
  const as = isOpen ? undefined : call.operation['x-example']?.as;
  const form = el('form', {},
    resolved.filter(isExpanded).map(input),
    others.length > 0 && el('details', {}, el('summary', {}, 'More parameters'), others.map(input)),
    requestBody && el('div', { class: 'control' }, el('label', { for: 'try-body' }, 'Body'),
      el('textarea', { id: 'try-body', rows: Math.min(18, json(example ?? {}).split('\n').length + 1), spellcheck: 'false' }, json(example ?? {}))),
    el('p', { class: 'send' }, el('button', { class: 'main' }, 'Send'),
      as && !(duetSession.hasShop && !duetSession.usesDemo) && el('span', {}, as === 'guest' ? 'The example needs a guest token.' : duetSession.usesDemo ? 'The example needs the demo admin’s token.' : 'The example needs a token of your shop’s staff.')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(call, form, output);
  });
  return el('section', { class: 'box try', 'aria-labelledby': 'try' }, el('h2', { id: 'try' }, 'Try it'), form, output);
}
`;
