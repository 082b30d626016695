/** Businesses trusted with mail: those with a paid order or in TRUSTED_BUSINESSES. All others cannot vouch for email addresses, and have daily quotas of mails. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';

/** Without a mail server no mail leaves the sandbox, so that every business is trusted. */
export async function isBusinessTrustedWithMail(
  { config: { quotas }, mail }: Pick<Services, 'config' | 'mail'>,
  queries: QueryHandle,
  businessId: string,
): Promise<boolean> {
  const { trustedBusinesses } = quotas;
  if (mail.embedded || trustedBusinesses === 'all' || trustedBusinesses.includes(businessId)) return true;
  return hasPaidOrder(queries, businessId);
}

/** True once any order of the business was paid. */
async function hasPaidOrder(queries: QueryHandle, businessId: string): Promise<boolean> {
  const rows = await queries.sql('select 1 from orders where business_id = $1 and captured > 0 limit 1', [
    businessId,
  ]);
  return rows.length > 0;
}
