/** The one executor. A document is parsed, validated and compiled once; REST rows and both GraphQL lanes run it from here. */
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { VariableTypes } from './coerce.ts';
import { createOperation } from './operation.ts';
import type { Refuse } from './refuse.ts';

export interface Limits {
  tokens: number;
  depth: number;
  breadth: number;
  cost: number;
}

/** Room for any page a frontend draws; not for a query that multiplies lists. */
const defaultLimits: Limits = { tokens: 4000, depth: 20, breadth: 1000, cost: 60_000 };

export type Variables = Readonly<Record<string, unknown>>;

/** One operation of a document, ready to run any number of times. */
export interface Operation {
  readonly name: string;
  readonly kind: OperationDefinitionNode['operation'];
  readonly variableTypes: VariableTypes;
  /** Runs with variables that have passed `coerceVariables`. Errors are raw: callers mask them. */
  run(variables: Variables, ctx: Context): Promise<ExecutionResult> | ExecutionResult;
  /** Says no to faulty variables, in the order a resolver would: sign in first, permission next, faults last. */
  readonly refuse: Refuse;
  readonly document: DocumentNode;
}

export interface Prepared {
  readonly document: DocumentNode | undefined;
  readonly errors: readonly GraphQLError[];
  /** Undefined when the name is unknown, or missing while the document has several operations. */
  operation(name: string | null | undefined): Operation | undefined;
}

export interface Executor {
  readonly schema: GraphQLSchema;
  prepare(source: string): Prepared;
  /** The prepared form of a document that `prepare` returned. */
  preparedOf(document: DocumentNode): Prepared | undefined;
}

export function createExecutor(schema: GraphQLSchema, limits: Limits = defaultLimits): Executor {
  const bySource = new LRUCache<string, Prepared>({
    max: 1000,
    maxSize: 4_000_000,
    sizeCalculation: (_value, key) => key.length + 1,
  });
  const byDocument = new WeakMap<DocumentNode, Prepared>();

  function prepareNew(source: string): Prepared {
    let document: DocumentNode;
    try {
      document = parse(source, { maxTokens: limits.tokens, noLocation: false });
    } catch (error) {
      return failed(
        undefined,
        error instanceof GraphQLError ? [error] : [new GraphQLError('The document cannot be read.')],
      );
    }
    const errors = validate(schema, document, undefined, { maxErrors: 20 });
    if (errors.length > 0) return failed(document, errors);
    const operations = new Map<string, Operation>();
    const prepared: Prepared = {
      document,
      errors: [],
      operation(name) {
        const node = getOperationAST(document, name);
        if (!node) return undefined;
        const key = node.name?.value ?? '';
        let operation = operations.get(key);
        if (!operation) {
          operation = createOperation(schema, document, node, limits);
          operations.set(key, operation);
        }
        return operation;
      },
    };
    byDocument.set(document, prepared);
    return prepared;
  }

  const failed = (document: DocumentNode | undefined, errors: readonly GraphQLError[]): Prepared => {
    const prepared: Prepared = { document, errors, operation: () => undefined };
    if (document) byDocument.set(document, prepared);
    return prepared;
  };

  return {
    schema,
    prepare(source) {
      let prepared = bySource.get(source);
      if (!prepared) {
        prepared = prepareNew(source);
        bySource.set(source, prepared);
      }
      return prepared;
    },
    preparedOf: (document) => byDocument.get(document),
  };
}
