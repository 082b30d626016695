/** What answers in both voices. It knows nobody's data: apps of one process may share it, and all that is ready to run in it. */
import { rows } from '../generated/domains/rows.ts';
import { createExecutor, type Executor } from '../graphql/executor.ts';
import { schema } from '../graphql/schema.ts';
import { createRest, type Rest } from './engine.ts';

export interface Voices {
  readonly executor: Executor;
  readonly rest: Rest;
}

export function createVoices(): Voices {
  const executor = createExecutor(schema);
  return { executor, rest: createRest(executor, rows) };
}
