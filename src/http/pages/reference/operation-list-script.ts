/** Browser script of the REST reference: list of operations, search, and the operation named by the URL fragment. */
export const referenceBrowseScript = String.raw`const list = document.getElementById('operations');
const search = document.getElementById('search');
const sheet = document.getElementById('operation');

const operationsOf = (paths, isEvent) => Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation, isEvent })));

/** Search text of an operation: path, names, descriptions and fields. */
const searchTextOf = ({ path, operation }) => [path, operation.operationId, operation.summary, operation.description,
  ...(operation.parameters ?? []).map((parameter) => resolveRef(parameter).name),
  ...Object.keys(itemSchema(operation.requestBody?.content?.['application/json']?.schema ?? {}).properties ?? {})].join(' ').toLowerCase();

const badge = ({ method, isEvent }) => el('span', { class: 'method ' + (isEvent ? 'event' : method.toLowerCase()) }, isEvent ? 'EVENT' : method);

const section = (title, ...content) => el('section', {}, el('h2', {}, title), content);

function errors({ operation }) {
  const failed = Object.entries(operation.responses ?? {}).filter(([status]) => Number(status) >= 400);
  if (failed.length === 0) return undefined;
  const item = ([status, response]) => {
    const resolved = resolveRef(response);
    const codes = itemSchema(itemSchema(resolved.content?.['application/json']?.schema ?? {}).properties?.details ?? {}).properties?.error;
    return el('li', {}, el('div', { class: 'name' }, el('code', {}, status)), el('p', {}, prose(resolved.description)),
      codes?.$ref && el('details', {}, el('summary', {}, 'Detail codes of ' + status), values(codes)));
  };
  return section('Errors', el('ul', { class: 'fields' }, failed.map(item)));
}

const languageKey = 'duet:language';

/** Code samples, one at a time; the chosen language is stored for all operations. */
function codeBox(samples) {
  const select = el('select', { id: 'language' }, samples.map(({ label }) => el('option', { value: label }, label)));
  const stored = localStorage.getItem(languageKey);
  if (samples.some(({ label }) => label === stored)) select.value = stored;
  const code = el('div');
  const draw = () => {
    const { label, source } = samples.find((sample) => sample.label === select.value);
    code.replaceChildren(block(source, label), copyButton(source, label));
  };
  select.addEventListener('change', () => {
    localStorage.setItem(languageKey, select.value);
    draw();
  });
  draw();
  return el('section', { class: 'box code' }, el('div', { class: 'title' }, el('h2', {}, 'Code'), el('label', { class: 'language', for: 'language' }, 'Language ', select)), code);
}

function show(call) {
  const { path, operation, isEvent } = call;
  const parameters = (operation.parameters ?? []).map(resolveRef);
  const body = operation.requestBody?.content?.['application/json'];
  const response = resolveRef(operation.responses?.[200])?.content?.['application/json'];
  const samples = isEvent ? [] : [...(operation['x-codeSamples'] ?? []), ...requestSamples(call)];
  const head = el('div', { class: 'head-of' },
    el('h1', {}, operation.summary),
    el('p', { class: 'address' }, badge(call), ' ', el('code', {}, path)),
    operation.deprecated && el('p', { class: 'old' }, 'Deprecated.'),
    el('p', { class: 'lead' }, prose(operation.description)),
    operation['x-graphql-operation'] && el('p', { class: 'type' }, 'Runs the GraphQL operation ', el('code', {}, operation['x-graphql-operation']), ' with the field ', el('code', {}, operation['x-graphql-field']), '.'));
  const facts = el('div', { class: 'facts-of' },
    parameters.length > 0 && section('Parameters', el('ul', { class: 'fields' }, parameters.map((parameter) =>
      field(parameter.name, { ...parameter.schema, description: parameter.description, deprecated: parameter.deprecated }, parameter.required, [])))),
    body?.schema && section(isEvent ? 'Payload' : 'Body', fields(body.schema)),
    response?.schema && section('Response', fields(response.schema)),
    errors(call));
  const form = !isEvent && operation['x-example'] && tryIt(call);
  const doing = el('div', { class: 'doing' }, form,
    form && operation['x-graphql-operation'] && graphqlEquivalent(call, form.querySelector('form')),
    samples.length > 0 && codeBox(samples),
    (response ?? (isEvent ? body : undefined))?.example && el('section', { class: 'box' }, el('h2', {}, 'Example'), block(json((response ?? body).example), 'Example')));
  sheet.replaceChildren(el('div', { class: 'about' }, head, facts), doing);
}

/** General information of the OpenAPI document. */
function welcome() {
  const { info, tags, components } = contract;
  sheet.replaceChildren(el('div', { class: 'facts-of' }, el('h1', {}, info.title + ' ' + info.version), el('p', { class: 'lead' }, info.summary),
    el('p', {}, prose(info.description)),
    section('Authentication', Object.values(components.securitySchemes).map(({ description }) => el('p', {}, prose(description)))),
    section('Resources', el('ul', { class: 'fields' }, tags.map((tag) => el('li', {},
      el('div', { class: 'name' }, el('strong', {}, tag['x-displayName'])), el('p', {}, prose(tag.description))))))));
}

const groups = [];
let calls = [];

function drawList() {
  for (const { name, 'x-displayName': title } of contract.tags) {
    const links = calls.filter(({ operation }) => operation.tags?.[0] === name).map((call) => {
      const link = el('a', { href: '#' + call.operation.operationId }, call.operation.summary, badge(call));
      return { call, node: el('li', {}, link), link, searchText: searchTextOf(call) };
    });
    const node = el('div', { class: 'group' }, el('h2', { id: 'tag-' + name }, title), el('ul', { 'aria-labelledby': 'tag-' + name }, links.map(({ node }) => node)));
    groups.push({ node, links });
  }
  list.replaceChildren(...groups.map(({ node }) => node));
}

function filter() {
  const terms = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { node, links } of groups) {
    for (const link of links) link.node.hidden = !terms.every((term) => link.searchText.includes(term));
    node.hidden = links.every((link) => link.node.hidden);
  }
}

function go() {
  const name = decodeURIComponent(location.hash.slice(1));
  const call = calls.find(({ operation }) => operation.operationId === name);
  for (const { link, call: linked } of groups.flatMap(({ links }) => links))
    if (linked === call) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  const current = list.querySelector('[aria-current]');
  if (call) show(call); else welcome();
  document.title = (call ? call.operation.summary + ' · ' : '') + 'REST reference · Duet';
  const menu = document.getElementById('menu');
  menu.open = matchMedia('(min-width:60rem)').matches;
  // Only the list scrolls: scrollIntoView would also scroll the page.
  if (current && menu.open) {
    const { top, bottom } = current.getBoundingClientRect();
    const frame = menu.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) menu.scrollTop += top - frame.top - frame.height / 2;
  }
  scrollTo(0, 0);
}

/**
 * Example of an operation with values of the visitor's shop. A write to an existing record gets no record: sending the example must not
 * change one that the visitor did not choose.
 */
function onOwnShop(adapt, call) {
  const parameters = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = call.method === 'GET' ? undefined
    : parameters.every((name) => name === 'businessId') ? ['YOUR_BUSINESS_ID', 'YOUR_PRODUCT_ID', 'YOUR_VARIANT_ID', 'YOUR_COLLECTION_ID']
    : parameters.includes('businessId') ? ['YOUR_BUSINESS_ID'] : [];
  const operation = JSON.parse(adapt(JSON.stringify(call.operation), names));
  const { market, shippingMethodId } = JSON.parse(adapt('{"market":"US","shippingMethodId":"standard"}'));
  for (const parameter of operation.parameters ?? []) {
    const { name, example, in: location } = parameter;
    if (location === 'path' && name !== 'businessId' && call.method !== 'GET' && !String(example).startsWith('YOUR_')) parameter.example = 'YOUR_' + name.toUpperCase();
    else parameter.example = { US: market, standard: shippingMethodId }[example] ?? example;
  }
  return { ...call, operation };
}

const [source, adapter] = [duetSession.usesDemo ? '/v1/openapi.json' : '/assets/openapi-without-demo.json', duetSession.adapter()];
fetch(source).then((response) => response.json()).then(async (openApi) => {
  contract = openApi;
  calls = [...operationsOf(openApi.paths, false), ...operationsOf(openApi.webhooks ?? {}, true)];
  if (duetSession.hasShop && !duetSession.usesDemo) {
    const adapt = await adapter;
    calls = calls.map((call) => onOwnShop(adapt, call));
  }
  drawList();
  go();
  addEventListener('hashchange', go);
  search.addEventListener('input', filter);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    document.getElementById('menu').open = true;
    search.focus();
  });
});
`;
