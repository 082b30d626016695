/** What answers in both voices. It knows nobody's data: all apps of a process share it, and all that is ready to run in it. */
import { routes } from '../generated/domains/routes.ts';
import { createExecutor, type Executor } from '../graphql/execute/executor.ts';
import { schema } from '../graphql/schema/schema.ts';
import { createRestEngine, type RestEngine } from './engine.ts';

export interface ProtocolHandlers {
  readonly executor: Executor;
  readonly rest: RestEngine;
}

let voices: ProtocolHandlers | undefined;

export function sharedProtocolHandlers(): ProtocolHandlers {
  if (!voices) {
    const executor = createExecutor(schema);
    voices = { executor, rest: createRestEngine(executor, routes) };
  }
  return voices;
}
