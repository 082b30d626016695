/** Lists the API usage of a business by the API keys of its members. */
import type { Context } from '../../context.ts';
import { usageKinds } from '../../ports/usage.ts';
import { loadBusinessMemberIds } from '../businesses/staff/load-member-ids.ts';
import { readApiUsage, type UsageSummary } from './read-api-usage.ts';
import type { ListApiUsageArgs } from './schemas.ts';

const maxRows = 1000;

export async function listApiUsage(
  { db }: Context,
  { businessId, days, kind }: ListApiUsageArgs,
): Promise<UsageSummary[]> {
  return readApiUsage(db, {
    days,
    kinds: kind ? [kind] : usageKinds,
    within: { businessId, userIds: await loadBusinessMemberIds(db, businessId) },
    limit: maxRows,
  });
}
