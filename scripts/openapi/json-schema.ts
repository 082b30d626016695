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

/** Schema of an input: required properties first. */
export const inputObjectSchema = (
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  description?: string | null | undefined,
): JsonSchema => {
  const names = Object.keys(properties).sort(
    (a, b) => Number(required.includes(b)) - Number(required.includes(a)),
  );
  const ordered = Object.fromEntries(names.map((name) => [name, properties[name] ?? {}]));
  return objectSchema(ordered, required, description);
};

export const requiredHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
