/** Static checks, as many in parallel as there are processors. The output of a failed check is printed whole. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Slowest first. */
const checks = [
  ['tsc', '--noEmit'],
  ['tsx', 'scripts/migration.ts', 'check'],
  ['biome', 'check'],
  ['tsx', 'scripts/print-openapi.ts', '--check'],
  ['tsx', 'scripts/print-schema.ts', '--check'],
  ['tsx', 'scripts/docs/print-reference.ts', '--check'],
  ['tsx', 'scripts/check-fields.ts'],
  ['tsx', 'scripts/gather.ts', '--check'],
  ['tsx', 'scripts/language.ts'],
];

const passes = ([command = '', ...args]: string[]) =>
  new Promise<boolean>((resolve) =>
    // npm puts the programs of the package first on the path.
    execFile(command, args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      console.log(`${error ? '✗' : '✓'} ${[command, ...args].join(' ')}${output && `\n${output}`}`);
      resolve(!error);
    }),
  );

async function runNext(): Promise<void> {
  for (let next = checks.shift(); next; next = checks.shift())
    if (!(await passes(next))) process.exitCode = 1;
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext));
