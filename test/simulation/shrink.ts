/** Makes a walk that fails as short as it will be: leaves out steps for as long as it finds the same fault. */
import type { Step } from './generate-steps.ts';
import type { WalkFinding } from './walk.ts';

export type WalkFunction = (steps: readonly Step[]) => Promise<WalkFinding | undefined>;

export async function shrink(
  steps: readonly Step[],
  kind: string,
  walk: WalkFunction,
  until = Number.POSITIVE_INFINITY,
): Promise<readonly Step[]> {
  let shortest = steps;
  for (let chunk = Math.ceil(steps.length / 2); chunk >= 1; chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2)) {
    for (let at = 0; at < shortest.length; ) {
      if (performance.now() > until) return shortest;
      const without = [...shortest.slice(0, at), ...shortest.slice(at + chunk)];
      const found = await walk(without);
      if (found?.violation.kind === kind) shortest = without.slice(0, found.steps);
      else at += chunk;
    }
  }
  return shortest;
}
