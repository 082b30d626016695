/** Time budget of a call to an external system. */

/** The external system has not answered within the budget: whether the call took effect is unknown. */
export class CallBudgetError extends Error {
  override readonly name = 'CallBudgetError';
}

/** Rejects with CallBudgetError after `ms`, also when `call` ignores its budget. Does not start a call without budget. */
export function runWithCallBudget<T>(ms: number, call: () => Promise<T>): Promise<T> {
  if (ms <= 0) return Promise.reject(new CallBudgetError('No time is left for the call.'));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CallBudgetError(`No answer within ${Math.round(ms)} ms.`)), ms);
    call()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
