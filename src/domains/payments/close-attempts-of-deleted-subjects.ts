/** Closes the payment attempts of orders or subscriptions that are deleted with their business or collection. */
import type { Services } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { registerBusinessDeletionHook } from '../shared/business-deletion-registry.ts';
import { closeOpenPaymentAttempts } from './close-payment-attempts.ts';
import type { PaymentSubjectKind } from './model.ts';
import { buildOpenPaymentAttemptConditionSql } from './stored-payment-attempts.ts';

interface DeletedParent {
  /** Table of the subjects. */
  table: string;
  /** Column that references the deleted record, and the id of that record. */
  column: 'business_id' | 'collection_id';
  id: string;
}

/**
 * Call it before the deletion, and the function that it returns after the deletion, so that the lock order is the same as elsewhere:
 * subject, then payment attempt. A page that is opened at the same time stays open, but a payment on it is refunded.
 */
export async function prepareClosingOfPaymentAttempts(
  services: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  kind: PaymentSubjectKind,
  { table, column, id: parentId }: DeletedParent,
): Promise<() => Promise<void>> {
  const subjects = await tx.sql<{ id: string }>(
    `select s.id from ${table} s where s.${column} = $1 and ${buildOpenPaymentAttemptConditionSql(kind, 's.id')}`,
    [parentId],
  );
  return async () => {
    for (const { id } of subjects) await closeOpenPaymentAttempts(services, tx, kind, id);
  };
}

export const registerClosingOfPaymentAttemptsWithBusiness = (kind: PaymentSubjectKind, table: string): void =>
  registerBusinessDeletionHook((services, tx, id) =>
    prepareClosingOfPaymentAttempts(services, tx, kind, { table, column: 'business_id', id }),
  );
