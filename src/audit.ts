/** Checks, from the database and the payment provider alone, that no money, stock or promo code is lost or made up. Changes nothing. */
import type { Services } from './context.ts';
import { auditPromoCodes } from './domains/businesses/audit.ts';
import { auditRenewals } from './domains/newsletter/audit.ts';
import { auditOrders } from './domains/orders/audit.ts';
import { auditOrderNumbers } from './domains/orders/audit-numbers.ts';
import { auditPayments } from './domains/payments/audit.ts';
import { auditStock } from './domains/products/audit.ts';
import type { Finding } from './lib/findings.ts';

/** Findings come one by one, as they are made: any number of records fits. */
export async function* audit(
  services: Pick<Services, 'db' | 'payments'>,
  asked?: () => void,
): AsyncGenerator<Finding> {
  yield* auditPayments(services, asked);
  yield* auditRenewals(services);
  yield* auditOrders(services);
  yield* await auditOrderNumbers(services.db);
  yield* auditStock(services.db);
  yield* auditPromoCodes(services.db);
}
