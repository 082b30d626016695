/** Whether every bill that the provider was paid is in our books, and nobody is billed for what has ended here. */
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { Finding } from '../../lib/findings.ts';
import { begunRecurring } from '../payments/recurring.ts';
import { isEnding } from './endings.ts';
import { isRenewing } from './renewals.ts';
import { findSubscription } from './store.ts';

export async function* auditRenewals(services: Pick<Services, 'db' | 'payments'>): AsyncGenerator<Finding> {
  for await (const { page, recurring, unknownBills } of begunRecurring(services)) {
    const { reference: about, subjectId } = page;
    for (const { paymentId, amount } of unknownBills)
      yield { about, problem: `${amount} paid at the provider for a renewal, not here (${paymentId})` };
    const { id, status } = recurring;
    if (status !== undefined && status !== 'ended' && !(await isExpected(services.db, subjectId, id)))
      yield { about, problem: `has ended here, and the provider goes on billing (${id})` };
  }
}

/** It renews here too, or its end is on its way to the provider. */
async function isExpected(queries: Queries, subscriptionId: string, recurringId: string): Promise<boolean> {
  const subscription = await findSubscription(queries, subscriptionId);
  if (subscription?.recurringId === recurringId && isRenewing(subscription)) return true;
  return isEnding(queries, recurringId);
}
