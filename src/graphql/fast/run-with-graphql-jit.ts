/** PERF: runs an operation as code compiled by graphql-jit, with the same results as graphql-js. */
import { type ExecutionResult, execute, Kind } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { ParsedOperation, RunCoercedOperation } from '../execute/operation-compiler-types.ts';
import { buildExecutionArgs } from '../execute/run-with-graphql-js.ts';
import { scalarsSerializedUnchanged } from './json-writer.ts';
import { RecordedRootResults } from './recorded-root-results.ts';

/** Undefined: graphql-jit does not support the operation. */
export function createJitRunner(operation: ParsedOperation): RunCoercedOperation | undefined {
  const { schema, document, node } = operation;
  const compiled = compileQuery(schema, document, node.name?.value, {
    // Values come from typed tables: only scalars that convert values are serialized.
    customSerializers: Object.fromEntries([...scalarsSerializedUnchanged].map((name) => [name, identity])),
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  const [first, ...others] = node.selectionSet.selections;
  const isSingle = first?.kind === Kind.FIELD && others.length === 0;
  return (variables, ctx) => {
    const rootValue = new RecordedRootResults();
    // Of several errors, compiled code returns others than graphql-js. Its result is used if only the root field failed;
    // otherwise graphql-js completes the replayed root values again.
    const withExactErrors = (result: ExecutionResult) =>
      !result.errors || (isSingle && result.errors[0]?.path?.length === 1)
        ? result
        : execute({ ...buildExecutionArgs(operation, variables, ctx), rootValue });
    const result = compiled.query(rootValue, ctx, variables);
    return result instanceof Promise ? result.then(withExactErrors) : withExactErrors(result);
  };
}

const identity = (value: unknown) => value;
