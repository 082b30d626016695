/** Audit: compares the use counter of promo codes with the claims of orders. */
import type { QueryHandle } from '../../../db/index.ts';
import type { ConsistencyAuditFinding } from '../../../lib/consistency-audit-finding.ts';
import { nilUuid } from '../../../lib/ids.ts';

const batchSize = 500;

const select = `select c.id, c.uses, (select count(*) from promo_claims k where k.promo_code_id = c.id) as claims
  from promo_codes c where c.id > $1 order by c.id limit ${batchSize}`;

export async function* auditPromoCodes(queries: QueryHandle): AsyncGenerator<ConsistencyAuditFinding> {
  for (let after = nilUuid; ; ) {
    const batch = await queries.sql<{ id: string; uses: number; claims: number }>(select, [after]);
    for (const { id, uses, claims } of batch) {
      if (uses !== claims)
        yield { about: `promo-code:${id}`, problem: `used ${uses} times, claimed by ${claims} orders` };
    }
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.id ?? after;
  }
}
