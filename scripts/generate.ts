/** Runs all generators in order, each from the output of the one before. In one process, because loading the sources takes longer than printing them. */
import { spawnSync } from 'node:child_process';

/** Runs a program of the package, which npm puts first on the PATH. A program that fails has printed the reason itself. */
function run(program: string, ...args: string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(1);
}

await import('./gather.ts');
run('prisma', 'generate');
await import('./print-schema.ts');
run('graphql-codegen');
await import('./print-openapi.ts');
