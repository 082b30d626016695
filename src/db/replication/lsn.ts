/** How far a replica has come: positions in the primary's log, each with the moment at which everything before it was committed. */

/** As PostgreSQL writes it, such as `16/B374D848`; undefined when it is none. */
export function parseLsn(text: string | null | undefined): bigint | undefined {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '') ?? [];
  return high === undefined || low === undefined
    ? undefined
    : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Where a server is, and on which branch of history: a restored or promoted server begins a new one. */
export interface WalPosition {
  position: bigint;
  timeline: number;
}

export interface LsnHistory {
  /** At `at`, or later, the primary was here. */
  record(at: number, primary: WalPosition): void;
  /** The latest moment known up to which a server that is here has everything; undefined when none is. */
  completeUntil(server: WalPosition): number | undefined;
}

/** Keeps `count` of the primary's positions. */
export function createLsnHistory(count: number): LsnHistory {
  let timeline: number | undefined;
  const past: { at: number; position: bigint }[] = [];
  return {
    record(at, primary) {
      // What was committed on a branch that was left may have been undone.
      if (primary.timeline !== timeline) past.length = 0;
      timeline = primary.timeline;
      past.push({ at, position: primary.position });
      if (past.length > count) past.shift();
    },
    completeUntil(server) {
      if (server.timeline !== timeline) return undefined;
      return past.findLast(({ position }) => position <= server.position)?.at;
    },
  };
}
