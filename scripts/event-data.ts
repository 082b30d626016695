/** What an event carries, as JSON Schema. */
import { z } from 'zod';
import type { Schema } from './event-types.ts';

/** Clients must expect new properties, so nothing is said about others. */
export function schemaOf(type: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' });
  return schema as Schema;
}
