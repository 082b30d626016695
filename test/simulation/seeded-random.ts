/** Chance that can be repeated: numbers that follow from a seed. */

export type RandomSource = () => number;

/** Mulberry32: small, even enough, the same everywhere. */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What one step chooses with: its numbers in a row, so that a step means much the same without the steps before it. */
export class Dice {
  readonly #random: RandomSource;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  /** One of a list that is never empty. */
  oneOf<T>(items: readonly [T, ...T[]]): T {
    return this.pick(items) ?? items[0];
  }
}
