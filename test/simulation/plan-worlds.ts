/** A long run is many walks, each in a world of its own: what a step costs grows with the world, and worlds share the cores. */
import { createRandom } from './seeded-random.ts';

export interface WorldPlan {
  /** Of the walk in this world alone, which repeats it whatever the others are. */
  seed: number;
  steps: number;
}

/** The first world has the seed of the run; the seeds of the others follow from it and their number. */
export function planWorlds(seed: number, steps: number, most: number): WorldPlan[] {
  return Array.from({ length: Math.ceil(steps / most) }, (_, number) => ({
    seed: number === 0 ? seed : Math.floor(createRandom(Math.imul(seed, 0x9e37_79b1) + number)() * 0xffff_ffff),
    steps: Math.min(most, steps - number * most),
  }));
}
