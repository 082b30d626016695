/** Businesses without a payment are unproven: they cannot vouch for email addresses, and have daily quotas of mails. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { hasPaidOrder } from './customers-with-orders.ts';

/** A business is proven by its first payment or by TRUSTED_BUSINESSES. Without a mail server no mail leaves the sandbox, so all are. */
export async function isProvenBusiness(
  { config: { quotas }, mail }: Pick<Services, 'config' | 'mail'>,
  queries: QueryHandle,
  businessId: string,
): Promise<boolean> {
  const { trustedBusinesses } = quotas;
  if (mail.embedded || trustedBusinesses === 'all' || trustedBusinesses.includes(businessId)) return true;
  return hasPaidOrder(queries, businessId);
}
