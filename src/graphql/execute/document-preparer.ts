/** Prepares documents of REST and GraphQL requests: each is parsed, measured and validated once, then served from a cache. */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import {
  type GraphqlDocumentLimits,
  type GraphqlDocumentValidation,
  validateGraphqlDocument,
} from '../limits/validate-document.ts';
import { createDocumentCache } from './document-cache.ts';
import type { OperationCompiler } from './operation-compiler-types.ts';
import type { PreparedDocument, PreparedOperation } from './prepared-document-types.ts';
import { createPreparedOperation } from './prepared-operation.ts';

/** Sufficient for any page of a frontend, but not for queries that multiply nested lists. */
const documentLimits: GraphqlDocumentLimits = {
  characters: 200_000,
  tokens: 4000,
  depth: 20,
  breadth: 1000,
  cost: 60_000,
};

/** Document of a client within the limits of requests, without the cache of prepared documents. */
export const validateClientDocument = (schema: GraphQLSchema, source: string): GraphqlDocumentValidation =>
  validateGraphqlDocument(schema, source, documentLimits);

export interface DocumentPreparer {
  readonly schema: GraphQLSchema;
  /** Undefined with FAST_PATH=off: graphql-js runs all operations. */
  readonly compiler: OperationCompiler | undefined;
  /** `caller` is the network address of the client; undefined for registered documents, which are cached permanently. */
  prepare(source: string, caller?: string): PreparedDocument;
  /** The prepared form of a document that `prepare` returned. */
  preparedOf(document: DocumentNode): PreparedDocument | undefined;
}

export function createDocumentPreparer(
  schema: GraphQLSchema,
  compiler?: OperationCompiler,
): DocumentPreparer {
  compiler?.prepareSchema(schema);
  const registered = new Map<string, PreparedDocument>();
  const clientDocuments = createDocumentCache<PreparedDocument>();
  const byDocument = new WeakMap<DocumentNode, PreparedDocument>();

  function prepareNew(source: string, isRegistered: boolean): PreparedDocument {
    const { document, errors, fields } = validateClientDocument(schema, source);
    const mayCompile = () => isRegistered || clientDocuments.promote(source, fields);
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
          createPreparedOperation({
            schema,
            document,
            node,
            fields,
            limit: documentLimits.cost,
            mayCompile,
            compiler,
          });
        operations.set(key, operation);
        return operation;
      },
    };
    if (document) byDocument.set(document, prepared);
    return prepared;
  }

  return {
    schema,
    compiler,
    prepare(source, caller) {
      const cached = registered.get(source) ?? clientDocuments.get(source);
      if (cached) return cached;
      const prepared = prepareNew(source, caller === undefined);
      if (caller === undefined) registered.set(source, prepared);
      else clientDocuments.add(source, prepared, caller);
      return prepared;
    },
    preparedOf: (document) => byDocument.get(document),
  };
}
