/** Commands in the folder of an example, as somebody runs them who works on it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect } from 'vitest';

export const patience = 180_000;

export const clients = ['duet-client-rest', 'duet-client-graphql'] as const;
export const folderOf = (client: string) => resolve('packages', client.replace('duet-', ''));

export interface Ran {
  code: number;
  output: string;
}

export const run = (
  cwd: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Ran> =>
  new Promise((done) => {
    execFile(command, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });

/** A tool of the example's own, or else of the project's. */
export const tool = (example: string, name: string) =>
  [join(example, 'node_modules/.bin', name), resolve('node_modules/.bin', name)].find((path) =>
    existsSync(path),
  ) ?? name;

export async function succeed(ran: Promise<Ran>): Promise<string> {
  const { code, output } = await ran;
  expect(code, output).toBe(0);
  return output;
}

/** A folder while the calling file runs. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'duet-examples-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Compiles one more file with the settings of an example. */
export async function compile(scratch: string, example: string, source: string): Promise<Ran> {
  const file = join(scratch, 'probe.ts');
  writeFileSync(file, source);
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    JSON.stringify({
      extends: join(example, 'tsconfig.json'),
      compilerOptions: { typeRoots: [resolve('node_modules/@types')], allowImportingTsExtensions: true },
      include: [],
      files: [file],
    }),
  );
  return run(example, tool(example, 'tsc'), ['-p', scratch]);
}

/** What `npm install` makes of a dependency on a folder. */
export function link(example: string, client: (typeof clients)[number]): void {
  const modules = join(example, 'node_modules');
  mkdirSync(modules, { recursive: true });
  rmSync(join(modules, client), { recursive: true, force: true });
  symlinkSync(folderOf(client), join(modules, client));
}
