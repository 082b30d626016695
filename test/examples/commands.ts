/** Runs commands in the folders of examples and client packages. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect } from 'vitest';

/** Milliseconds. */
export const commandTimeout = 180_000;

export const clients = ['@duet-gateway/client-rest', '@duet-gateway/client-graphql'] as const;
export const folderOf = (client: string) => resolve('packages', client.replace('@duet-gateway/', ''));

export interface CommandResult {
  code: number;
  output: string;
}

export const run = (
  cwd: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });

/** Path of a tool in the example's node_modules, otherwise in the project's. */
export const tool = (example: string, name: string) =>
  [join(example, 'node_modules/.bin', name), resolve('node_modules/.bin', name)].find((path) =>
    existsSync(path),
  ) ?? name;

export async function succeed(command: Promise<CommandResult>): Promise<string> {
  const { code, output } = await command;
  expect(code, output).toBe(0);
  return output;
}

/** Temporary folder that is deleted after the calling test file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'duet-examples-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Compiles a source text with the compiler options of an example. */
export async function compile(scratch: string, example: string, source: string): Promise<CommandResult> {
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

/** Links a client package like `npm install` does for a dependency on a folder. */
export function link(example: string, client: (typeof clients)[number]): void {
  const target = join(example, 'node_modules', client);
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  symlinkSync(folderOf(client), target);
}
