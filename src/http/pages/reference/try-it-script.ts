/** The form that sends a call, filled with the example of the contract. Runs in the browser. */
export const tryItScript = String.raw`function input({ name, in: place, example, schema, required }) {
  const id = 'try-' + place + '-' + name;
  const value = example === undefined ? '' : String(example);
  const choices = inside(schema ?? {}).enum;
  const control = choices && typeOf(schema) !== 'list of ' + nameOfItems(schema)
    ? el('select', { id, 'data-in': place, name }, el('option', { value: '' }, '—'),
        choices.map((one) => el('option', { value: one, selected: one === value }, one)))
    : el('input', { id, 'data-in': place, name, value, autocomplete: 'off', spellcheck: 'false' });
  return el('div', { class: 'control' }, el('label', { for: id }, name, required && el('span', { class: 'needed' }, ' required')), control);
}
const nameOfItems = (schema) => (schema.type === 'array' ? typeOf(schema.items ?? {}) : '');

/** The request that the form describes, with what was taken first. */
function requestOf({ method, path }, form, taken) {
  const filled = (place) => [...form.querySelectorAll('[data-in=' + place + ']')].filter(({ value }) => value !== '')
    .map(({ name, value }) => ({ name, value: fill(value, taken) }));
  const address = filled('path').reduce((text, { name, value }) => text.replace('{' + name + '}', encodeURIComponent(value)), path);
  const query = new URLSearchParams(filled('query').map(({ name, value }) => [name, value]));
  const headers = new Headers(filled('header').map(({ name, value }) => [name, value]));
  const body = fill(form.querySelector('textarea')?.value.trim() ?? '', taken);
  if (body) headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json');
  return new Request(address + (query.size > 0 ? '?' + query : ''), { method, headers, ...(body ? { body } : {}) });
}

async function send(call, form, shown) {
  const { first = [] } = call.operation['x-example'];
  const isFirst = isOpen(first, [...form.elements].map(({ value }) => value).join(' '));
  const steps = el('ol', { class: 'steps' });
  const show = (...parts) => shown.replaceChildren(...(isFirst ? [el('p', {}, 'Asked first, for what stands in braces:'), steps] : []), ...parts);
  show(el('p', {}, 'Sending…'));
  try {
    const taken = isFirst ? await askFirst(first, (step) => steps.append(step)) : {};
    const from = performance.now();
    const response = await fetch(requestOf(call, form, taken));
    const text = await response.text();
    const took = Math.round(performance.now() - from);
    let body = text;
    try { body = json(JSON.parse(text)); } catch { /* Not JSON: shown as it came. */ }
    show(
      el('p', {}, el('strong', { class: response.ok ? 'good' : 'bad', 'data-status': response.status }, response.status + ' ' + response.statusText), ' in ' + took + ' ms'),
      block(body, 'The answer'));
  } catch (error) {
    show(el('p', { class: 'bad' }, String(error.message)));
  }
}

function tryIt(call) {
  const { parameters = [], requestBody } = call.operation;
  const all = parameters.map(read);
  const isShown = ({ required, example }) => required || example !== undefined;
  const others = all.filter((one) => !isShown(one));
  const example = requestBody?.content?.['application/json']?.example;
  const shown = el('div', { class: 'answer', role: 'status' });
  const as = call.operation['x-example']?.as;
  const form = el('form', {},
    all.filter(isShown).map(input),
    others.length > 0 && el('details', {}, el('summary', {}, 'More parameters'), others.map(input)),
    requestBody && el('div', { class: 'control' }, el('label', { for: 'try-body' }, 'Body'),
      el('textarea', { id: 'try-body', rows: Math.min(18, json(example ?? {}).split('\n').length + 1), spellcheck: 'false' }, json(example ?? {}))),
    el('p', { class: 'send' }, el('button', { class: 'main' }, 'Send'),
      as && el('span', {}, as === 'guest' ? 'The example is a guest’s.' : 'The example is the demo admin’s.')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(call, form, shown);
  });
  return el('section', { class: 'box', 'aria-labelledby': 'try' }, el('h2', { id: 'try' }, 'Try it'), form, shown);
}
`;
