/** Everything that is checked without running the gateway, as many at once as there are processors: what fails is told whole. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The longest first. */
const checks = [
  ['tsc', '--noEmit'],
  ['tsx', 'scripts/migration.ts', 'check'],
  ['biome', 'check'],
  ['tsx', 'scripts/print-openapi.ts', '--check'],
  ['tsx', 'scripts/print-schema.ts', '--check'],
  ['tsx', 'scripts/fields.ts'],
  ['tsx', 'scripts/gather.ts', '--check'],
];

const passes = ([command = '', ...args]: string[]) =>
  new Promise<boolean>((resolve) =>
    // Found where npm finds them: it puts the package's own programs first.
    execFile(command, args, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`.trim();
      console.log(`${error ? '✗' : '✓'} ${[command, ...args].join(' ')}${said && `\n${said}`}`);
      resolve(!error);
    }),
  );

async function lane(): Promise<void> {
  for (let next = checks.shift(); next; next = checks.shift())
    if (!(await passes(next))) process.exitCode = 1;
}

await Promise.all(Array.from({ length: availableParallelism() }, lane));
