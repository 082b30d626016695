/** JSON Schemas of webhook event payloads, and TypeScript types derived from them, for the gateway and for its clients. */
import { z } from 'zod';

export interface Schema {
  $ref?: string;
  type?: string;
  const?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  oneOf?: readonly Schema[];
  description?: string;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Does not forbid additional properties: clients must accept new ones. */
export function toJsonSchema(type: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' });
  return schema as Schema;
}

/** TypeScript type of a schema; `components` resolves its references. */
export function toTypeScript(schema: Schema, components: Schemas = {}): string {
  const { $ref, type, items = {}, properties, required = [] } = schema;
  if ($ref) return toTypeScript(components[$ref.split('/').at(-1) ?? ''] ?? {}, components);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `(${toTypeScript(items, components)})[]`;
  if (type === 'integer') return 'number';
  if (!properties) return type ?? 'unknown';
  const fields = Object.entries(properties).map(([name, property]) => {
    const type = toTypeScript(property, components);
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `/** ${property.description} */ ${field}`;
  });
  return `{ ${fields.join('; ')} }`;
}
