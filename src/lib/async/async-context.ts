/** A value that a call, and everything it waits for, can see without being handed it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * For what passes through code that is not ours; all else is handed on. While such a storage is in use, Node 20 does more for every
 * promise of the process (a fifth of what a read costs), so it is in use only while somebody runs within it.
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
