/** Time budget of a call to an external system. */

/** The external system has not answered within the budget: whether the call took effect is unknown. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';
}

/** Rejects with CallTimeoutError after `ms`, also when `call` ignores its budget. Does not start a call without budget. */
export function runWithCallTimeout<T>(ms: number, call: () => Promise<T>): Promise<T> {
  if (ms <= 0) return Promise.reject(new CallTimeoutError('No time is left for the call.'));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new CallTimeoutError(`No answer within ${Math.round(ms)} ms.`)),
      ms,
    );
    call()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
