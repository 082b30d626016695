/** Builds another version of the gateway in a separate git worktree. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Builds a git ref and returns the folder. Builds are cached by commit in the temporary directory. */
export async function buildOf(ref: string): Promise<string> {
  const run = (command: string, args: string[], cwd = '.') =>
    execFileSync(command, args, { cwd, encoding: 'utf8' }).trim();
  const commit = run('git', ['rev-parse', '--short', `${ref}^{commit}`]);
  const folder = join(tmpdir(), `duet-bench-${commit}`);
  const program = join(folder, 'dist', 'server', 'main.js');
  if (!existsSync(program)) {
    run('git', ['worktree', 'prune']);
    if (!existsSync(folder)) run('git', ['worktree', 'add', '--detach', folder, commit]);
    if (!existsSync(join(folder, 'node_modules')))
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    if (existsSync(join(folder, 'scripts', 'gather.ts'))) run('npx', ['tsx', 'scripts/gather.ts'], folder);
    run('npx', ['prisma', 'generate'], folder);
    run('npx', ['graphql-codegen', '--silent'], folder);
    run('npx', ['tsc', '-p', 'tsconfig.build.json'], folder);
    if (existsSync(join(folder, 'scripts', 'bundle.ts'))) run('npx', ['tsx', 'scripts/bundle.ts'], folder);
    else {
      // Older commits have no bundle step: the entry point is created here.
      mkdirSync(join(folder, 'dist', 'server'), { recursive: true });
      writeFileSync(program, "import '../src/main.js';\n");
    }
  }
  return folder;
}
