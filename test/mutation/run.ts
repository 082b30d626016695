/** `npm run mutants [-- files | --changed]`: mutation testing of the rules with StrykerJS; prints the mutants that no test detects. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { minScore, mutatedFiles } from './rules.ts';
import { computeScores, formatScores } from './score.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only files that changed, or whose tests changed, since `--since`. */
    changed: { type: 'boolean', default: false },
    since: { type: 'string', default: 'HEAD~1' },
    /** With `--changed`: time limit; files that are not finished are listed as late. */
    seconds: { type: 'string', default: '170' },
    /** Ignores the results of earlier runs. */
    anew: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
  },
});

type Options = ConstructorParameters<typeof Stryker>[0];

const outputFolder = '.mutants';

const options = (files: readonly string[]): Options => ({
  mutate: [...files],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: Number(values.concurrency),
  reporters: ['html', ...(process.stdout.isTTY ? (['progress'] as const) : [])],
  htmlReporter: { fileName: `${outputFolder}/report.html` },
  incremental: true,
  incrementalFile: `${outputFolder}/seen.json`,
  force: values.anew,
  // High, because a test that is slow on a busy machine would count as a detected mutant.
  timeoutMS: 30_000,
  tempDirName: `${outputFolder}/tmp`,
  cleanTempDir: 'always',
  // Excludes tsconfig.json: nothing is compiled, and TypeScript 7 has no API to read it.
  ignorePatterns: ['/*', '!/src', '!/scripts', '!/test', '!/schema', '!/docs', '!/package.json'],
  disableTypeChecks: false,
  logLevel: 'warn' as NonNullable<Options['logLevel']>,
  warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
});

async function testFiles(files: readonly string[]): Promise<boolean> {
  mkdirSync(outputFolder, { recursive: true });
  const scores = computeScores(files, await new Stryker(options(files)).runMutationTest());
  console.log(formatScores(scores));
  const lowScores = scores.filter(({ score }) => score < minScore);
  if (lowScores.length > 0)
    console.log(`Below ${minScore} %: ${lowScores.map(({ file }) => file).join(', ')}`);
  return lowScores.length === 0;
}

function changedFiles(): string[] {
  const changed = new Set(
    execFileSync('git', ['diff', '--name-only', values.since], { encoding: 'utf8' }).split('\n'),
  );
  return Object.entries(mutatedFiles).flatMap(([file, tests]) =>
    changed.has(file) || tests.some((test) => changed.has(test)) ? [file] : [],
  );
}

/** Runs a file in its own process group, so that a timeout can kill all its processes. */
const testInProcess = (file: string, until: number) =>
  new Promise<'good' | 'low' | 'late'>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', import.meta.filename, file], {
      detached: true,
      stdio: 'inherit',
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, until - performance.now());
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(isLate ? 'late' : code === 0 ? 'good' : 'low');
    });
  });

async function testChangedFiles(): Promise<boolean> {
  const until = performance.now() + Number(values.seconds) * 1000;
  const files = changedFiles();
  if (files.length === 0) console.log(`No rule has changed since ${values.since}.`);
  let isGood = true;
  for (const file of files) {
    const result = performance.now() < until ? await testInProcess(file, until) : 'late';
    if (result === 'late') console.log(`   late  ${file}`);
    isGood &&= result !== 'low';
  }
  return isGood;
}

const unlisted = positionals.filter((file) => !(file in mutatedFiles));
if (unlisted.length > 0) {
  console.error(`Not listed in test/mutation/rules.ts: ${unlisted.join(', ')}`);
  process.exit(2);
}
const selected = positionals.length > 0 ? positionals : Object.keys(mutatedFiles);
process.exit((await (values.changed ? testChangedFiles() : testFiles(selected))) ? 0 : 1);
