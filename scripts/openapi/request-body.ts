/** The body of a request in OpenAPI: the input type itself, or what a row makes one of. */

import type { Components } from './component-schemas.ts';
import { type Place, type Places, properName } from './input-bindings.ts';
import { type JsonSchema, objectSchema } from './json-schema.ts';

export interface BodyOptions {
  /** What the schema is called when it is not that of an input type. */
  name: string;
  example: unknown;
  /** Forms of pages are taken too. */
  form: boolean;
}

export function requestBodyOf(
  places: Places,
  components: Components,
  { name, example, form }: BodyOptions,
): { [key: string]: unknown } | undefined {
  const { body, query } = places;
  if (body.size === 0) return undefined;
  const schema = inputTypeOf(body, components) ?? components.named(name, ownSchema(places, components));
  const inQuery = new Set([...query.values()].map((place) => place?.field));
  return {
    required: [...body.values()].some((place) => place?.required && !inQuery.has(place.field)),
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
      ...(form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
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

/** What older clients send instead of a field, or beside the others, is there but never needed. */
function ownSchema(places: Places, components: Components): JsonSchema {
  const entries = [...places.body].map(([name, place]) => {
    if (!place)
      return { name, required: false, schema: { description: 'Accepted from older clients, and not read.' } };
    const proper = properName(places, place);
    const description =
      proper === name ? place.description : `What older clients send instead of \`${proper}\`.`;
    return {
      name,
      required: place.required && proper === name,
      schema: components.property(components.input(place.type), place.type, description, place.field),
    };
  });
  return objectSchema(
    Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    entries.filter(({ required }) => required).map(({ name }) => name),
    'What is asked for, as REST takes it: several arguments of the operation in one object.',
  );
}
