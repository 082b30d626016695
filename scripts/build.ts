/** `npm run build`: compiles the sources, writes the database template, the guide and the demo shop in parallel, then bundles. `npm run check` checks the types. */
import { runProgram } from './run-program.ts';

await Promise.all([
  runProgram('tsc', '-p', 'tsconfig.build.json', '--noCheck'),
  runProgram('tsx', 'scripts/database-template.ts', 'dist/template.tar'),
  runProgram('tsx', 'scripts/docs/guide.ts'),
  runProgram('tsx', 'scripts/demo-shop.ts'),
]);
await runProgram('tsx', 'scripts/bundle.ts');
