/** Helpers for JSON Schemas in the OpenAPI document: objects, references and required headers. */
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

export const requiredHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
