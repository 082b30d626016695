/** `npm run prepare`: generates what a clone lacks, and builds. */
import { runProgram } from './run-program.ts';

await import('./gather.ts');
await Promise.all([runProgram('prisma', 'generate'), runProgram('graphql-codegen')]);
await import('./build.ts');
