/** Draws elements, texts with code in them, and the fields of a schema. Runs in the browser. */
export const renderScript = String.raw`const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
};

/** What stands between backticks is code. */
const prose = (text = '') => text.split(/\x60/).map((part, index) => (index % 2 ? el('code', {}, part) : part));

const json = (value) => JSON.stringify(value, null, 2);

/** Long texts scroll, so the keyboard must reach them. */
const block = (text, label) => el('pre', { tabindex: '0', role: 'region', 'aria-label': label }, el('code', {}, text));

let contract;
const nameIn = ({ $ref }) => $ref.split('/').at(-1);
const read = (part) => (part?.$ref ? part.$ref.slice(2).split('/').reduce((at, key) => at[key], contract) : part) ?? {};

function typeOf(schema) {
  if (schema.$ref) return nameIn(schema);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return 'list of ' + typeOf(schema.items ?? {});
  return [schema.type ?? 'anything'].flat().join(' or ');
}

/** What a reader may look into: the object itself, or what a list holds. */
function inside(schema) {
  const known = read(schema);
  if (known.type === 'array') return inside(known.items ?? {});
  return known;
}

const values = (schema) => {
  const { enum: all } = inside(schema);
  return all && el('p', { class: 'values' }, all.flatMap((one) => [el('code', {}, one), ' ']));
};

function field(name, schema, isRequired, open) {
  const known = inside(schema);
  const hasMore = (known.properties || known.anyOf) && !open.includes(known);
  const more = hasMore && el('details', {}, el('summary', {}, 'Fields of ' + name));
  more?.addEventListener?.('toggle', () => more.append(fields(schema, open)), { once: true });
  return el('li', {},
    el('div', { class: 'name' }, el('code', {}, name), el('span', { class: 'type' }, typeOf(schema)),
      isRequired && el('span', { class: 'needed' }, 'required'),
      schema.deprecated && el('span', { class: 'old' }, 'deprecated')),
    el('p', {}, prose(schema.description ?? known.description)), values(schema), more);
}

/** The fields of an object, those inside others when they are asked for. */
function fields(schema, open = []) {
  const known = inside(schema);
  if (known.anyOf) return el('div', {}, known.anyOf.map((one) => [el('p', { class: 'type' }, typeOf(one)), fields(one, open)]));
  const entries = Object.entries(known.properties ?? {});
  if (entries.length === 0) return el('p', {}, typeOf(schema));
  return el('ul', { class: 'fields' },
    entries.map(([name, inner]) => field(name, inner, known.required?.includes(name), [...open, known])));
}

function copyButton(text, what) {
  const button = el('button', { type: 'button' });
  const say = (word) => {
    button.textContent = word;
    button.setAttribute('aria-label', word + ': ' + what);
  };
  say('Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    say('Copied');
    setTimeout(say, 1500, 'Copy');
  });
  return button;
}
`;
