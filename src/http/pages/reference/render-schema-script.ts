/** Browser script of the REST reference: renders elements, prose with inline code, and the fields of a schema. */
export const referenceRenderScript = String.raw`const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
};

/** Text between backticks becomes inline code. */
const prose = (text = '') => text.split(/\x60/).map((part, index) => (index % 2 ? el('code', {}, part) : part));

const json = (value) => JSON.stringify(value, null, 2);

/** Scrollable, hence focusable by keyboard. */
const block = (text, label) => el('pre', { tabindex: '0', role: 'region', 'aria-label': label }, el('code', {}, text));

let contract;
const refName = ({ $ref }) => $ref.split('/').at(-1);
const resolveRef = (part) => (part?.$ref ? part.$ref.slice(2).split('/').reduce((node, key) => node[key], contract) : part) ?? {};

function typeOf(schema) {
  if (schema.$ref) return refName(schema);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return 'list of ' + typeOf(schema.items ?? {});
  return [schema.type ?? 'anything'].flat().join(' or ');
}

/** The resolved schema; of an array, the schema of its items. */
function itemSchema(schema) {
  const resolved = resolveRef(schema);
  if (resolved.type === 'array') return itemSchema(resolved.items ?? {});
  return resolved;
}

const values = (schema) => {
  const { enum: enumValues } = itemSchema(schema);
  return enumValues && el('p', { class: 'values' }, enumValues.flatMap((value) => [el('code', {}, value), ' ']));
};

function field(name, schema, isRequired, ancestors) {
  const resolved = itemSchema(schema);
  const hasFields = (resolved.properties || resolved.anyOf) && !ancestors.includes(resolved);
  const details = hasFields && el('details', {}, el('summary', {}, 'Fields of ' + name));
  details?.addEventListener?.('toggle', () => details.append(fields(schema, ancestors)), { once: true });
  return el('li', {},
    el('div', { class: 'name' }, el('code', {}, name), el('span', { class: 'type' }, typeOf(schema)),
      isRequired && el('span', { class: 'needed' }, 'required'),
      schema.deprecated && el('span', { class: 'old' }, 'deprecated')),
    el('p', {}, prose(schema.description ?? resolved.description)), values(schema), details);
}

/** The fields of an object. Nested objects are rendered when they are expanded. */
function fields(schema, ancestors = []) {
  const resolved = itemSchema(schema);
  if (resolved.anyOf) return el('div', {}, resolved.anyOf.map((option) => [el('p', { class: 'type' }, typeOf(option)), fields(option, ancestors)]));
  const entries = Object.entries(resolved.properties ?? {});
  if (entries.length === 0) return el('p', {}, typeOf(schema));
  return el('ul', { class: 'fields' },
    entries.map(([name, fieldSchema]) => field(name, fieldSchema, resolved.required?.includes(name), [...ancestors, resolved])));
}

function copyButton(text, subject) {
  const button = el('button', { type: 'button' });
  const setLabel = (label) => {
    button.textContent = label;
    button.setAttribute('aria-label', label + ': ' + subject);
  };
  setLabel('Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    setLabel('Copied');
    setTimeout(setLabel, 1500, 'Copy');
  });
  return button;
}
`;
