/** The schema: every domain adds its part when it is imported. */
import '../generated/domains/schema.ts';
import { builder } from './builder.ts';
import { withReasons } from './reasons.ts';
import { rejecting } from './rejecting.ts';
import { replayable } from './replay.ts';

// Sorting would copy every type at start-up: only what is printed is sorted.
export const schema = replayable(rejecting(withReasons(builder.toSchema({ sortSchema: false }))));
