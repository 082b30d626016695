/** Prepares documents of REST and GraphQL requests: each is parsed, measured and validated once, then served from a cache. */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestFacts } from '../../context.ts';
import { createEventLoopShareQueue } from '../../lib/async/event-loop-share-queue.ts';
import { type MeasuredCache, registerCache } from '../../lib/cache/cache-registry.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import {
  type GraphqlDocumentLimits,
  type GraphqlDocumentValidation,
  validateGraphqlDocument,
} from '../limits/validate-document.ts';
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
  /** Whether `prepare` will find the document in its cache. */
  isPrepared(source: string): boolean;
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
    isPrepared: (source) => registered.has(source) || clientDocuments.has(source),
    preparedOf: (document) => byDocument.get(document),
  };
}

/** Documents below this number of characters are validated within a few milliseconds. */
const longDocument = 1_500;
/** Validation of a long document is synchronous and takes up to 40 ms, so that a few callers, or one batch, could block all others. */
const longDocumentTurns = createEventLoopShareQueue({ share: 1 / 2 });

/**
 * Registered documents are cached permanently; others count towards the cache share of their client's address. New long ones wait for
 * the turn of their network, and their time is measured.
 */
export function prepareDocumentInTurn(
  preparer: DocumentPreparer,
  { source, isRegistered }: { source: string; isRegistered: boolean },
  { address, measuredTime }: Pick<RequestFacts, 'address' | 'measuredTime'>,
): PreparedDocument | Promise<PreparedDocument> {
  const prepare = () => preparer.prepare(source, isRegistered ? undefined : address);
  if (source.length < longDocument || isRegistered || preparer.isPrepared(source)) return prepare();
  return longDocumentTurns(toIpNetwork(address), () => {
    const startedAt = performance.now();
    const prepared = prepare();
    measuredTime.documentMs += performance.now() - startedAt;
    return prepared;
  });
}

/** In units of about 100 bytes, the memory of one parsed source character. */
interface Sizes {
  /** Documents seen once or twice. */
  fresh: number;
  /** Documents run repeatedly, with their compiled code. */
  promoted: number;
  /** Maximum part of `promoted` for the documents of one caller. */
  share: number;
}

/** 64 MB in total. */
const defaultSizes: Sizes = { fresh: 110_000, promoted: 530_000, share: 180_000 };

const bytesPerUnit = 100;

/** Compiled code of one field. */
const unitsPerField = 80;

/** Two-level LRU cache of prepared client documents with a memory limit, and a share of it per client address. */
interface DocumentCache<Entry> extends MeasuredCache {
  get(source: string): Entry | undefined;
  has(source: string): boolean;
  /** Caches a new document of a caller. */
  add(source: string, entry: Entry, caller: string): void;
  /** Moves a document to the second level. False: it must not be compiled, because its caller has used up its share. */
  promote(source: string, fields: number): boolean;
}

export function createDocumentCache<Entry extends object>({
  fresh: freshSize,
  promoted: promotedSize,
  share,
}: Sizes = defaultSizes): DocumentCache<Entry> {
  interface CachedDocument {
    entry: Entry;
    caller: string;
  }
  const fresh = new LRUCache<string, CachedDocument>({
    maxSize: freshSize,
    sizeCalculation: (_document, source) => source.length + 100,
  });
  const shares = new Map<string, number>();
  const addToShare = (caller: string, size: number) => {
    const used = (shares.get(caller) ?? 0) + size;
    if (used > 0) shares.set(caller, used);
    else shares.delete(caller);
  };
  const promoted = new LRUCache<string, CachedDocument & { size: number }>({
    maxSize: promotedSize,
    sizeCalculation: ({ size }) => size,
    dispose: ({ caller, size }) => addToShare(caller, -size),
  });
  let hits = 0;
  let misses = 0;
  return registerCache('documents', {
    get(source) {
      const cached = promoted.get(source) ?? fresh.get(source);
      if (cached) hits += 1;
      else misses += 1;
      return cached?.entry;
    },
    has: (source) => promoted.has(source) || fresh.has(source),
    get stats() {
      const bytes = (promoted.calculatedSize + fresh.calculatedSize) * bytesPerUnit;
      return { entries: promoted.size + fresh.size, bytes, hits, misses };
    },
    add: (source, entry, caller) => void fresh.set(source, { entry, caller }),
    promote(source, fields) {
      const cached = fresh.peek(source);
      if (!cached) return promoted.has(source);
      const size = source.length + fields * unitsPerField;
      if ((shares.get(cached.caller) ?? 0) + size > share) return false;
      fresh.delete(source);
      addToShare(cached.caller, size);
      promoted.set(source, { ...cached, size });
      return true;
    },
  });
}
