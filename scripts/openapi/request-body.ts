/** OpenAPI request body of a route: an input type, or an object that combines several arguments. */

import type { Components } from './component-schemas.ts';
import { canonicalName, type InputBinding, type RouteBindings } from './input-bindings.ts';
import { inputObjectSchema, type JsonSchema } from './json-schema.ts';

export interface BodyOptions {
  /** Component name of a schema that is not an input type. */
  name: string;
  example: unknown;
  /** Whether the route also accepts an HTML form. */
  acceptsForm: boolean;
}

export function requestBodyOf(
  bindings: RouteBindings,
  components: Components,
  { name, example, acceptsForm }: BodyOptions,
): { [key: string]: unknown } | undefined {
  const { body, query } = bindings;
  if (body.size === 0) return undefined;
  const schema =
    inputTypeOf(body, components) ?? components.named(name, combinedSchema(bindings, components));
  const inQuery = new Set([...query.values()].map((binding) => binding?.coordinate));
  return {
    required: [...body.values()].some((binding) => binding?.required && !inQuery.has(binding.coordinate)),
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
      ...(acceptsForm ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    },
  };
}

/** Input type with exactly the fields of the body; undefined if there is none. */
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

/** Aliases of older clients are included. A required field with an alias is required unless the alias is set. */
function combinedSchema(bindings: RouteBindings, components: Components): JsonSchema {
  const entries = [...bindings.body].map(([name, binding]) => {
    if (!binding)
      return {
        name,
        binding,
        required: false,
        schema: { description: 'Accepted from older clients and ignored.' },
      };
    const mainName = canonicalName(bindings, binding);
    const description =
      mainName === name ? binding.description : `Another name of \`${mainName}\`: send one of them.`;
    return {
      name,
      binding,
      required: binding.required && mainName === name,
      schema: components.property(
        components.input(binding.type),
        binding.type,
        description,
        binding.coordinate,
      ),
    };
  });
  const namesOf = (binding: InputBinding | undefined) =>
    entries.filter((entry) => entry.binding?.coordinate === binding?.coordinate).map(({ name }) => name);
  const required = entries.filter((entry) => entry.required);
  const replaceable = required
    .map(({ name, binding }) => [name, ...namesOf(binding).filter((other) => other !== name)])
    .filter((names) => names.length > 1);
  return {
    ...inputObjectSchema(
      Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
      required.map(({ name }) => name).filter((name) => !replaceable.some(([first]) => first === name)),
      'Arguments of the operation, combined in one object.',
    ),
    ...(replaceable.length === 0
      ? {}
      : { allOf: replaceable.map((names) => requiredUnlessAlias(names, [...bindings.body.keys()])) }),
  };
}

/** Requires the first name unless one of the others is set. `fields` are all fields: linters report undeclared properties. */
const requiredUnlessAlias = (
  [name = '', ...aliases]: readonly string[],
  fields: readonly string[],
): JsonSchema => {
  const properties = Object.fromEntries(fields.map((field) => [field, {}]));
  const withAlias = aliases.map((alias) => ({ required: [alias], properties }));
  return {
    if: { not: withAlias.length === 1 ? withAlias[0] : { anyOf: withAlias } },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword; the object is never awaited.
    then: { required: [name], properties },
  };
};
