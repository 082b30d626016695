/** Whether the numbers of a business's orders have no gaps: every one that was given has its order, or is free to be given again. */
import type { Db } from '../../../db/handles.ts';
import type { AuditFinding } from '../../../lib/audit-finding.ts';

// One statement, so that it sees one moment. Numbers are unique, so those in range that are as many as were given are all of them.
const select = `
  select n.business_id as business, n.last - 1000 as given, cardinality(n.freed) as freed, o.held
  from order_numbers n cross join lateral (
    select count(*)::int as held from orders o where o.business_id = n.business_id and o.number between 1001 and n.last
  ) o
  where n.last - 1000 <> o.held + cardinality(n.freed)`;

export async function auditOrderNumbers(db: Db): Promise<AuditFinding[]> {
  const rows = await db.sql<{ business: string; given: number; freed: number; held: number }>(select, []);
  return rows.map(({ business, given, freed, held }) => ({
    about: `business:${business}`,
    problem: `${given} order numbers were given, ${held} orders have one and ${freed} are free`,
  }));
}
