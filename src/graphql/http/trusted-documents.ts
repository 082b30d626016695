/** Trusted documents: operations known by the SHA-256 of their text, so that clients may send, or be held to, ids. */

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
import { requestError } from '../execute/request-errors.ts';

/** The parts of a GraphQL request that may name its document. */
export interface DocumentParams {
  query?: string | null | undefined;
  documentId?: unknown;
  extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface DocumentRegistry {
  /** The text to run, the reason not to, or undefined when the request names no document at all. */
  resolve(params: DocumentParams): string | GraphQLError | undefined;
  /** Whether a text that `resolve` gave was registered here, not brought by the caller. */
  isRegistered(source: string): boolean;
}

export interface DocumentRegistryOptions {
  /** The manifest of the stored operations. */
  manifestPath: string;
  /** A folder with `.graphql` files and `.json` manifests. */
  folder: string | undefined;
  /** Refuse everything that is not registered. */
  trustedOnly: boolean;
}

export const documentHash = (source: string): string => createHash('sha256').update(source).digest('hex');

export function createDocumentRegistry({
  manifestPath: stored,
  folder,
  trustedOnly,
}: DocumentRegistryOptions): DocumentRegistry {
  const sources = [
    ...fromManifest(readFileSync(stored, 'utf8')),
    ...(folder === undefined ? [] : readDocumentFolder(folder)),
  ];
  const known = new Map(sources.map((source) => [documentHash(source), source]));
  const registered = new Set(known.values());
  return {
    isRegistered: (source) => registered.has(source),
    resolve(params) {
      const id = idOf(params);
      const query = params.query ?? undefined;
      if (id === undefined) {
        if (query === undefined || !trustedOnly || known.has(documentHash(query))) return query;
        return untrusted();
      }
      if (query !== undefined && documentHash(query) !== id) return mismatch();
      return known.get(id) ?? (trustedOnly ? untrusted() : (query ?? unknownId()));
    },
  };
}

/** `documentId` of the GraphQL-over-HTTP specification, or the older `extensions.persistedQuery.sha256Hash`. */
function idOf({ documentId, extensions }: DocumentParams): string | undefined {
  const persisted = extensions?.persistedQuery as { sha256Hash?: unknown } | null | undefined;
  const id = documentId ?? persisted?.sha256Hash;
  if (id === undefined || id === null) return undefined;
  return typeof id === 'string' ? id.replace(/^sha256:/, '').toLowerCase() : notText;
}

/** Stands for an id that is not a text: no document has it. */
const notText = 'not a text';

const refusal = (message: string, error: DetailCode) =>
  requestError(message, [{ field: 'documentId', error, message }]);

const untrusted = () =>
  refusal('Only trusted documents are run here. Send the id of a registered one.', 'UNTRUSTED_DOCUMENT');
const mismatch = () => refusal('The id is not the SHA-256 of the query.', 'DOCUMENT_MISMATCH');
/** The message is the one that clients of automatic persisted queries wait for. */
const unknownId = () => refusal('PersistedQueryNotFound', 'DOCUMENT_NOT_FOUND');

/** The texts that a folder registers: a file of operations whole, then each of them. */
export function readDocumentFolder(folder: string): string[] {
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
    ...read('.graphql', (text) => fromDocument(text, fragments)),
    ...read('.json', fromManifest),
  ].flat();
}

const isFragment = (definition: DefinitionNode): definition is FragmentDefinitionNode =>
  definition.kind === Kind.FRAGMENT_DEFINITION;

const fragmentsOf = (text: string) => parse(text).definitions.filter(isFragment);

/**
 * The file as it is, and each of its operations with the fragments it needs, as graphql-js prints them. Fragments may lie
 * in other files of the folder: those are printed first.
 */
function fromDocument(text: string, elsewhere: readonly FragmentDefinitionNode[]): string[] {
  const { definitions } = parse(text);
  if (!definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)) return [];
  const own = definitions.filter(isFragment).map(({ name }) => name.value);
  const others = new Map(elsewhere.map((fragment) => [fragment.name.value, fragment]));
  for (const name of own) others.delete(name);
  const whole = { kind: Kind.DOCUMENT, definitions: [...others.values(), ...definitions] } as const;
  return [text, ...Object.values(separateOperations(whole)).map(print)];
}

/** `{id: text}` as the client preset of GraphQL Code Generator writes it, or an Apollo manifest. */
function fromManifest(text: string): string[] {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  const entries: [string, unknown][] = Array.isArray(manifest.operations)
    ? (manifest.operations as { id: string; body: unknown }[]).map(({ id, body }) => [id, body])
    : Object.entries(manifest);
  return entries.map(([id, source]) => {
    if (typeof source !== 'string') throw new Error(`the document ${id} is not a text.`);
    if (id.replace(/^sha256:/, '') !== documentHash(source))
      throw new Error(`the id ${id} is not the SHA-256 of its document (hashAlgorithm: 'sha256').`);
    return source;
  });
}
