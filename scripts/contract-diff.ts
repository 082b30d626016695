/**
 * Compares the contract with that of an earlier commit: `npm run contract:diff -- <git ref>`, the last tag by default. With `--usage` it
 * also says which clients would break, by what the database of `DATABASE_URL` or `DATA_DIR` has counted.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, report } from './contract/breaking-changes.ts';
import { type Counts, clientsIn } from './contract/affected-clients.ts';
import { compareContracts } from './contract/compare-contracts.ts';

const files = { schema: 'schema/schema.graphql', openapi: 'schema/openapi.json' };

/** Stored operations; up to version 0.2.0 they were in schema/operations. */
const operationFile =
  /^(?:src\/domains\/(?:[\w-]+\/operations|fragments)|schema\/operations\/[\w-]+)\.graphql$/;

type Git = (...args: string[]) => string;

const gitIn =
  (cwd: string): Git =>
  (...args) =>
    execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    });

const orNothing = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

function contractAt(git: Git, ref: string): Contract {
  const show = (path: string) => orNothing(() => git('show', `${ref}:./${path}`));
  const names = orNothing(() => git('ls-tree', '-r', '--name-only', ref)).split('\n');
  const operations = names.filter((name) => operationFile.test(name)).map((name) => show(name));
  return contractOf(show(files.schema), show(files.openapi), operations);
}

function contractHere(root: string): Contract {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const operations = readdirSync(join(root, 'src/domains'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/domains/${name}`)
    .filter((name) => operationFile.test(name));
  return contractOf(read(files.schema), read(files.openapi), operations.map(read));
}

const contractOf = (schema: string, openapi: string, operations: string[]): Contract => ({
  schema,
  openapi: JSON.parse(openapi || '{}') as Contract['openapi'],
  operations: operations.join('\n'),
});

async function countedUsage(env: NodeJS.ProcessEnv): Promise<Counts> {
  const { runDatabaseCommand: onDatabase } = await import('../src/cli/run-database-command.ts');
  let written = '';
  await onDatabase('usage', env, ['--json', '--days', '30'], (text) => {
    written += text;
  });
  return JSON.parse(written) as Counts;
}

/** In the repository at `root`; returns the exit code. */
export async function contractDiff(
  args: readonly string[],
  root: string,
  say: (text: string) => void,
  env = process.env,
): Promise<number> {
  const git = gitIn(root);
  const [given] = args.filter((arg) => arg !== '--usage');
  const ref = given ?? (orNothing(() => git('describe', '--tags', '--abbrev=0')).trim() || undefined);
  if (!ref) {
    say('There is no tag to compare with. Name a commit: npm run contract:diff -- <git ref>');
    return 0;
  }
  if (orNothing(() => git('rev-parse', '--verify', `${ref}^{commit}`)) === '') {
    say(`There is no commit ${ref}.`);
    return 2;
  }
  const old = contractAt(git, ref);
  if (old.schema === '') {
    say(`${ref} had no contract yet.`);
    return 0;
  }
  const breakages = await compareContracts(old, contractHere(root));
  const clients = args.includes('--usage') ? clientsIn(await countedUsage(env), old) : undefined;
  say(report(breakages, ref, clients));
  return breakages.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename)
  process.exitCode = await contractDiff(process.argv.slice(2), process.cwd(), console.log);
