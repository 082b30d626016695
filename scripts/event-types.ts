/** TypeScript of what events carry, from their JSON Schema: for those who make them and those who get them. */

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

export function typeOf(schema: Schema, named: Schemas = {}): string {
  const { $ref, type, items = {}, properties, required = [] } = schema;
  if ($ref) return typeOf(named[$ref.split('/').at(-1) ?? ''] ?? {}, named);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `(${typeOf(items, named)})[]`;
  if (type === 'integer') return 'number';
  if (!properties) return type ?? 'unknown';
  const fields = Object.entries(properties).map(([name, part]) => {
    const type = typeOf(part, named);
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `/** ${part.description} */ ${field}`;
  });
  return `{ ${fields.join('; ')} }`;
}
