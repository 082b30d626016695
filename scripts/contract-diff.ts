/**
 * Compares the contract with that of an earlier commit: `npm run contract:diff -- <git ref>`, the last tag by default. With `--usage` it
 * also lists the clients that would break, from the usage statistics in the database of `DATABASE_URL` or `DATA_DIR`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAffectedClients, type UsageStatistics } from './contract/affected-clients.ts';
import { type Contract, formatReport } from './contract/breaking-changes.ts';
import { compareContracts } from './contract/compare-contracts.ts';
import { listNewDeprecations } from './contract/new-deprecations.ts';

const files = { schema: 'schema/schema.graphql', openapi: 'schema/openapi.json' };

/** Stored operations; up to version 0.2.0 they were in schema/operations. */
const operationFile = /^(?:src\/domains\/[\w-]+\/operations|schema\/operations\/[\w-]+)\.graphql$/;

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

const emptyOnError = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

function contractAt(git: Git, ref: string): Contract {
  const show = (path: string) => emptyOnError(() => git('show', `${ref}:./${path}`));
  const names = emptyOnError(() => git('ls-tree', '-r', '--name-only', ref)).split('\n');
  const operations = names.filter((name) => operationFile.test(name)).map((name) => show(name));
  return contractOf(show(files.schema), show(files.openapi), operations);
}

function contractInTree(root: string): Contract {
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

async function readUsage(env: NodeJS.ProcessEnv): Promise<UsageStatistics> {
  const { runDatabaseCommand } = await import('../src/cli/run-database-command.ts');
  let output = '';
  await runDatabaseCommand('usage', env, ['--json', '--days', '30'], (text) => {
    output += text;
  });
  return JSON.parse(output) as UsageStatistics;
}

/** Compares the working tree of the repository at `root`. Returns the exit code: 1 if a change breaks clients. */
export async function contractDiff(
  args: readonly string[],
  root: string,
  print: (text: string) => void,
  env = process.env,
): Promise<number> {
  const git = gitIn(root);
  const [requestedRef] = args.filter((arg) => arg !== '--usage');
  const ref =
    requestedRef ?? (emptyOnError(() => git('describe', '--tags', '--abbrev=0')).trim() || undefined);
  if (!ref) {
    print('There is no tag to compare with. Name a commit: npm run contract:diff -- <git ref>');
    return 0;
  }
  if (emptyOnError(() => git('rev-parse', '--verify', `${ref}^{commit}`)) === '') {
    print(`There is no commit ${ref}.`);
    return 2;
  }
  const oldContract = contractAt(git, ref);
  if (oldContract.schema === '') {
    print(`${ref} had no contract yet.`);
    return 0;
  }
  const newContract = contractInTree(root);
  const changes = await compareContracts(oldContract, newContract);
  const clientsOf = args.includes('--usage')
    ? findAffectedClients(await readUsage(env), oldContract)
    : undefined;
  const deprecations = listNewDeprecations(oldContract, newContract);
  if (deprecations.length > 0) print(`${deprecations.join('\n')}\n`);
  print(formatReport(changes, ref, clientsOf));
  return changes.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename)
  process.exitCode = await contractDiff(process.argv.slice(2), process.cwd(), console.log);
