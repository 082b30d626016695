/** Browser script of the REST reference: resolves references of the OpenAPI document, and renders the fields of a schema. */
export const referenceSchemaScript = `let contract;
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
`;
