/** The body of a request in OpenAPI: the input type itself, or what a route makes one of. */

import type { Components } from './component-schemas.ts';
import { canonicalName, type InputBinding, type RouteBindings } from './input-bindings.ts';
import { type JsonSchema, objectSchema } from './json-schema.ts';

export interface BodyOptions {
  /** What the schema is called when it is not that of an input type. */
  name: string;
  example: unknown;
  /** Forms of pages are taken too. */
  form: boolean;
}

export function requestBodyOf(
  bindings: RouteBindings,
  components: Components,
  { name, example, form }: BodyOptions,
): { [key: string]: unknown } | undefined {
  const { body, query } = bindings;
  if (body.size === 0) return undefined;
  const schema = inputTypeOf(body, components) ?? components.named(name, ownSchema(bindings, components));
  const inQuery = new Set([...query.values()].map((binding) => binding?.coordinate));
  return {
    required: [...body.values()].some((binding) => binding?.required && !inQuery.has(binding.coordinate)),
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
      ...(form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    },
  };
}

/** The one input type whose fields are exactly those of the body. */
function inputTypeOf(body: RouteBindings['body'], components: Components): JsonSchema | undefined {
  const owners = new Set([...body].map(([name, binding]) => ownerOf(name, binding)));
  const [owner] = owners;
  if (owners.size !== 1 || !owner) return undefined;
  return components.inputNamed(owner, [...body.keys()]);
}

const ownerOf = (name: string, binding: InputBinding | undefined) => {
  const [owner, field, ...more] = binding?.coordinate.split('.') ?? [];
  return field === name && more.length === 0 ? owner : undefined;
};

/** What older clients send instead of a field, or beside the others, is there but never needed. */
function ownSchema(bindings: RouteBindings, components: Components): JsonSchema {
  const entries = [...bindings.body].map(([name, binding]) => {
    if (!binding)
      return { name, required: false, schema: { description: 'Accepted from older clients, and not read.' } };
    const proper = canonicalName(bindings, binding);
    const description =
      proper === name ? binding.description : `What older clients send instead of \`${proper}\`.`;
    return {
      name,
      required: binding.required && proper === name,
      schema: components.property(
        components.input(binding.type),
        binding.type,
        description,
        binding.coordinate,
      ),
    };
  });
  return objectSchema(
    Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    entries.filter(({ required }) => required).map(({ name }) => name),
    'What is asked for, as REST takes it: several arguments of the operation in one object.',
  );
}
