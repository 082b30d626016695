/** Splits a long run into worlds, because the cost of a step grows with its world, and worlds run in parallel. */
import { createRandom } from './seeded-random.ts';

export interface WorldPlan {
  /** Seed of this world, which repeats its walk independently of the others. */
  seed: number;
  steps: number;
}

/** The first world has the seed of the run; the seeds of the others derive from it and their index. */
export function planWorlds(seed: number, steps: number, maxSteps: number): WorldPlan[] {
  return Array.from({ length: Math.ceil(steps / maxSteps) }, (_, index) => ({
    seed: index === 0 ? seed : Math.floor(createRandom(Math.imul(seed, 0x9e37_79b1) + index)() * 0xffff_ffff),
    steps: Math.min(maxSteps, steps - index * maxSteps),
  }));
}
