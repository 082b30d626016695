/** Seeded random numbers. */

export type RandomSource = () => number;

/** Mulberry32: small, sufficiently uniform, and identical on all platforms. */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random choices of one step. Each step has its own seed, so that it chooses much the same when earlier steps are left out. */
export class Dice {
  readonly #random: RandomSource;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Integer from `least` to `most`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  /** Random item of a list that is never empty. */
  oneOf<T>(items: readonly [T, ...T[]]): T {
    return this.pick(items) ?? items[0];
  }
}
