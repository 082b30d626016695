/** Read-only audit: compares database and payment provider to find lost or invented money, stock and promo code uses. */
import type { Services } from '../context.ts';
import { auditPromoCodes } from '../domains/businesses/promo-codes/audit-promo-codes.ts';
import {
  auditEndedSubscriptions,
  auditErasedSubscriptions,
  auditRenewals,
} from '../domains/newsletter/billing/audit-renewals.ts';
import { auditOrderNumbers } from '../domains/orders/audit/audit-order-numbers.ts';
import { auditOrderStock } from '../domains/orders/audit/audit-order-stock.ts';
import { auditOrders } from '../domains/orders/audit/audit-orders.ts';
import {
  auditPayments,
  auditPendingRefunds,
  auditUnmatchedPayments,
} from '../domains/payments/reconcile/audit-payments.ts';
import { auditStock } from '../domains/products/stock/audit-stock.ts';
import type { ConsistencyAuditFinding } from '../lib/consistency-audit-finding.ts';

/** Yields findings one by one, so that memory use does not grow with the number of records. `onProviderRequest` is called for each request to the provider. */
export async function* streamConsistencyFindings(
  services: Pick<Services, 'db' | 'payments'>,
  onProviderRequest?: () => void,
): AsyncGenerator<ConsistencyAuditFinding> {
  yield* auditPayments(services, onProviderRequest);
  yield* auditUnmatchedPayments(services);
  yield* await auditPendingRefunds(services);
  yield* auditRenewals(services);
  yield* await auditEndedSubscriptions(services);
  yield* await auditErasedSubscriptions(services);
  yield* auditOrders(services);
  yield* await auditOrderNumbers(services.db);
  yield* auditStock(services.db);
  yield* auditOrderStock(services.db);
  yield* auditPromoCodes(services.db);
}
