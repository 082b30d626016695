/** Makes everything that is generated, each from what the one before wrote. In one process: to load the sources takes longer than to print them. */
import { spawnSync } from 'node:child_process';

/** Found where npm finds it, which puts the package's own programs first; it has said itself why it failed. */
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
