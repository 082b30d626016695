/** Generates values from a JSON Schema of the printed contract: mostly valid, often at the limits, sometimes unusual. */

import type { Dice } from '../simulation/seeded-random.ts';
import { contract } from '../support/contract-check.ts';
import { generateText, type RecordIds, unusualValue } from './values.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  format?: string;
}

const maxDepth = 6;

export function generateValue(
  schema: Schema | undefined,
  dice: Dice,
  ids: RecordIds,
  name = '',
  depth = 0,
): unknown {
  if (!schema || depth > maxDepth || dice.chance(0.02)) return unusualValue(dice);
  if (schema.$ref) return generateValue(resolveRef(schema.$ref), dice, ids, name, depth);
  if (schema.enum) return dice.pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return generateValue(dice.pick(choices), dice, ids, name, depth + 1);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => generateValue(part, dice, ids, name, depth + 1)));
  const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, dice, ids, depth);
    case 'array':
      return Array.from({ length: dice.between(0, 3) }, () =>
        generateValue(schema.items, dice, ids, name, depth + 1),
      );
    case 'integer':
    case 'number':
      return dice.pick([schema.minimum ?? 0, schema.maximum ?? 100, 1, 2, 1000, dice.between(-5, 100_000)]);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    default:
      return generateText(name, dice, ids);
  }
}

function objectOf(schema: Schema, dice: Dice, ids: RecordIds, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isIncluded = schema.required?.includes(name) ? dice.chance(0.97) : dice.chance(0.5);
    if (isIncluded) object[name] = generateValue(property, dice, ids, name, depth + 1);
  }
  return object;
}

function resolveRef(ref: string): Schema | undefined {
  return (contract.components.schemas as Record<string, Schema>)[ref.split('/').at(-1) ?? ''];
}

/** JSON Schema of the request body of a route. */
export function requestBodySchema(method: string, path: string): Schema | undefined {
  const operation = contract.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as
    | { requestBody?: { content?: Record<string, { schema: Schema }> } }
    | undefined;
  return operation?.requestBody?.content?.['application/json']?.schema;
}
