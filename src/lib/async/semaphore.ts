/** Bounds expensive work: so many at a time, so many waiting, and a quick no to the rest. */
import { AppError } from '../../errors.ts';

export interface SemaphoreOptions {
  maxRunning: number;
  maxWaiting: number;
  /** What there is too much of, for people. */
  label?: string;
}

export function createSemaphore({
  maxRunning: parallel,
  maxWaiting: waiting,
  label: what = 'sign-ins',
}: SemaphoreOptions) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= parallel) {
      if (queue.length >= waiting) {
        throw new AppError('UNAVAILABLE', `Too many ${what} at the moment, try again shortly.`, {
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
