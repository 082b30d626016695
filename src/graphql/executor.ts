/** The one executor. A document is parsed, validated and compiled once; REST rows and both GraphQL lanes run it from here. */
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeSlowly,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { ErrorDetail } from '../errors.ts';
import { invalid } from '../errors.ts';
import { type VariableTypes, variableTypes } from './coerce.ts';
import { subscribe } from './subscription.ts';

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
  refuse(variables: Variables, issues: readonly ErrorDetail[], ctx: Context): Promise<never>;
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

function createOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  limits: Limits,
): Operation {
  const name = node.name?.value ?? '';
  const types = variableTypes(schema, node);
  const checkCost = costCheck(schema, onlyOperation(document, node), types, limits);
  return {
    name,
    kind: node.operation,
    variableTypes: types,
    document,
    run: createRunner(schema, document, node, checkCost),
    async refuse(variables, issues, ctx) {
      const ask = rootFieldCall(schema, node, variables);
      await ask?.(refusingContext(ctx, issues));
      throw invalid(...issues);
    },
  };
}

type Run = Operation['run'];

function createRunner(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  checkCost: (variables: Variables) => GraphQLError | undefined,
): Run {
  const operationName = node.name?.value;
  if (node.operation === 'subscription') {
    return (variableValues, contextValue) =>
      checkedCost(checkCost, variableValues) ??
      // Only Yoga runs these, and it takes a stream of results where others get one.
      (subscribe({
        schema,
        document,
        variableValues,
        contextValue,
        operationName,
      }) as Promise<ExecutionResult>);
  }
  const compiled = compileQuery(schema, document, operationName, {
    // Values come from our own typed tables; only scalars that convert are asked.
    customSerializers: { String: same, ID: same, Boolean: same, Int: same, JSON: same },
    disablingCapturingStackErrors: true,
  });
  if (isCompiledQuery(compiled)) {
    return (variables, ctx) => checkedCost(checkCost, variables) ?? compiled.query(undefined, ctx, variables);
  }
  return (variableValues, contextValue) =>
    checkedCost(checkCost, variableValues) ??
    executeSlowly({ schema, document, variableValues, contextValue, operationName });
}

const same = (value: unknown) => value;

const checkedCost = (
  check: (variables: Variables) => GraphQLError | undefined,
  variables: Variables,
): ExecutionResult | undefined => {
  const error = check(variables);
  return error && { errors: [error] };
};

/** The cost depends on page sizes alone, so it is reckoned once for each set of numbers among the variables. */
function costCheck(schema: GraphQLSchema, document: DocumentNode, types: VariableTypes, limits: Limits) {
  const verdicts = new LRUCache<string, { error: GraphQLError | undefined }>({ max: 50 });
  return (variables: Variables): GraphQLError | undefined => {
    let key = '';
    for (const { name } of types)
      if (typeof variables[name] === 'number') key += `${name}=${variables[name]};`;
    let verdict = verdicts.get(key);
    if (!verdict) {
      const { complexity, depth, breadth } = complexityFromQuery(document, { schema, variables });
      verdict = {
        error:
          tooMuch(complexity, limits.cost, 'complex') ??
          tooMuch(depth, limits.depth, 'deep') ??
          tooMuch(breadth, limits.breadth, 'wide'),
      };
      verdicts.set(key, verdict);
    }
    return verdict.error;
  };
}

const tooMuch = (value: number, limit: number, how: string) =>
  value > limit
    ? new GraphQLError(
        `The query is too ${how} (${value}, at most ${limit}). Ask for fewer fields, or for smaller pages.`,
        {
          extensions: { code: 'BAD_REQUEST', details: [], http: { status: 400, spec: true } },
        },
      )
    : undefined;

/** complexityFromQuery looks at the first operation it finds. */
const onlyOperation = (document: DocumentNode, node: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: [
    node,
    ...document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION),
  ],
});

/** The call of the first root field, with the arguments its variables stand for. */
function rootFieldCall(schema: GraphQLSchema, node: OperationDefinitionNode, variables: Variables) {
  const selection = node.selectionSet.selections[0];
  const parentType = schema.getRootType(node.operation);
  if (selection?.kind !== Kind.FIELD || !parentType) return undefined;
  const fieldName = selection.name.value;
  const resolve = parentType.getFields()[fieldName]?.resolve;
  const args = Object.fromEntries(
    (selection.arguments ?? []).flatMap(({ name, value }) =>
      value.kind === Kind.VARIABLE ? [[name.value, variables[value.name.value]]] : [],
    ),
  );
  const info = {
    fieldName,
    parentType,
    path: { prev: undefined, key: fieldName, typename: parentType.name },
  } as GraphQLResolveInfo;
  return resolve && ((ctx: Context) => resolve(undefined, args, ctx, info));
}

/** A context that can authorise and complain, but reach nothing that could be changed. */
function refusingContext(ctx: Context, issues: readonly ErrorDetail[]): Context {
  const reachable = new Set<PropertyKey>(['viewer', 'request', 'log', 'config']);
  return new Proxy(ctx, {
    get(target, key) {
      if (key === 'inputIssues') return issues;
      if (reachable.has(key) || typeof key === 'symbol') return Reflect.get(target, key);
      throw invalid(...issues);
    },
  });
}
