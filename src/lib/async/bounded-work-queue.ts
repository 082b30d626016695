/** Bounded queue for expensive work: limits the concurrency, and rejects with UNAVAILABLE when the queue is full. */
import { AppError } from '../../errors.ts';

interface WorkQueueOptions {
  maxRunning: number;
  maxWaiting: number;
  /** Plural noun for the error message, such as `sign-ins`. */
  label: string;
}

export function createBoundedWorkQueue({ maxRunning, maxWaiting, label }: WorkQueueOptions) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxRunning) {
      if (queue.length >= maxWaiting) {
        throw new AppError('UNAVAILABLE', `Too many ${label} at the moment, try again shortly.`, {
          headers: { 'Retry-After': '1' },
        });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
