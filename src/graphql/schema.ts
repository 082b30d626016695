/** The schema: every domain adds its part when it is imported. */
import '../generated/domains/schema.ts';
import { builder } from './builder.ts';
import { withReasons } from './reasons.ts';
import { replayable } from './replay.ts';

export const schema = replayable(withReasons(builder.toSchema({ sortSchema: true })));
