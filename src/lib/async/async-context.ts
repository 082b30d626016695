/** Async context: a value visible to a call and everything it awaits, without passing it as an argument. */
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Only for values that must pass through third-party code. PERF: while an AsyncLocalStorage is enabled, Node 20 adds overhead to every
 * promise of the process (a fifth of the cost of a read), so it is disabled when no call is running in it.
 */
export class AsyncContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();
  #running = 0;

  get(): T | undefined {
    return this.#storage.getStore();
  }

  async run<Result>(value: T, work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await this.#storage.run(value, work);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#storage.disable();
    }
  }
}
