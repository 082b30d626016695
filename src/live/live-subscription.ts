/** One open subscription: collects what has changed in its topic since the last event. Repeated changes become one. */

export interface LiveChanges {
  /** Everything the topic covers has to be read: it is the beginning, or something was missed. */
  all: boolean;
  /** The parts that changed, by the record they belong to. Empty without `all`: time to see whether the viewer may still look. */
  changed: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface LivePacing {
  /** The least time between two looks of one subscription; what changes meanwhile is told at once. */
  paceMs: number;
  /** The longest time without a look. */
  recheckMs: number;
  /** How many changes may wait for a slow reader. */
  maxPendingChanges: number;
}

/** Ends a stream before it is complete, so that clients connect again: Yoga passes errors of this kind on unmasked. */
export const createInterruption = (why: string) => new DOMException(why, 'AbortError');
export const isInterruption = (error: unknown) =>
  error instanceof DOMException && error.name === 'AbortError';

export class LiveSubscription implements AsyncIterableIterator<LiveChanges, undefined> {
  readonly #pace: LivePacing;
  /** Whether `all` can be read: it can for one record, not for a whole business. */
  readonly #isReadable: boolean;
  readonly #onEnd: () => void;
  #all: boolean;
  #waiting = new Map<string, Set<string>>();
  #count = 0;
  #end: { error: Error | undefined } | undefined;
  #looked = Number.NEGATIVE_INFINITY;
  #wake: (() => void) | undefined;

  constructor(pace: LivePacing, isReadable: boolean, onEnd: () => void) {
    this.#pace = pace;
    this.#isReadable = isReadable;
    this.#all = isReadable;
    this.#onEnd = onEnd;
  }

  recordChange(record: string, part: string): void {
    if (this.#end || this.#all) return;
    const parts = this.#waiting.get(record) ?? new Set();
    this.#waiting.set(record, parts);
    if (!parts.has(part)) this.#count += 1;
    parts.add(part);
    if (this.#count > this.#pace.maxPendingChanges) this.markMissed();
    this.#wake?.();
  }

  /** Something was missed: read everything, or, where that is too much, let the client start anew. */
  markMissed(): void {
    if (!this.#isReadable) this.end(createInterruption('Changes were missed.'));
    this.#all = true;
    this.#clear();
    this.#wake?.();
  }

  end(error?: Error): void {
    if (this.#end) return;
    this.#end = { error };
    this.#clear();
    this.#wake?.();
    this.#onEnd();
  }

  async next(): Promise<IteratorResult<LiveChanges, undefined>> {
    const pause = this.#looked + this.#pace.paceMs - performance.now();
    if (pause > 0) await this.#rest(pause, () => this.#end !== undefined);
    await this.#rest(this.#pace.recheckMs, () => this.#end !== undefined || this.#all || this.#count > 0);
    if (this.#end) {
      const { error } = this.#end;
      this.#end.error = undefined;
      if (error) throw error;
      return { done: true, value: undefined };
    }
    this.#looked = performance.now();
    const value: LiveChanges = { all: this.#all, changed: this.#waiting };
    this.#all = false;
    this.#clear();
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<LiveChanges, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #clear(): void {
    this.#waiting = new Map();
    this.#count = 0;
  }

  /** Until `isOver` says so when something happens, but no longer than `ms`. */
  #rest(ms: number, isOver: () => boolean): Promise<void> | undefined {
    if (isOver()) return undefined;
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = () => {
        if (isOver()) wake();
      };
    });
  }
}
