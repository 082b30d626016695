/** The schema: every domain adds its part when it is imported. */
import '../../generated/domains/schema.ts';
import { rejectInsteadOfThrowing } from '../execute/async-throw.ts';
import { enableRootReplay } from '../fast/root-replay.ts';
import { builder } from './builder.ts';
import { appendErrorCodes } from './error-code-descriptions.ts';

// Sorting would copy every type at start-up: only what is printed is sorted.
export const schema = enableRootReplay(
  rejectInsteadOfThrowing(appendErrorCodes(builder.toSchema({ sortSchema: false }))),
);
