/** Executor and REST engine, shared by all apps of a process: they contain no data of an app, only compiled documents and routes. */
import { routes } from '../generated/domains/routes.ts';
import { createExecutor, type Executor } from '../graphql/execute/executor.ts';
import { schema } from '../graphql/schema/schema.ts';
import { createRestEngine, type RestEngine } from './engine.ts';

export interface ProtocolHandlers {
  readonly executor: Executor;
  readonly rest: RestEngine;
}

let handlers: ProtocolHandlers | undefined;

export function sharedProtocolHandlers(): ProtocolHandlers {
  if (!handlers) {
    const executor = createExecutor(schema);
    handlers = { executor, rest: createRestEngine(executor, routes) };
  }
  return handlers;
}
