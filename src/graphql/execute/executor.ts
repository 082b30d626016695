/** The one executor. A document is parsed, weighed and validated once; REST rows and both GraphQL lanes run it from here. */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import { type DocumentLimits, validateDocument } from '../limits/validate-document.ts';
import { createDocumentCache } from './document-cache.ts';
import { createOperation } from './operation.ts';
import type { PreparedDocument, PreparedOperation } from './prepared-document.ts';

/** Room for any page a frontend draws; not for a query that multiplies lists. */
const defaultLimits: DocumentLimits = {
  characters: 200_000,
  tokens: 4000,
  depth: 20,
  breadth: 1000,
  cost: 60_000,
};

export interface Executor {
  readonly schema: GraphQLSchema;
  /** `caller` is the address the document came from; without one it is a document of our own, kept for good. */
  prepare(source: string, caller?: string): PreparedDocument;
  /** The prepared form of a document that `prepare` returned. */
  preparedOf(document: DocumentNode): PreparedDocument | undefined;
}

export function createExecutor(schema: GraphQLSchema, limits: DocumentLimits = defaultLimits): Executor {
  const own = new Map<string, PreparedDocument>();
  const others = createDocumentCache<PreparedDocument>();
  const byDocument = new WeakMap<DocumentNode, PreparedDocument>();

  function prepareNew(source: string, isOwn: boolean): PreparedDocument {
    const { document, errors, fields } = validateDocument(schema, source, limits);
    const mayCompile = () => isOwn || others.promote(source, fields);
    const operations = new Map<string, PreparedOperation>();
    const prepared: PreparedDocument = {
      document,
      errors,
      operation(name) {
        const node = document && errors.length === 0 ? getOperationAST(document, name) : undefined;
        if (!document || !node) return undefined;
        const key = node.name?.value ?? '';
        const operation =
          operations.get(key) ??
          createOperation({ schema, document, node, fields, limit: limits.cost, mayCompile });
        operations.set(key, operation);
        return operation;
      },
    };
    if (document) byDocument.set(document, prepared);
    return prepared;
  }

  return {
    schema,
    prepare(source, caller) {
      const known = own.get(source) ?? others.get(source);
      if (known) return known;
      const prepared = prepareNew(source, caller === undefined);
      if (caller === undefined) own.set(source, prepared);
      else others.add(source, prepared, caller);
      return prepared;
    },
    preparedOf: (document) => byDocument.get(document),
  };
}
