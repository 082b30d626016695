/** Runs an operation interpreted at first, and compiled from its third run on. */
import type { OperationCompiler, ParsedOperation, RunCoercedOperation } from './operation-compiler-types.ts';
import { createInterpretedRunner } from './run-with-graphql-js.ts';

interface CompilableOperation extends ParsedOperation {
  fields: number;
  mayCompile(): boolean;
  compiler: OperationCompiler | undefined;
}

/** Documents are compiled at this run: compiling takes longer than interpreting a few times. */
export const compileAtRun = 3;

export function createOperationRunner(source: CompilableOperation): RunCoercedOperation {
  const interpreted = createInterpretedRunner(source);
  const { document, node, fields, compiler } = source;
  if (!compiler || node.operation === 'subscription') return interpreted;
  let runs = 0;
  let run = interpreted;
  return (variables, ctx) => {
    runs += 1;
    if (runs === compileAtRun && compiler.supports(document, fields) && source.mayCompile())
      run = compiler.createRunner(source) ?? interpreted;
    return run(variables, ctx);
  };
}
