/** One executed operation, and the interface of the caches that it is written to. */
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';

export interface CachedOperation {
  name: string;
  document: DocumentNode;
  variables: Record<string, unknown>;
  data: unknown;
}

export interface ClientCache {
  write(operation: CachedOperation): void;
  /** Without the fields that the cache lacks. */
  read(operation: Omit<CachedOperation, 'data'>): unknown;
}

export function operationOf(document: DocumentNode): OperationDefinitionNode {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation, or several.');
  return operation;
}
