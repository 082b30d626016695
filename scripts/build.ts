/** `npm run build`: compiles the sources and writes the database template in parallel, then bundles. `npm run check` checks the types. */
import { runProgram } from './run-program.ts';

await Promise.all([
  runProgram('tsc', '-p', 'tsconfig.build.json', '--noCheck'),
  runProgram('tsx', 'scripts/database-template.ts', 'dist/template.tar'),
]);
await runProgram('tsx', 'scripts/bundle.ts');
