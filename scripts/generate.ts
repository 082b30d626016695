/** Runs all generators in order, each from the output of the one before. In one process, because loading the sources takes longer than printing them. */
import { runProgram } from './run-program.ts';

await import('./gather.ts');
await runProgram('prisma', 'generate');
await import('./print-schema.ts');
await runProgram('graphql-codegen');
await import('./print-openapi.ts');
await import('./docs/print-reference.ts');
