/** Trusted documents (persisted queries): operations registered by the SHA-256 of their text. Clients may send the id instead of the text; with GRAPHQL_DOCUMENTS=trusted nothing else runs. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  type DefinitionNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  parse,
  print,
  separateOperations,
} from 'graphql';
import type { DetailCode } from '../../detail-codes.ts';
import { ConfigError } from '../../lib/operator-errors.ts';
import { graphqlBadRequestError } from '../execute/request-errors.ts';

/** Request parameters that identify the document. */
export interface GraphqlDocumentRef {
  query?: string | null | undefined;
  documentId?: unknown;
  extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface TrustedDocumentRegistry {
  /** Text of the document, an error, or undefined if the request contains neither a query nor an id. */
  resolve(params: GraphqlDocumentRef): string | GraphQLError | undefined;
  /** Whether a text returned by `resolve` is registered, as opposed to sent by the client. */
  isRegistered(source: string): boolean;
}

interface TrustedDocumentRegistryOptions {
  /** Path of the manifest with the stored operations of REST. */
  manifestPath: string;
  /** Folder with `.graphql` files and `.json` manifests. */
  folder: string | undefined;
  /** Rejects documents that are not registered. */
  trustedOnly: boolean;
}

export const hashDocument = (source: string): string => createHash('sha256').update(source).digest('hex');

export function createTrustedDocumentRegistry({
  manifestPath: stored,
  folder,
  trustedOnly,
}: TrustedDocumentRegistryOptions): TrustedDocumentRegistry {
  const sources = [
    ...readManifest(readFileSync(stored, 'utf8')),
    ...(folder === undefined ? [] : readTrustedDocumentFolder(folder)),
  ];
  const byHash = new Map(sources.map((source) => [hashDocument(source), source]));
  const registered = new Set(byHash.values());
  return {
    isRegistered: (source) => registered.has(source),
    resolve(params) {
      const id = idOf(params);
      const query = params.query ?? undefined;
      if (id === undefined) {
        if (query === undefined || !trustedOnly || byHash.has(hashDocument(query))) return query;
        return untrustedError();
      }
      if (query !== undefined && hashDocument(query) !== id) return mismatchError();
      return byHash.get(id) ?? (trustedOnly ? untrustedError() : (query ?? unknownIdError()));
    },
  };
}

/** `documentId` of the GraphQL-over-HTTP specification, or the older `extensions.persistedQuery.sha256Hash`. */
function idOf({ documentId, extensions }: GraphqlDocumentRef): string | undefined {
  const persisted = extensions?.persistedQuery as { sha256Hash?: unknown } | null | undefined;
  const id = documentId ?? persisted?.sha256Hash;
  if (id === undefined || id === null) return undefined;
  return typeof id === 'string' ? id.replace(/^sha256:/, '').toLowerCase() : invalidId;
}

/** Placeholder for an id that is not a string; matches no document. */
const invalidId = 'not a string';

const documentError = (message: string, error: DetailCode) =>
  graphqlBadRequestError(message, [{ field: 'documentId', error, message }]);

const untrustedError = () =>
  documentError(
    'Only trusted documents are executed. Send the id of a registered document.',
    'UNTRUSTED_DOCUMENT',
  );
const mismatchError = () => documentError('The id is not the SHA-256 of the query.', 'DOCUMENT_MISMATCH');
/** Clients of automatic persisted queries expect exactly this message. */
const unknownIdError = () => documentError('PersistedQueryNotFound', 'DOCUMENT_NOT_FOUND');

/** Documents of a folder: each `.graphql` file as a whole, each of its operations, and the entries of manifests. */
export function readTrustedDocumentFolder(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch {
    throw new ConfigError(`TRUSTED_DOCUMENTS: cannot read the folder ${folder}.`);
  }
  const read = <Result>(extension: string, use: (text: string) => Result): Result[] =>
    names
      .filter((name) => extname(name) === extension)
      .map((name) => {
        const path = join(folder, name);
        try {
          return use(readFileSync(path, 'utf8'));
        } catch (error) {
          const reason = error instanceof Error ? error.message : error;
          throw new ConfigError(`TRUSTED_DOCUMENTS: ${path}: ${reason}`);
        }
      });
  const fragments = read('.graphql', fragmentsOf).flat();
  return [
    ...read('.graphql', (text) => splitDocument(text, fragments)),
    ...read('.json', readManifest),
  ].flat();
}

const isFragment = (definition: DefinitionNode): definition is FragmentDefinitionNode =>
  definition.kind === Kind.FRAGMENT_DEFINITION;

const fragmentsOf = (text: string) => parse(text).definitions.filter(isFragment);

/**
 * The text of the file, and each of its operations with the fragments it needs, as graphql-js prints them. Fragments from
 * other files of the folder are printed first.
 */
function splitDocument(text: string, sharedFragments: readonly FragmentDefinitionNode[]): string[] {
  const { definitions } = parse(text);
  if (!definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)) return [];
  const localNames = definitions.filter(isFragment).map(({ name }) => name.value);
  const otherFragments = new Map(sharedFragments.map((fragment) => [fragment.name.value, fragment]));
  for (const name of localNames) otherFragments.delete(name);
  const document = {
    kind: Kind.DOCUMENT,
    definitions: [...otherFragments.values(), ...definitions],
  } as const;
  return [text, ...Object.values(separateOperations(document)).map(print)];
}

/** Parses `{id: text}`, as written by the client preset of GraphQL Code Generator, or an Apollo manifest. */
function readManifest(text: string): string[] {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  const entries: [string, unknown][] = Array.isArray(manifest.operations)
    ? (manifest.operations as { id: string; body: unknown }[]).map(({ id, body }) => [id, body])
    : Object.entries(manifest);
  return entries.map(([id, source]) => {
    if (typeof source !== 'string') throw new Error(`the document ${id} is not a string.`);
    if (id.replace(/^sha256:/, '') !== hashDocument(source))
      throw new Error(`the id ${id} is not the SHA-256 of its document (hashAlgorithm: 'sha256').`);
    return source;
  });
}
