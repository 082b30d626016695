/** Stock audit: compares the quantity of each variant with the sum of its ledger. A difference means that a write bypassed the ledger. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { ConsistencyAuditFinding } from '../../../lib/consistency-audit-finding.ts';
import { nilUuid } from '../../../lib/ids.ts';
import { defineJob, noJobDataSchema } from '../../../ports/jobs.ts';

const batchSize = 500;

// One statement has one snapshot of stock and ledger, so concurrent sales cause no false differences.
const auditStatement = `select v.id, v.quantity,
    (select coalesce(sum(m.change), 0) from stock_movements m where m.product_id = v.product_id and m.variant_id = v.id)::bigint as sum
  from variants v where v.id > $1 order by v.id limit ${batchSize}`;

export async function* auditStock(queries: QueryHandle): AsyncGenerator<ConsistencyAuditFinding> {
  for (let after = nilUuid; ; ) {
    const batch = await queries.sql<{ id: string; quantity: number; sum: number }>(auditStatement, [after]);
    for (const { id, quantity, sum } of batch) {
      if (quantity !== sum)
        yield { about: `variant:${id}`, problem: `quantity ${quantity} differs from ledger sum ${sum}` };
    }
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.id ?? after;
  }
}

/**
 * Movements of the next `batchSize` products after `after`, added up per order and variant: `last`, `order_id`, `variant_id`, `change`. One row
 * without an order has the last product of the batch. Reads the ledger by its only index, product by product.
 */
export const sumOrderMovementsOfProductsSql = (after: string, batchSize: number): string => `
  with batch as materialized (select p.id from products p where p.id > ${after} order by p.id limit ${batchSize})
  select max(id::text)::uuid as last, null::uuid as order_id, null::uuid as variant_id, 0::bigint as change from batch having count(*) > 0
  union all
  select null, m.order_id, m.variant_id, sum(m.change)::bigint
  from stock_movements m where m.product_id in (select id from batch) and m.order_id is not null
  group by m.order_id, m.variant_id having bool_or(m.kind = 'ORDER')`;

/** The job fails when it finds a difference, so that operators see it in the list of failed jobs and in the job metrics. */
export const auditStockJob = defineJob(
  'check-stock',
  noJobDataSchema,
  async ({ db, log }: Pick<Services, 'db' | 'log'>) => {
    let differences = 0;
    for await (const finding of auditStock(db)) {
      differences += 1;
      log.error(finding, 'stock differs from its ledger');
    }
    if (differences > 0) throw new Error(`The stock of ${differences} variants differs from their ledger.`);
  },
  { cron: '47 3 * * *', retries: 0, timeout: 3000 },
);
