/** Runs an operation with graphql-js, without compiling it. */
import { type ExecutionResult, execute } from 'graphql';
import type { Context } from '../../context.ts';
import type { Variables } from './coerce-variables.ts';
import { executeSubscription } from './execute-subscription.ts';
import type { ParsedOperation, RunCoercedOperation } from './operation-compiler-types.ts';

export const createInterpretedRunner = (operation: ParsedOperation): RunCoercedOperation =>
  operation.node.operation === 'subscription'
    ? // The cast hides a stream of results: only Yoga runs subscriptions, and it accepts both.
      (variables, ctx) =>
        executeSubscription(buildExecutionArgs(operation, variables, ctx)) as Promise<ExecutionResult>
    : (variables, ctx) => execute(buildExecutionArgs(operation, variables, ctx));

export const buildExecutionArgs = (
  { schema, document, node }: ParsedOperation,
  variables: Variables,
  ctx: Context,
) => ({ schema, document, operationName: node.name?.value, variableValues: variables, contextValue: ctx });
