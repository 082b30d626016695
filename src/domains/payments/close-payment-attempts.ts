/** Closes payment attempts, and their sessions at the provider by a job. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import type { PaymentSubjectKind } from './model.ts';
import { transitionPaymentAttempt } from './payment-attempt-state-machine.ts';
import { lockOpenPaymentAttempts, updatePaymentAttempt } from './stored-payment-attempts.ts';

export const closePaymentSessionJob = defineJob(
  'close-payment-session',
  z.object({ reference: z.string(), id: z.string().optional(), createdAt: z.number().optional() }),
  ({ payments }: Pick<Services, 'payments'>, session) => payments.expireSession(session),
  { retries: 10 },
);

/** Seconds after which a session is searched whose creation the provider has not confirmed. Reconciliation searches it again. */
const lostSessionSeconds = 30;

/** Closes the open attempts of a locked subject because the amount due has changed. A payment that still arrives is refunded. */
export async function closeOpenPaymentAttempts(
  { jobs }: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  kind: PaymentSubjectKind,
  subjectId: string,
): Promise<void> {
  for (const attempt of await lockOpenPaymentAttempts(tx, kind, subjectId)) {
    const { state } = transitionPaymentAttempt(attempt, { type: 'closed' });
    await updatePaymentAttempt(tx, { ...attempt, state });
    const { reference, sessionId: id, createdAt } = attempt;
    // Without an id the request that creates the session may still be running at the provider.
    const options = id === undefined ? { startAt: now() + lostSessionSeconds } : {};
    await jobs.enqueue(tx, closePaymentSessionJob, { reference, id, createdAt }, options);
  }
}
