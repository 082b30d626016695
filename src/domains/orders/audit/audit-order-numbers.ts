/** Audit of order numbers: each number that a business has issued belongs to an order, is in its list of freed numbers, or was skipped. */
import type { Db } from '../../../db/index.ts';
import type { ConsistencyAuditFinding } from '../../../lib/consistency-audit-finding.ts';

// One statement, hence one snapshot. Numbers are unique per business, so comparing counts is sufficient to detect a gap.
const select = `
  select n.business_id as business, n.last - 1000 - n.skipped as issued, cardinality(n.freed) as freed, o.used
  from order_numbers n cross join lateral (
    select count(*)::int as used from orders o where o.business_id = n.business_id and o.number between 1001 and n.last
  ) o
  where n.last - 1000 - n.skipped <> o.used + cardinality(n.freed)`;

export async function auditOrderNumbers(db: Db): Promise<ConsistencyAuditFinding[]> {
  const rows = await db.sql<{ business: string; issued: number; freed: number; used: number }>(select, []);
  return rows.map(({ business, issued, freed, used }) => ({
    about: `business:${business}`,
    problem: `${issued} order numbers issued, but ${used} are in use and ${freed} are free`,
  }));
}
