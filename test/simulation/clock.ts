/** A clock that can be put forward: time in the process is real time and what was added to it. */

export interface Clock {
  advance(seconds: number): void;
  stop(): void;
}

export function startClock(): Clock {
  const RealDate = Date;
  let added = 0;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number | string]) {
      if (given.length === 0) super(RealDate.now() + added);
      else super(...given);
    }
    static override now(): number {
      return RealDate.now() + added;
    }
  } as DateConstructor;
  return {
    advance(seconds) {
      added += seconds * 1000;
    },
    stop() {
      globalThis.Date = RealDate;
    },
  };
}
