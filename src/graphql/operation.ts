/** One operation of a document, made ready to run: compiled where it can be, interpreted where not. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute as executeSlowly,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { variableTypes } from './coerce.ts';
import { type CostCheck, createCostCheck } from './cost.ts';
import type { Limits, Operation } from './executor.ts';
import { createRefusal } from './refuse.ts';
import { subscribe } from './subscription.ts';

export function createOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  limits: Limits,
): Operation {
  const types = variableTypes(schema, node);
  const checkCost = createCostCheck(schema, document, node, types, limits);
  return {
    name: node.name?.value ?? '',
    kind: node.operation,
    variableTypes: types,
    document,
    run: afterCost(checkCost, createRunner(schema, document, node)),
    refuse: createRefusal(schema, node),
  };
}

type Run = Operation['run'];

const afterCost =
  (check: CostCheck, run: Run): Run =>
  (variables, ctx) => {
    const error = check(variables);
    return error ? { errors: [error] } : run(variables, ctx);
  };

function createRunner(schema: GraphQLSchema, document: DocumentNode, node: OperationDefinitionNode): Run {
  const operationName = node.name?.value;
  if (node.operation === 'subscription') {
    return (variableValues, contextValue) =>
      // Only Yoga runs these, and it takes a stream of results where others get one.
      subscribe({
        schema,
        document,
        variableValues,
        contextValue,
        operationName,
      }) as Promise<ExecutionResult>;
  }
  const compiled = compileQuery(schema, document, operationName, {
    // Values come from our own typed tables; only scalars that convert are asked.
    customSerializers: { String: same, ID: same, Boolean: same, Int: same, JSON: same },
    disablingCapturingStackErrors: true,
  });
  if (isCompiledQuery(compiled)) return (variables, ctx) => compiled.query(undefined, ctx, variables);
  return (variableValues, contextValue) =>
    executeSlowly({ schema, document, variableValues, contextValue, operationName });
}

const same = (value: unknown) => value;
