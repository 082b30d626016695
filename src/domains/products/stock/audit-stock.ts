/** Whether the ledger explains the stock: a sum that differs from it means that stock was lost or made up. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { type AuditFinding, nilId } from '../../../lib/audit-finding.ts';
import { defineJob, noJobData } from '../../../ports/jobs.ts';

const batchSize = 500;

// One statement sees stock and ledger at one moment, so sales in between do no harm.
const select = `select v.id, v.quantity,
    (select coalesce(sum(m.change), 0) from stock_movements m where m.product_id = v.product_id and m.variant_id = v.id)::bigint as sum
  from variants v where v.id > $1 order by v.id limit ${batchSize}`;

export async function* auditStock(queries: Queries): AsyncGenerator<AuditFinding> {
  for (let after = nilId; ; ) {
    const batch = await queries.sql<{ id: string; quantity: number; sum: number }>(select, [after]);
    for (const { id, quantity, sum } of batch) {
      if (quantity !== sum)
        yield { about: `variant:${id}`, problem: `${quantity} in stock, ${sum} by its ledger` };
    }
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.id ?? after;
  }
}

/** One that finds something fails: operators see it among what has failed, and in the metrics of jobs. */
export const checkStockJob = defineJob(
  'check-stock',
  noJobData,
  async ({ db, log }: Pick<Services, 'db' | 'log'>) => {
    let found = 0;
    for await (const finding of auditStock(db)) {
      found += 1;
      log.error(finding, 'stock and ledger differ');
    }
    if (found > 0) throw new Error(`The stock of ${found} variants is not what their ledger says.`);
  },
  { cron: '47 3 * * *', retries: 0, timeout: 3000 },
);
