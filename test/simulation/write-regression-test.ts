/** Writes what was found as a test that is ready to run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import type { ContractViolation } from './contract-violation.ts';
import type { Step } from './generate-steps.ts';

/** Returns its path. */
export function writeRegressionTest(seed: number, fault: ContractViolation, steps: readonly Step[]): string {
  const path = join('test', 'simulation', 'found', `seed-${seed}.test.ts`);
  const file = join(packageRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `/** ${fault.kind}: found by seed ${seed}. */
import { expect, it } from 'vitest';
import type { Step } from '../steps.ts';
import { walk } from '../walk.ts';

const steps: Step[] = [
${steps.map((step) => `  ${JSON.stringify(step)},`).join('\n')}
];

it(${JSON.stringify(fault.kind)}, async () => {
  expect((await walk(steps))?.fault.message).toBeUndefined();
});
`,
  );
  return path;
}
