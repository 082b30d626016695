/** Calls to the payment provider inside an operation, bounded so that their outcome can be recorded or undone before the deadline. */
import type { Services } from '../../context.ts';
import { runWithCallBudget } from '../../lib/async/call-time-budget.ts';

/**
 * Rejects with CallBudgetError when the provider does not answer in time: whether the call took effect is unknown then. Jobs have no
 * deadline: the timeouts of the adapter apply.
 */
export function callProvider<T>({ db }: Pick<Services, 'db'>, call: () => Promise<T>): Promise<T> {
  const deadline = db.queryContext.deadline;
  return deadline ? runWithCallBudget(deadline.externalCallMs(), call) : call();
}
