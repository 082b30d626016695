/** Checks, from the database and the payment provider alone, that no money, stock or promo code is lost or made up. Changes nothing. */
import type { Services } from '../context.ts';
import { auditPromoCodes } from '../domains/businesses/promo-codes/audit-promo-codes.ts';
import { auditRenewals } from '../domains/newsletter/billing/audit-renewals.ts';
import { auditOrderNumbers } from '../domains/orders/audit/audit-order-numbers.ts';
import { auditOrders } from '../domains/orders/audit/audit-orders.ts';
import { auditPayments } from '../domains/payments/reconcile/audit-payments.ts';
import { auditStock } from '../domains/products/stock/audit-stock.ts';
import type { AuditFinding } from '../lib/audit-finding.ts';

/** Findings come one by one, as they are made: any number of records fits. */
export async function* auditConsistency(
  services: Pick<Services, 'db' | 'payments'>,
  asked?: () => void,
): AsyncGenerator<AuditFinding> {
  yield* auditPayments(services, asked);
  yield* auditRenewals(services);
  yield* auditOrders(services);
  yield* await auditOrderNumbers(services.db);
  yield* auditStock(services.db);
  yield* auditPromoCodes(services.db);
}
