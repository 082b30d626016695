/** Browser script of the REST reference: shows an operation with its errors and code samples, or the general information of the API. */
export const referenceOperationScript = `const sheet = document.getElementById('operation');

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

const parameterList = (parameters) => el('ul', { class: 'fields' }, parameters.map((parameter) =>
  field(parameter.name, { ...parameter.schema, description: parameter.description, deprecated: parameter.deprecated }, parameter.required, [])));

function show(call) {
  const { path, operation, isEvent } = call;
  const parameters = (operation.parameters ?? []).map(resolveRef);
  const headers = parameters.filter((parameter) => parameter.in === 'header' && !parameter.required);
  const own = parameters.filter((parameter) => !headers.includes(parameter));
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
    own.length > 0 && section('Parameters', parameterList(own)),
    body?.schema && section(isEvent ? 'Payload' : 'Body', fields(body.schema)),
    response?.schema && section('Response', fields(response.schema)),
    headers.length > 0 && section('Headers', el('details', {}, el('summary', {}, 'Optional headers'), parameterList(headers))),
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
    info.description.split('\\n\\n').map((text) => el('p', {}, prose(text))),
    section('Authentication', Object.values(components.securitySchemes).map(({ description }) => el('p', {}, prose(description)))),
    section('Resources', el('ul', { class: 'fields' }, tags.map((tag) => el('li', {},
      el('div', { class: 'name' }, el('strong', {}, tag['x-displayName'])), el('p', {}, prose(tag.description))))))));
}
`;
