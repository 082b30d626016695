/** The schema: every domain adds its part when it is imported. */
import '../generated/domains/schema.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema({ sortSchema: true });
