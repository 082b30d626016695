/** The body of a request in OpenAPI: the input type itself, or what a row makes one of. */
import { sample } from './examples.ts';
import { type Components, type JsonSchema, objectSchema } from './schemas.ts';
import type { Slot, Traced } from './trace.ts';

export function requestBodyOf(
  { body }: Traced,
  components: Components,
): { [key: string]: unknown } | undefined {
  if (body.size === 0) return undefined;
  const schema = inputTypeOf(body, components) ?? inlineSchema(body, components);
  const target =
    typeof schema.$ref === 'string' ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  return {
    required: Array.isArray(target?.required) && target.required.length > 0,
    content: {
      'application/json': { schema, example: sample(components.schemas, schema, true) },
    },
  };
}

/** The one input type whose fields are exactly those of the body. */
function inputTypeOf(body: Traced['body'], components: Components): JsonSchema | undefined {
  const owners = new Set([...body].map(([name, slot]) => ownerOf(name, slot)));
  const [owner] = owners;
  if (owners.size !== 1 || !owner) return undefined;
  return components.inputNamed(owner, [...body.keys()]);
}

const ownerOf = (name: string, slot: Slot | undefined) => {
  const [owner, field, ...more] = slot?.field.split('.') ?? [];
  return field === name && more.length === 0 ? owner : undefined;
};

function inlineSchema(body: Traced['body'], components: Components): JsonSchema {
  const entries = [...body].map(([name, slot]) => {
    if (!slot) return { name, required: false, schema: { description: 'Accepted from older clients.' } };
    const rivals = [...body].filter(([, other]) => other?.field === slot.field).map(([rival]) => rival);
    const proper = rivals.find((rival) => slot.field.endsWith(`.${rival}`)) ?? rivals[0];
    const description = proper === name ? slot.description : `The same as \`${proper}\`.`;
    return {
      name,
      required: slot.required && rivals.length === 1,
      schema: components.property(components.input(slot.type), name, slot.type, description, slot.field),
    };
  });
  return objectSchema(
    Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    entries.filter(({ required }) => required).map(({ name }) => name),
  );
}
