/** The body of a request in OpenAPI: the input type itself, or what a row makes one of. */
import { sample } from './examples.ts';
import { type Place, type Places, sourcesOf } from './places.ts';
import { type Components, type JsonSchema, objectSchema } from './schemas.ts';

export function requestBodyOf(
  places: Places,
  components: Components,
): { [key: string]: unknown } | undefined {
  const { body, query } = places;
  if (body.size === 0) return undefined;
  const schema = inputTypeOf(body, components) ?? inlineSchema(places, components);
  const needed = [...body].filter(([name, place]) => place?.required && place.field.endsWith(`.${name}`));
  const inQuery = new Set([...query.values()].map((place) => place?.field));
  return {
    required: needed.some(([, place]) => !inQuery.has(place?.field)),
    content: {
      'application/json': {
        schema,
        example: sample(components.schemas, schema, { sparse: true, shown: needed.map(([name]) => name) }),
      },
    },
  };
}

/** The one input type whose fields are exactly those of the body. */
function inputTypeOf(body: Places['body'], components: Components): JsonSchema | undefined {
  const owners = new Set([...body].map(([name, place]) => ownerOf(name, place)));
  const [owner] = owners;
  if (owners.size !== 1 || !owner) return undefined;
  return components.inputNamed(owner, [...body.keys()]);
}

const ownerOf = (name: string, place: Place | undefined) => {
  const [owner, field, ...more] = place?.field.split('.') ?? [];
  return field === name && more.length === 0 ? owner : undefined;
};

function inlineSchema(places: Places, components: Components): JsonSchema {
  const { body } = places;
  const entries = [...body].map(([name, place]) => {
    if (!place) return { name, required: false, schema: { description: 'Accepted from older clients.' } };
    const rivals = [...body].filter(([, other]) => other?.field === place.field).map(([rival]) => rival);
    const proper = rivals.find((rival) => place.field.endsWith(`.${rival}`)) ?? rivals[0];
    const description = proper === name ? place.description : `The same as \`${proper}\`.`;
    return {
      name,
      required: place.required && sourcesOf(places, place) === 1,
      schema: components.property(components.input(place.type), name, place.type, description, place.field),
    };
  });
  return objectSchema(
    Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    entries.filter(({ required }) => required).map(({ name }) => name),
  );
}
