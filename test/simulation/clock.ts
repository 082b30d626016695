/** Adjustable clock: replaces `Date` by one that is real time plus an offset. */

export interface Clock {
  advance(seconds: number): void;
  stop(): void;
}

export function startClock(): Clock {
  const RealDate = Date;
  let offsetMs = 0;
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [number | string]) {
      if (args.length === 0) super(RealDate.now() + offsetMs);
      else super(...args);
    }
    static override now(): number {
      return RealDate.now() + offsetMs;
    }
  } as DateConstructor;
  return {
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
    stop() {
      globalThis.Date = RealDate;
    },
  };
}
