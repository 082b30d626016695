/** JSON Schema as the printed document has it: objects, and references to what is named. */
export type JsonSchema = { [keyword: string]: unknown };

export const schemaRef = (name: string) => `#/components/schemas/${name}`;

export const objectSchema = (
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  description?: string | null | undefined,
): JsonSchema => ({
  type: 'object',
  ...(description ? { description } : {}),
  ...(required.length > 0 ? { required: [...required] } : {}),
  properties,
});

/** A header that whoever calls must send. */
export const requiredHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
