/** The time that an operation has. When it is over the answer is no, and what the operation began is called off. */
import { AppError } from '../../errors.ts';

export interface Deadline {
  /** Whether the caller was told that it took too long. */
  readonly expired: boolean;
  /** Calls `callOff` when the time is over; the function it returns ends that, and waits for what was begun. */
  onExpired(callOff: () => Promise<unknown>): () => Promise<void>;
}

/** Throws in an operation whose caller was told no already: nothing of it may happen any more. */
export function assertDeadlineNotExpired(deadline: Deadline | undefined): void {
  if (deadline?.expired) throw createTimeoutError();
}

/** What `run` gives, or TIMEOUT after `ms`. */
export function runWithDeadline<T>(ms: number, run: (deadline: Deadline) => Promise<T> | T): Promise<T> | T {
  const waiting = new Set<() => void>();
  const deadline = {
    expired: false,
    onExpired(callOff: () => Promise<unknown>) {
      let calling: Promise<unknown> | undefined;
      const begin = () => {
        calling = callOff().catch(() => {});
      };
      waiting.add(begin);
      return async () => {
        waiting.delete(begin);
        await calling;
      };
    },
  };
  const result = run(deadline);
  if (!(result instanceof Promise)) return result;
  return rejectAfterTimeout(ms, result, () => {
    deadline.expired = true;
    for (const begin of waiting) begin();
  });
}

/** The same for what only reads: it is not waited for any longer, and comes to nothing by itself. */
export function rejectAfterTimeout<T>(ms: number, result: Promise<T>, onOver = () => {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onOver();
      reject(createTimeoutError());
    }, ms);
    const end =
      <Value>(then: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer);
        then(value);
      };
    result.then(end(resolve), end(reject));
  });
}

export const isTimeoutError = (error: unknown) => error instanceof AppError && error.code === 'TIMEOUT';

export const createTimeoutError = () => new AppError('TIMEOUT', 'This took too long and was called off.');
