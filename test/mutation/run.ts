/** `npm run mutants [-- files | --changed]`: changes the rules in small ways, one after the other, and says which change no test has found. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { mutatedFiles, minScore } from './rules.ts';
import { computeScores, formatScores } from './score.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only rules that changed, or whose tests did, since that commit. */
    changed: { type: 'boolean', default: false },
    since: { type: 'string', default: 'HEAD~1' },
    /** For `--changed`: rules that are not looked at by then are named and left out. */
    seconds: { type: 'string', default: '170' },
    /** Forget what earlier runs have shown. */
    anew: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
  },
});

type Options = ConstructorParameters<typeof Stryker>[0];

const place = '.mutants';

const options = (files: readonly string[]): Options => ({
  mutate: [...files],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: Number(values.concurrency),
  reporters: ['html', ...(process.stdout.isTTY ? (['progress'] as const) : [])],
  htmlReporter: { fileName: `${place}/report.html` },
  incremental: true,
  incrementalFile: `${place}/seen.json`,
  force: values.anew,
  // On a busy machine a test that is merely slow must not pass for one that found something.
  timeoutMS: 30_000,
  tempDirName: `${place}/tmp`,
  cleanTempDir: 'always',
  // Not the configuration of the compiler: nothing is compiled, and TypeScript 7 has no API that could read it.
  ignorePatterns: ['/*', '!/src', '!/scripts', '!/test', '!/schema', '!/docs', '!/package.json'],
  disableTypeChecks: false,
  logLevel: 'warn' as NonNullable<Options['logLevel']>,
  warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
});

async function tryFiles(files: readonly string[]): Promise<boolean> {
  mkdirSync(place, { recursive: true });
  const scores = computeScores(files, await new Stryker(options(files)).runMutationTest());
  console.log(formatScores(scores));
  const low = scores.filter(({ score }) => score < minScore);
  if (low.length > 0) console.log(`Below ${minScore} %: ${low.map(({ file }) => file).join(', ')}`);
  return low.length === 0;
}

function changedFiles(): string[] {
  const changed = new Set(
    execFileSync('git', ['diff', '--name-only', values.since], { encoding: 'utf8' }).split('\n'),
  );
  return Object.entries(mutatedFiles).flatMap(([file, tests]) =>
    changed.has(file) || tests.some((test) => changed.has(test)) ? [file] : [],
  );
}

/** Each in a group of processes of its own, which can be ended as a whole. */
const tryApart = (file: string, until: number) =>
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

async function tryChanged(): Promise<boolean> {
  const until = performance.now() + Number(values.seconds) * 1000;
  const files = changedFiles();
  if (files.length === 0) console.log(`No rule has changed since ${values.since}.`);
  let good = true;
  for (const file of files) {
    const found = performance.now() < until ? await tryApart(file, until) : 'late';
    if (found === 'late') console.log(`   late  ${file}`);
    good &&= found !== 'low';
  }
  return good;
}

const unknown = positionals.filter((file) => !(file in mutatedFiles));
if (unknown.length > 0) {
  console.error(`Not listed in test/mutation/rules.ts: ${unknown.join(', ')}`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : Object.keys(mutatedFiles);
process.exit((await (values.changed ? tryChanged() : tryFiles(wanted))) ? 0 : 1);
