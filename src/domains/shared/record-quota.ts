/** Quota of records per business and table: RECORDS_PER_BUSINESS. */
import type { Services } from '../../context.ts';
import { type QueryHandle, takeAdvisoryLock } from '../../db/index.ts';
import { forbiddenError } from '../../errors.ts';

/** Up to this quota records are counted before each insert; with a higher quota only before as many of `quota` inserts, chosen at random. */
const countsPerQuota = 1000;

/**
 * Wraps `insert`, which adds one record to the table. The lock, held until the end of the transaction, makes concurrent inserts count
 * each other. A large quota may be exceeded by about a thousandth, because counting a million rows for each insert would be slow.
 */
export const withinRecordQuota =
  <Result>(
    { config: { quotas } }: Pick<Services, 'config'>,
    table: string,
    businessId: string,
    insert: (queries: QueryHandle) => Promise<Result>,
  ) =>
  (queries: QueryHandle): Promise<Result> => {
    const { recordsPerBusiness } = quotas;
    if (Math.random() * recordsPerBusiness >= countsPerQuota) return insert(queries);
    return queries.transaction(async (tx) => {
      await takeAdvisoryLock(tx, `records:${table}:${businessId}`);
      const last = await tx.sql(`select 1 from ${table} where business_id = $1 offset $2 limit 1`, [
        businessId,
        recordsPerBusiness - 1,
      ]);
      if (last.length === 0) return insert(tx);
      throw forbiddenError(
        `A business may have at most ${recordsPerBusiness} ${table.replaceAll('_', ' ')}.`,
      );
    });
  };
