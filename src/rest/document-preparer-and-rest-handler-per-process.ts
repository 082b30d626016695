/** Document preparer and REST request handler, shared by all apps of a process: they contain no data of an app, only compiled documents and routes. */
import { routes } from '../generated/domains/routes.ts';
import { createDocumentPreparer, type DocumentPreparer } from '../graphql/execute/document-preparer.ts';
import { operationCompiler } from '../graphql/fast/index.ts';
import { schema } from '../graphql/schema/schema.ts';
import { createRestRequestHandler, type RestRequestHandler } from './request-handler.ts';

interface ProtocolHandlers {
  readonly preparer: DocumentPreparer;
  readonly rest: RestRequestHandler;
}

const handlersByFastPath = new Map<boolean, ProtocolHandlers>();

/** `fastPath`: variable FAST_PATH. */
export function getProtocolHandlersOfProcess(fastPath: boolean): ProtocolHandlers {
  let handlers = handlersByFastPath.get(fastPath);
  if (!handlers) {
    const preparer = createDocumentPreparer(schema, fastPath ? operationCompiler : undefined);
    handlers = { preparer, rest: createRestRequestHandler(preparer, routes) };
    handlersByFastPath.set(fastPath, handlers);
  }
  return handlers;
}
