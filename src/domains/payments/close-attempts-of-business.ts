/** Closes the payment attempts of the orders or subscriptions of a deleted business. */
import { registerBusinessDeletionHook } from '../shared/business-deletion.ts';
import { closeOpenPaymentAttempts } from './close-payment-attempts.ts';
import type { PaymentSubjectKind } from './model.ts';
import { buildOpenPaymentAttemptExistsSql } from './payment-attempts.ts';

/**
 * Closes after the deletion, so that the lock order is the same as elsewhere: subject, then payment attempt. A page that is opened at the
 * same time stays open, but a payment on it is refunded.
 */
export const registerAttemptsOfDeletedBusiness = (kind: PaymentSubjectKind, table: string): void =>
  registerBusinessDeletionHook(async (services, tx, businessId) => {
    const subjects = await tx.sql<{ id: string }>(
      `select s.id from ${table} s where s.business_id = $1 and ${buildOpenPaymentAttemptExistsSql(kind, 's.id')}`,
      [businessId],
    );
    return async () => {
      for (const { id } of subjects) await closeOpenPaymentAttempts(services, tx, kind, id);
    };
  });
