/** Lists the API usage of a business by the API keys of its members. */
import type { Context } from '../../context.ts';
import { usageKinds } from '../../ports/usage.ts';
import { loadMemberIds } from '../businesses/staff/member-ids.ts';
import { readUsage, type UsageSummary } from './read-usage.ts';
import type { UsageArgs } from './schemas.ts';

const maxRows = 1000;

export async function listUsage(
  { db }: Context,
  { businessId, days, kind }: UsageArgs,
): Promise<UsageSummary[]> {
  return readUsage(db, {
    days,
    kinds: kind ? [kind] : usageKinds,
    within: { businessId, userIds: await loadMemberIds(db, businessId) },
    limit: maxRows,
  });
}
