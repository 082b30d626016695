/** Writes a finding as a runnable test. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { ContractViolation } from './contract-violation.ts';
import type { Step } from './generate-steps.ts';

/** Returns the path of the test. */
export function writeRegressionTest(
  seed: number,
  violation: ContractViolation,
  steps: readonly Step[],
): string {
  const path = join('test', 'simulation', 'found', `seed-${seed}.test.ts`);
  const file = join(packageRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `/** ${violation.kind}: found by seed ${seed}. */
import { expect, it } from 'vitest';
import type { Step } from '../generate-steps.ts';
import { walk } from '../walk.ts';

const steps: Step[] = [
${steps.map((step) => `  ${JSON.stringify(step)},`).join('\n')}
];

it(${JSON.stringify(violation.kind)}, async () => {
  expect((await walk(steps))?.violation.message).toBeUndefined();
});
`,
  );
  return path;
}
