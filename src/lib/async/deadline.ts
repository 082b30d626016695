/** Deadline of an operation. When it expires the caller receives TIMEOUT, and running statements are cancelled. */
import { AppError } from '../../errors.ts';

export interface Deadline {
  /** True once the caller has received TIMEOUT. */
  readonly expired: boolean;
  /** Milliseconds that calls to external systems may still take, possibly negative: the last 30 % are for recording or undoing their outcome. */
  externalCallMs(): number;
  /** Calls `cancel` when the deadline expires. The returned function unsubscribes, and waits for a cancellation that has begun. */
  onExpired(cancel: () => Promise<unknown>): () => Promise<void>;
}

/** Share of the deadline after which no call to an external system may be waited for. */
const externalCallShare = 0.7;

/** Throws TIMEOUT if the deadline has expired: the operation must have no further effect. */
export function assertDeadlineNotExpired(deadline: Deadline | undefined): void {
  if (deadline?.expired) throw createTimeoutError();
}

/** Runs `run`; rejects with TIMEOUT after `ms`. */
export function runWithDeadline<T>(ms: number, run: (deadline: Deadline) => Promise<T> | T): Promise<T> | T {
  const cancellations = new Set<() => void>();
  const externalCallEnd = performance.now() + ms * externalCallShare;
  const deadline = {
    expired: false,
    externalCallMs: () => externalCallEnd - performance.now(),
    onExpired(cancel: () => Promise<unknown>) {
      let cancelling: Promise<unknown> | undefined;
      const start = () => {
        cancelling = cancel().catch(() => {});
      };
      cancellations.add(start);
      return async () => {
        cancellations.delete(start);
        await cancelling;
      };
    },
  };
  const result = run(deadline);
  if (!(result instanceof Promise)) return result;
  return rejectAfterTimeout(ms, result, () => {
    deadline.expired = true;
    for (const start of cancellations) start();
  });
}

/** Rejects with TIMEOUT after `ms`, without cancelling: for reads, whose late result is ignored. */
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

export const createTimeoutError = () =>
  new AppError(
    'TIMEOUT',
    'The operation took too long and was stopped. After a change, read the record before you try again, or repeat the request with its Idempotency-Key.',
  );
