/** Calls to the payment provider inside an operation, bounded so that their outcome can be recorded or undone before the deadline. */
import type { Services } from '../../context.ts';
import { runWithCallBudget } from '../../lib/async/call-time-budget.ts';

/**
 * Rejects with CallBudgetError when the provider does not answer in time: whether the call took effect is unknown then. Jobs have no
 * deadline: the timeouts of the adapter apply.
 */
export function callPaymentProvider<T>(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  call: () => Promise<T>,
): Promise<T> {
  const { deadline } = db.queryContext;
  if (!deadline) return call();
  const ms = deadline.externalCallMs();
  return runWithCallBudget(ms, () => (payments.runWithin ? payments.runWithin(ms, call) : call()));
}
