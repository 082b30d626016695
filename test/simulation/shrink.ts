/** Shortens a failing walk: removes steps as long as the walk still finds a violation of the same kind. */
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
    for (let index = 0; index < shortest.length; ) {
      if (performance.now() > until) return shortest;
      const candidate = [...shortest.slice(0, index), ...shortest.slice(index + chunk)];
      const finding = await walk(candidate);
      if (finding?.violation.kind === kind) shortest = candidate.slice(0, finding.steps);
      else index += chunk;
    }
  }
  return shortest;
}
