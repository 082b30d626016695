/** What the API keys of a business's members were used for, in this business. */
import type { Context } from '../../context.ts';
import { usageKinds } from '../../ports/usage.ts';
import { memberIds } from '../businesses/holders.ts';
import type { UsageAsked } from './checks.ts';
import { readUsage, type Used } from './read.ts';

const mostLines = 1000;

export async function listUsage({ db }: Context, { businessId, days, kind }: UsageAsked): Promise<Used[]> {
  return readUsage(db, {
    days,
    kinds: kind ? [kind] : usageKinds,
    within: { businessId, userIds: await memberIds(db, businessId) },
    most: mostLines,
  });
}
