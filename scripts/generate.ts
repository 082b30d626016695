/** Makes everything that is generated, each from what the one before wrote. In one process: to load the sources takes longer than to print them. */
import { execFileSync } from 'node:child_process';

// Found where npm finds them: it puts the package's own programs first.
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'inherit' });

await import('./gather.ts');
run('prisma', 'generate');
await import('./print-schema.ts');
run('graphql-codegen', '--silent');
await import('./print-openapi.ts');
