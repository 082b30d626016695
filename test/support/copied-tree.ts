/** Copy of the source tree in a temporary folder, which a test edits and checks as a developer does. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';

/** Inserts `add` after the first occurrence of `after`; without `after`, creates the file. */
export interface Edit {
  file: string;
  after?: string;
  add: string;
}

const folders = [
  'src',
  'prisma',
  'schema',
  'scripts',
  'test',
  'bench',
  'docs',
  'examples/storefront-graphql/src',
];
const files = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'codegen.ts',
  'prisma.config.ts',
  'biome.json',
];

export class CopiedTree {
  readonly root = mkdtempSync(join(tmpdir(), 'duet-tree-'));

  constructor() {
    const copy = (path: string) =>
      cpSync(join(packageRoot, path), join(this.root, path), { recursive: true });
    [...folders, ...files, 'vitest.config.ts', '.gitignore'].forEach(copy);
    symlinkSync(join(packageRoot, 'node_modules'), join(this.root, 'node_modules'));
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  apply(edits: readonly Edit[]): void {
    for (const { file, after, add } of edits) {
      const path = join(this.root, file);
      mkdirSync(dirname(path), { recursive: true });
      const text = after === undefined ? '' : this.read(file);
      const at = after === undefined ? 0 : text.indexOf(after) + after.length;
      if (after !== undefined && at < after.length) throw new Error(`${file} has no ${after}`);
      writeFileSync(path, text.slice(0, at) + add + text.slice(at));
    }
  }

  /** Restores a file from the original tree, or deletes it if the original does not have it. */
  restore(file: string): void {
    try {
      cpSync(join(packageRoot, file), join(this.root, file));
    } catch {
      rmSync(join(this.root, file), { force: true });
    }
  }

  /** Runs a program of `node_modules/.bin`; returns 0 or 1, and its output. */
  run(...command: string[]): Promise<{ code: number; output: string }> {
    return this.runWithEnv({}, ...command);
  }

  runWithEnv(
    env: Record<string, string>,
    ...[command = '', ...args]: string[]
  ): Promise<{ code: number; output: string }> {
    const program = join(this.root, 'node_modules', '.bin', command);
    const path = `${join(this.root, 'node_modules', '.bin')}:${process.env.PATH}`;
    return new Promise((resolve) =>
      execFile(
        program,
        args,
        { cwd: this.root, env: { ...process.env, ...env, PATH: path }, maxBuffer: 1 << 26 },
        (error, stdout, stderr) => resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
      ),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
