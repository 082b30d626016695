/** One operation of a document, made ready to run: interpreted at first, compiled once it is run often. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../context.ts';
import { variableTypes } from './coerce.ts';
import { createCost } from './cost.ts';
import type { Operation, Variables } from './executable.ts';
import { compilesFaithfully } from './faithful.ts';
import { type Pieces, piecesOf } from './pieces.ts';
import { tooMuch } from './prepare.ts';
import { createRefusal } from './refuse.ts';
import { sameScalars } from './shape.ts';
import { subscribe } from './subscription.ts';

interface Parts {
  schema: GraphQLSchema;
  document: DocumentNode;
  node: OperationDefinitionNode;
  /** Fields of the document, with fragments expanded. */
  fields: number;
  /** The highest cost. */
  limit: number;
  /** Asked once, when code for the document would pay. */
  mayCompile(): boolean;
}

type Run = Operation['run'];

export function createOperation(parts: Parts): Operation {
  const { schema, document, node, limit } = parts;
  const types = variableTypes(schema, node);
  const costOf = createCost(schema, document, node, types);
  const run = createRunner(parts);
  // All operations of a batch share one limit.
  const overspent = (variables: Variables, { request }: Context) => {
    request.spent.cost += costOf(variables);
    return tooMuch(request.spent.cost, limit, 'complex');
  };
  return {
    name: node.name?.value ?? '',
    kind: node.operation,
    variableTypes: types,
    document,
    run(variables, ctx) {
      const error = overspent(variables, ctx);
      return error ? { errors: [error] } : run(variables, ctx);
    },
    refuse: createRefusal(schema, node),
    pieces: createPieces(parts, overspent, (variables, { request }) => {
      request.spent.cost -= costOf(variables);
    }),
  };
}

/** What fails here is run, and paid for, the usual way. */
function createPieces(
  { schema, document, node, mayCompile }: Parts,
  pay: (variables: Variables, ctx: Context) => Error | undefined,
  payBack: (variables: Variables, ctx: Context) => void,
): Operation['pieces'] {
  let asked = 0;
  let pieces: Pieces | undefined;
  return () => {
    asked += 1;
    if (asked !== oftenEnough) return pieces;
    const found = piecesOf(schema, document, node);
    if (!found || !mayCompile()) return undefined;
    pieces = {
      ...found,
      async ask(variables, ctx) {
        try {
          const error = pay(variables, ctx);
          if (error) throw error;
          return await found.ask(variables, ctx);
        } catch (error) {
          payBack(variables, ctx);
          throw error;
        }
      },
    };
    return pieces;
  };
}

/** From this run on a document is compiled. */
const oftenEnough = 3;

function createRunner(parts: Parts): Run {
  const interpreted = interpret(parts);
  if (parts.node.operation === 'subscription') return interpreted;
  let runs = 0;
  let chosen = interpreted;
  return (variables, ctx) => {
    runs += 1;
    if (runs === oftenEnough && compilesFaithfully(parts.document, parts.fields) && parts.mayCompile())
      chosen = compile(parts) ?? interpreted;
    return chosen(variables, ctx);
  };
}

export function interpret({ schema, document, node }: Pick<Parts, 'schema' | 'document' | 'node'>): Run {
  const operationName = node.name?.value;
  return node.operation === 'subscription'
    ? (variableValues, contextValue) =>
        // Only Yoga runs these, and it takes a stream of results where others get one.
        subscribe({
          schema,
          document,
          variableValues,
          contextValue,
          operationName,
        }) as Promise<ExecutionResult>
    : (variableValues, contextValue) =>
        execute({ schema, document, variableValues, contextValue, operationName });
}

/** Undefined: graphql-jit cannot. */
export function compile({
  schema,
  document,
  node,
}: Pick<Parts, 'schema' | 'document' | 'node'>): Run | undefined {
  const compiled = compileQuery(schema, document, node.name?.value, {
    // Values come from our own typed tables; only scalars that convert are asked.
    customSerializers: Object.fromEntries([...sameScalars].map((name) => [name, same])),
    disablingCapturingStackErrors: true,
  });
  return isCompiledQuery(compiled)
    ? (variables, ctx) => compiled.query(undefined, ctx, variables)
    : undefined;
}

const same = (value: unknown) => value;
