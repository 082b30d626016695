/** What answers in both voices. It knows nobody's data: all apps of a process share it, and all that is ready to run in it. */
import { routes } from '../generated/domains/routes.ts';
import { createExecutor, type Executor } from '../graphql/executor.ts';
import { schema } from '../graphql/schema.ts';
import { createRest, type Rest } from './engine.ts';

export interface Voices {
  readonly executor: Executor;
  readonly rest: Rest;
}

let voices: Voices | undefined;

export function theVoices(): Voices {
  if (!voices) {
    const executor = createExecutor(schema);
    voices = { executor, rest: createRest(executor, routes) };
  }
  return voices;
}
