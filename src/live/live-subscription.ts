/** One open subscription: an async iterator over the changes of its topic since the last event, deduplicated and rate-limited. */

export interface LiveChanges {
  /** Read the whole topic: the subscription has just started, or notifications were missed. */
  all: boolean;
  /** Changed parts by record id. Empty while `all` is false: a periodic event for checking again whether the viewer has access. */
  changed: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface LivePacing {
  /** Minimum time between two events of a subscription; changes in between are combined into the next one. */
  paceMs: number;
  /** Maximum time between two events; after it an event without changes is emitted. */
  recheckMs: number;
  /** Maximum number of changes buffered for a slow reader. */
  maxPendingChanges: number;
}

/** Error that ends a stream without completing it, so that clients reconnect. Yoga does not mask errors named AbortError. */
export const createStreamInterruptedError = (reason: string) => new DOMException(reason, 'AbortError');
export const isStreamInterruptedError = (error: unknown) =>
  error instanceof DOMException && error.name === 'AbortError';

export class LiveSubscription implements AsyncIterableIterator<LiveChanges, undefined> {
  readonly #pacing: LivePacing;
  /** Whether the whole topic can be read: true for one record, false for a whole business. */
  readonly #canReadAll: boolean;
  readonly #onEnd: () => void;
  #all: boolean;
  #pending = new Map<string, Set<string>>();
  #pendingCount = 0;
  #end: { error: Error | undefined } | undefined;
  #lastEventAt = Number.NEGATIVE_INFINITY;
  #wake: (() => void) | undefined;

  constructor(pacing: LivePacing, canReadAll: boolean, onEnd: () => void) {
    this.#pacing = pacing;
    this.#canReadAll = canReadAll;
    this.#all = canReadAll;
    this.#onEnd = onEnd;
  }

  recordChange(record: string, part: string): void {
    if (this.#end || this.#all) return;
    const parts = this.#pending.get(record) ?? new Set();
    this.#pending.set(record, parts);
    if (!parts.has(part)) this.#pendingCount += 1;
    parts.add(part);
    if (this.#pendingCount > this.#pacing.maxPendingChanges) this.markMissed();
    this.#wake?.();
  }

  /** Notifications were missed: read the whole topic, or, where that is too much, interrupt the stream so that the client reconnects. */
  markMissed(): void {
    if (!this.#canReadAll) this.end(createStreamInterruptedError('Changes were missed.'));
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
    const pause = this.#lastEventAt + this.#pacing.paceMs - performance.now();
    if (pause > 0) await this.#waitUntil(pause, () => this.#end !== undefined);
    await this.#waitUntil(
      this.#pacing.recheckMs,
      () => this.#end !== undefined || this.#all || this.#pendingCount > 0,
    );
    if (this.#end) {
      const { error } = this.#end;
      this.#end.error = undefined;
      if (error) throw error;
      return { done: true, value: undefined };
    }
    this.#lastEventAt = performance.now();
    const value: LiveChanges = { all: this.#all, changed: this.#pending };
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
    this.#pending = new Map();
    this.#pendingCount = 0;
  }

  /** Waits until `isOver` is true, which every wake-up checks, but at most `ms`. */
  #waitUntil(ms: number, isOver: () => boolean): Promise<void> | undefined {
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
