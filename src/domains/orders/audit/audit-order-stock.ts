/** Audit of the stock ledger by order: its movements add up to the units that the order took and has not returned. */
import type { QueryHandle } from '../../../db/index.ts';
import type { ConsistencyAuditFinding } from '../../../lib/consistency-audit-finding.ts';
import { nilUuid } from '../../../lib/ids.ts';
import { sumOrderMovementsOfProductsSql } from '../../products/stock/audit-stock.ts';

const batchSize = 100;

// One statement has one snapshot of orders and ledger. Orders from before the ledger have no movement of the kind ORDER.
const select = `with ledger as (${sumOrderMovementsOfProductsSql('$1', batchSize)})
  select l.last, l.order_id, l.variant_id, l.change, h.units
  from ledger l left join orders o on o.id = l.order_id left join lateral (
    select case when o.status = 'CANCELLED' then 0
      else coalesce(sum(coalesce(taken, quantity) - least(coalesce(taken, quantity), coalesce(restocked, 0))), 0) end::bigint as units
    from jsonb_to_recordset(o.lines) as line("variantId" text, quantity int, taken int, restocked int)
    where line."variantId" = l.variant_id::text) h on true
  where l.order_id is null or (o.id is not null and l.change <> -h.units) order by l.order_id nulls first, l.variant_id`;

interface LedgerRow {
  /** Last product of the batch. */
  last: string;
  /** Null in the one row that only reports `last`. */
  order_id: string | null;
  variant_id: string;
  change: number;
  units: number;
}

export async function* auditOrderStock(queries: QueryHandle): AsyncGenerator<ConsistencyAuditFinding> {
  for (let after = nilUuid; ; ) {
    const rows = await queries.sql<LedgerRow>(select, [after]);
    for (const { order_id, variant_id, change, units } of rows)
      if (order_id !== null)
        yield {
          about: `order:${order_id}`,
          problem: `holds ${units} units of variant ${variant_id}, but its stock movements add up to ${change}`,
        };
    const last = rows[0]?.last;
    if (last === undefined) return;
    after = last;
  }
}
